import { system } from '../../shared/system.ts';
import type { Certificate } from '../tls/certificate.ts';

/** A server of Bun that listens on a port. */
export interface Listener {
  readonly server: Bun.Server<undefined>;
  /** Whether each response closes its connection. */
  isEnding: boolean;
}

type OpenListener = (certificate: Certificate | undefined) => Listener;

/** How long a replaced listener goes on, so that most clients leave it by themselves. */
const HANDOVER_MS = 1_000;

/** The listener of a port, which can be replaced for another certificate, or closed for a while. */
export class ReplaceableListener {
  #current: Listener | undefined;
  /** Those that still have connections. */
  readonly #ending = new Set<Listener>();

  constructor(
    private readonly open: OpenListener,
    private certificate: Certificate | undefined,
  ) {
    this.#current = open(certificate);
  }

  get isClosed(): boolean {
    return this.#current === undefined;
  }

  /** Uses another certificate for new connections; those of the old listener end within a second. */
  replace(certificate: Certificate): void {
    const next = this.open(certificate);
    const replaced = this.#current;
    this.#current = next;
    this.certificate = certificate;
    if (!replaced) return;
    replaced.isEnding = true;
    this.#ending.add(replaced);
    system.setTimeout(() => this.#end(replaced), HANDOVER_MS).unref();
  }

  /** Returns how many were closed. */
  closeIdleConnections(): number {
    return this.#current?.server.closeIdleConnections() ?? 0;
  }

  /** Refuses new connections; requests in flight are answered. */
  close(): void {
    const closed = this.#current;
    this.#current = undefined;
    if (closed) this.#end(closed);
  }

  /** Throws if that is not possible. */
  reopen(): void {
    this.#current ??= this.open(this.certificate);
  }

  /** When requests in flight are finished, or at once. */
  async stop(isAtOnce = false): Promise<void> {
    await Promise.all(this.#list().map(({ server }) => server.stop(isAtOnce)));
  }

  countActiveRequests(): number {
    return this.#list().reduce((count, { server }) => count + server.pendingRequests, 0);
  }

  #list(): Listener[] {
    return [...(this.#current ? [this.#current] : []), ...this.#ending];
  }

  /** Bun closes idle connections at once, and others after their response. */
  async #end(listener: Listener): Promise<void> {
    listener.isEnding = true;
    this.#ending.add(listener);
    await listener.server.stop();
    this.#ending.delete(listener);
  }
}
