import type { Process, Scheduler } from '../scheduler.ts';

type Service = (request: Request) => Promise<Response>;

/** What happens to requests of a browser. */
export interface NetworkFaults {
  /** Requests and responses take up to this much longer. */
  maxDelayMs: number;
  /** The part of requests that get lost, on their way or on the way back. */
  lossRate: number;
  /** Requests fail at once, or never end. */
  outage: 'none' | 'refused' | 'silent';
}

const NO_FAULTS: NetworkFaults = { maxDelayMs: 0, lossRate: 0, outage: 'none' };

/** The way between a browser and the service. */
export class Network {
  readonly faults: NetworkFaults = { ...NO_FAULTS };
  readonly exchanges = new Set<Exchange>();
  /** Called with each request, when it is sent. */
  onRequest: (exchange: Exchange) => void = () => {};
  /** When each page began its last poll. */
  readonly polledMs = new Map<Process, number>();
  /** How many requests were sent. */
  count = 0;

  constructor(
    readonly scheduler: Scheduler,
    readonly service: Service,
  ) {}

  /** As `fetch`, called in the process of a page. */
  fetch(page: Process, url: string, init: RequestInit): Promise<Response> {
    const exchange = new Exchange(this, page, url, init);
    this.exchanges.add(exchange);
    if (POLL_PATHS.includes(exchange.path)) this.polledMs.set(page, exchange.startMs);
    this.onRequest(exchange);
    return exchange.response;
  }

  /** Ends what a page that is gone has requested. */
  hangUp(page: Process): void {
    for (const exchange of this.exchanges) if (exchange.page === page) exchange.end();
  }

  endFaults(): void {
    Object.assign(this.faults, NO_FAULTS);
  }

  /** Waits as long as a message takes, in the process that calls. */
  async pass(page: Process): Promise<void> {
    const { scheduler, faults } = this;
    const delayMs = scheduler.drawDelay(0, faults.maxDelayMs);
    if (delayMs > 0) await scheduler.wait(delayMs, 'network', page);
  }

  isLost(): boolean {
    const { faults, scheduler } = this;
    return faults.lossRate > 0 && scheduler.random.isLikely(faults.lossRate);
  }
}

/** Requests with which a poll begins. */
const POLL_PATHS = ['/catalogue', '/ledger/checkpoint'];
const NEVER = new Promise<never>(() => {});

/** One request of a page, and its response. */
export class Exchange {
  readonly path: string;
  readonly startMs: number;
  readonly number: number;
  readonly response: Promise<Response>;
  readonly #aborter = new AbortController();
  readonly #ended = Promise.withResolvers<never>();

  constructor(
    private readonly network: Network,
    readonly page: Process,
    readonly url: string,
    { headers, signal }: RequestInit,
  ) {
    this.path = new URL(url).pathname;
    this.startMs = network.scheduler.nowMs;
    this.number = network.count++;
    // Rejected only where something waits for it.
    this.#ended.promise.catch(() => {});
    signal?.addEventListener('abort', () => this.end(signal.reason));
    const request = new Request(url, { headers: headers as Headers, signal: this.#aborter.signal });
    this.response = Promise.race([this.#send(request), this.#ended.promise]);
    this.response.catch(() => this.end());
  }

  /** Ends it for the page and for the service. */
  end(reason: unknown = new TypeError('network error')): void {
    if (!this.network.exchanges.delete(this)) return;
    this.#aborter.abort();
    // Nothing of a page runs once that is gone.
    if (this.page.isDead) return;
    this.#ended.reject(reason);
  }

  async #send(request: Request): Promise<Response> {
    const { network, page } = this;
    const { outage } = network.faults;
    await network.pass(page);
    if (outage === 'silent') return this.#ended.promise;
    if (outage === 'refused' || network.isLost()) throw new TypeError('connection refused');
    const response = await network.service(request).catch(async (cause) => {
      if (page.isDead) await NEVER;
      throw cause;
    });
    await network.pass(page);
    if (network.isLost()) throw new TypeError('connection reset');
    this.network.exchanges.delete(this);
    return response;
  }
}
