import type { TabChannel } from '../../../src/explorer/api/tab.ts';
import type { Process, Scheduler } from '../scheduler.ts';
import type { Network } from './network.ts';

const [MIN_DELIVERY_MS, MAX_DELIVERY_MS] = [0.05, 30];
const [MIN_GRANT_MS, MAX_GRANT_MS] = [0.05, 10];

/** A process of a browser that shows a page. */
export interface PageProcess extends Process {
  /** Whether the page is in the cache of pages to go back to: messages to it are lost. */
  isCached: boolean;
}

/** What the tabs of one browser share: channels, locks, and the network. */
export class SimulatedBrowser {
  readonly #channels = new Map<string, Set<SimulatedChannel>>();
  readonly #locks = new Map<string, LockRequest[]>();
  /** Broadcasts that pages in the cache missed. */
  lostMessages = 0;

  constructor(
    readonly scheduler: Scheduler,
    readonly network: Network,
    readonly hasLocks: boolean,
  ) {}

  openChannel(page: PageProcess, name: string): TabChannel {
    const channels = this.#channels.getOrInsertComputed(name, () => new Set());
    const channel = new SimulatedChannel(this, page, channels);
    channels.add(channel);
    return channel;
  }

  /** As `navigator.locks.request`. */
  requestLock(
    page: PageProcess,
    name: string,
    signal: AbortSignal,
    hold: () => Promise<void>,
  ): Promise<void> {
    if (signal.aborted) return Promise.reject(signal.reason);
    const request = { page, hold, isHeld: false, ...Promise.withResolvers<void>() };
    const queue = this.#locks.getOrInsertComputed(name, () => []);
    queue.push(request);
    signal.addEventListener('abort', () => {
      if (request.isHeld || !queue.includes(request)) return;
      this.#release(queue, request);
      request.reject(signal.reason);
    });
    if (queue[0] === request) this.#grant(queue, request);
    return request.promise;
  }

  /** The page is gone, and lets go of everything. */
  removePage(page: PageProcess): void {
    for (const channels of this.#channels.values())
      for (const channel of channels) if (channel.page === page) channels.delete(channel);
    for (const queue of this.#locks.values())
      for (const request of [...queue]) if (request.page === page) this.#release(queue, request);
    this.network.hangUp(page);
  }

  #grant(queue: readonly LockRequest[], request: LockRequest): void {
    const { scheduler } = this;
    const grant = () => {
      if (!queue.includes(request)) return;
      request.isHeld = true;
      const release = () => this.#release(queue as LockRequest[], request);
      request.hold().then(request.resolve, request.reject).finally(release);
    };
    const delayMs = scheduler.drawDelay(MIN_GRANT_MS, MAX_GRANT_MS);
    scheduler.after(delayMs, 'lock', grant, request.page);
  }

  #release(queue: LockRequest[], request: LockRequest): void {
    const index = queue.indexOf(request);
    if (index < 0) return;
    queue.splice(index, 1);
    if (index === 0 && queue[0]) this.#grant(queue, queue[0]);
  }
}

interface LockRequest {
  readonly page: PageProcess;
  readonly hold: () => Promise<void>;
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
  isHeld: boolean;
}

/** A `BroadcastChannel`: messages take their time, and keep their order between two tabs. */
class SimulatedChannel implements TabChannel {
  readonly #listeners: ((event: { data: unknown }) => void)[] = [];
  readonly #lastDueMs = new Map<SimulatedChannel, number>();

  constructor(
    private readonly browser: SimulatedBrowser,
    readonly page: PageProcess,
    private readonly channels: Set<SimulatedChannel>,
  ) {}

  addEventListener(_type: 'message', listener: (event: { data: unknown }) => void): void {
    this.#listeners.push(listener);
  }

  postMessage(data: unknown): void {
    if (!this.channels.has(this)) throw new DOMException('channel is closed', 'InvalidStateError');
    for (const channel of this.channels) if (channel !== this) this.#deliver(channel, data);
  }

  close(): void {
    this.channels.delete(this);
  }

  #deliver(receiver: SimulatedChannel, data: unknown): void {
    const { scheduler } = this.browser;
    if (receiver.page.isCached) {
      this.browser.lostMessages++;
      return;
    }
    const dueMs = scheduler.nowMs + scheduler.drawDelay(MIN_DELIVERY_MS, MAX_DELIVERY_MS);
    const orderedMs = Math.max(dueMs, (this.#lastDueMs.get(receiver) ?? 0) + 1e-6);
    this.#lastDueMs.set(receiver, orderedMs);
    const receive = () => {
      if (!this.channels.has(receiver)) return;
      for (const listener of receiver.#listeners) listener({ data });
    };
    scheduler.after(orderedMs - scheduler.nowMs, 'broadcast', receive, receiver.page);
  }
}
