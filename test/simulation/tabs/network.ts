import type { Process, Scheduler } from '../scheduler.ts';

type Service = (request: Request) => Promise<Response>;

/** What happens to requests of a browser. */
export interface NetworkFaults {
  /** Requests, responses and chunks take up to this much longer. */
  maxDelayMs: number;
  /** The part of requests that get lost, on their way or on the way back. */
  lossRate: number;
  /** Requests fail at once, or never end; so do streams. */
  outage: 'none' | 'refused' | 'silent';
  /** Whether the service, or a proxy before it, has `/events`. */
  hasEvents: boolean;
}

const NO_FAULTS: NetworkFaults = { maxDelayMs: 0, lossRate: 0, outage: 'none', hasEvents: true };

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
  /** The request for events that was sent last. */
  lastStream: Exchange | undefined;

  constructor(
    readonly scheduler: Scheduler,
    readonly service: Service,
  ) {}

  /** As `fetch`, called in the process of a page. */
  fetch(page: Process, url: string, init: RequestInit): Promise<Response> {
    const exchange = new Exchange(this, page, url, init);
    this.exchanges.add(exchange);
    if (exchange.isStream) this.lastStream = exchange;
    if (exchange.path === '/catalogue') this.polledMs.set(page, exchange.startMs);
    this.onRequest(exchange);
    return exchange.response;
  }

  /** Breaks all streams off: with an error, or so that nothing more arrives. */
  breakStreams(isNoticed: boolean): void {
    for (const exchange of this.exchanges) exchange.breakOff(isNoticed);
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

const NO_EVENTS = Promise.resolve(new Response('', { status: 404 }));
const NEVER = new Promise<never>(() => {});

/** One request of a page, and its response. */
export class Exchange {
  readonly path: string;
  readonly token: string;
  readonly startMs: number;
  readonly number: number;
  readonly response: Promise<Response>;
  readonly #aborter = new AbortController();
  readonly #ended = Promise.withResolvers<never>();
  #body: ReadableStreamDefaultController<Uint8Array> | undefined;
  #isSilent = false;

  constructor(
    private readonly network: Network,
    readonly page: Process,
    readonly url: string,
    { headers, signal }: RequestInit,
  ) {
    this.path = new URL(url).pathname;
    this.token = new Headers(headers as Headers).get('authorization') ?? '';
    this.startMs = network.scheduler.nowMs;
    this.number = network.count++;
    // Rejected only where something waits for it.
    this.#ended.promise.catch(() => {});
    signal?.addEventListener('abort', () => this.end(signal.reason));
    const request = new Request(url, { headers: headers as Headers, signal: this.#aborter.signal });
    this.response = Promise.race([this.#send(request), this.#ended.promise]);
    this.response.catch(() => this.end());
  }

  get isStream(): boolean {
    return this.path === '/events';
  }

  /** Whether events arrive on it. */
  get isAlive(): boolean {
    return this.#body !== undefined && !this.#isSilent;
  }

  /** Ends it for the page and for the service. */
  end(reason: unknown = new TypeError('network error')): void {
    if (!this.network.exchanges.delete(this)) return;
    this.#aborter.abort();
    // Nothing of a page runs once that is gone.
    if (this.page.isDead) return;
    this.#ended.reject(reason);
    this.#body?.error(reason);
  }

  breakOff(isNoticed: boolean): void {
    if (!this.#body) return;
    if (isNoticed) this.network.scheduler.after(0, 'broken stream', () => this.end(), this.page);
    else this.#isSilent = true;
  }

  async #send(request: Request): Promise<Response> {
    const { network, page } = this;
    const { outage, hasEvents } = network.faults;
    await network.pass(page);
    if (outage === 'silent') return this.#ended.promise;
    if (outage === 'refused' || network.isLost()) throw new TypeError('connection refused');
    const isAnswered = hasEvents || !this.isStream;
    const response = await (isAnswered ? network.service(request) : NO_EVENTS).catch(
      async (cause) => {
        if (page.isDead) await NEVER;
        throw cause;
      },
    );
    await network.pass(page);
    if (network.isLost()) throw new TypeError('connection reset');
    if (this.isStream && response.status === 200) return this.#stream(response);
    this.network.exchanges.delete(this);
    return response;
  }

  #stream({ body, status, headers }: Response): Response {
    const reader = (body as ReadableStream<Uint8Array>).getReader();
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
      const { done, value } = await reader.read().catch((cause) => {
        this.end(cause);
        throw cause;
      });
      if (this.page.isDead) await NEVER;
      await this.network.pass(this.page);
      if (this.#isSilent) await this.#ended.promise;
      if (!this.network.exchanges.has(this)) return;
      if (!done) return controller.enqueue(value);
      this.network.exchanges.delete(this);
      controller.close();
    };
    const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      this.#body = controller;
    };
    const cancel = () => this.end();
    const bytes = new ReadableStream({ start, pull, cancel }, { highWaterMark: 0 });
    return new Response(bytes, { status, headers });
  }
}
