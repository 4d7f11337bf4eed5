import { MAX_SILENCE_MS, type StreamSignal } from './listen-for-revisions.ts';

/** Where the service's events do not arrive. */
const POLL_INTERVAL_MS = 5_000;
/** Several revisions at once are read together. */
const EVENT_DELAY_MS = 150;

/** Listens to the service's events; returns a function that ends it. */
export type Listen = (onSignal: (signal: StreamSignal) => void) => () => void;

/**
 * Polls at once, after failures, and when a revision was published: at intervals only while there is
 * no stream of events. Pauses while the tab is hidden.
 */
export class Poller {
  readonly #ended = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stopListening: (() => void) | undefined;
  #isPolling = false;
  #isRequestedAgain = false;
  #aliveUntilMs = 0;

  /** `poll` resolves to the milliseconds after which to retry; undefined if nothing has failed. */
  constructor(
    private readonly poll: () => Promise<number | undefined>,
    private readonly listen: Listen,
  ) {
    const { signal } = this.#ended;
    document.addEventListener('visibilitychange', () => this.scheduleWithin(0), { signal });
    this.#run();
  }

  /** Polls after this delay, instead of when it was planned. */
  scheduleWithin(delayMs: number): void {
    this.#schedule(delayMs, () => this.#run());
  }

  stop(): void {
    this.#ended.abort();
    clearTimeout(this.#timer);
    this.#stopListening?.();
  }

  async #run(): Promise<void> {
    this.#isRequestedAgain = this.#isPolling;
    if (this.#isPolling) return;
    this.#isPolling = true;
    const retryMs = await this.poll();
    this.#isPolling = false;
    // Not before: the first responses need the few connections that a browser opens.
    if (!this.#isStopped()) {
      this.#stopListening ??= this.listen((signal) => this.#onSignal(signal));
    }
    if (this.#isRequestedAgain) this.scheduleWithin(0);
    else if (retryMs === undefined) this.#waitForEvent();
    else this.scheduleWithin(retryMs);
  }

  #waitForEvent(): void {
    this.#schedule(POLL_INTERVAL_MS, () => (this.#isAlive() ? this.#waitForEvent() : this.#run()));
  }

  #schedule(delayMs: number, next: () => void): void {
    clearTimeout(this.#timer);
    if (this.#isStopped()) return;
    this.#timer = setTimeout(() => document.hidden || next(), delayMs);
  }

  #onSignal(signal: StreamSignal): void {
    const wasAlive = this.#isAlive();
    this.#aliveUntilMs = signal === 'lost' ? 0 : Date.now() + MAX_SILENCE_MS;
    if (signal === 'revision') this.scheduleWithin(EVENT_DELAY_MS);
    if (signal === 'lost' && wasAlive) this.scheduleWithin(0);
  }

  #isAlive(): boolean {
    return this.#aliveUntilMs > Date.now();
  }

  #isStopped(): boolean {
    return this.#ended.signal.aborted;
  }
}
