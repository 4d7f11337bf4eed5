import { type FoundListenSocket, findListenSocket, type ListenSocket } from './listen-socket.ts';

/** A server that listens on a port. */
export interface Listener {
  readonly server: Bun.Server<undefined>;
  /** Whether another one has taken its place; each response then closes its connection. */
  isReplaced: boolean;
  /** Since it was replaced. */
  lastRequestMs: number;
}

/** What is on its way to a listener when it is replaced has this long to arrive. */
const HANDOVER_MS = 250;
/** Bun has closed all idle connections before. */
const IDLE_MS = 65_000;

/** The listener of a port, which another one can replace without losing a request. */
export class ReplaceableListener implements ListenSocket {
  #current: Listener;
  #socket: FoundListenSocket | undefined;
  #isPaused = false;
  /** Those that still have connections. */
  readonly #replaced = new Set<Listener>();

  constructor(first: Listener) {
    this.#current = first;
    this.#socket = findListenSocket(first.server.port ?? 0);
  }

  /** False where the system is not Linux. */
  get canPause(): boolean {
    return this.#socket !== undefined;
  }

  /** Uses another one, which listens on the same port already. */
  replace(next: Listener): void {
    const [replaced, replacedSocket] = [this.#current, this.#socket];
    this.#current = next;
    this.#socket = findListenSocket(next.server.port ?? 0, replacedSocket?.descriptor);
    if (this.#isPaused) this.#socket?.pause();
    replaced.isReplaced = true;
    replaced.lastRequestMs = performance.now();
    this.#replaced.add(replaced);
    this.#retire(replaced, replacedSocket);
  }

  /** When requests in flight are finished, or at once. */
  async stop(isAtOnce = false): Promise<void> {
    const all = [this.#current, ...this.#replaced];
    await Promise.all(all.map(({ server }) => server.stop(isAtOnce)));
  }

  pause(): void {
    this.#isPaused = true;
    this.#socket?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#socket?.resume();
  }

  closeWaiting(): void {
    this.#socket?.closeWaiting();
  }

  countActiveRequests(): number {
    const all = [this.#current, ...this.#replaced];
    return all.reduce((count, { server }) => count + server.pendingRequests, 0);
  }

  countConnections(): number | undefined {
    return this.#socket?.countConnections();
  }

  /** Requests go on until the last client has closed its connection, as each response asks it to. */
  async #retire(listener: Listener, socket: FoundListenSocket | undefined): Promise<void> {
    if (socket) {
      socket.pause();
      await sleep(HANDOVER_MS);
      socket.release();
      while (performance.now() - listener.lastRequestMs < IDLE_MS) await sleep(IDLE_MS / 4);
    }
    await listener.server.stop();
    this.#replaced.delete(listener);
  }
}

/** Does not keep the process alive. */
function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
