import { system, type Timer } from '../../shared/system.ts';
import { getRevisionNumber, type RevisionId } from './api-client.ts';
import { MAX_SILENCE_MS, type StreamSignal } from './listen-for-revisions.ts';
import type { Tab } from './tab.ts';

/** The interval of polls while the service's events do not arrive. */
const POLL_INTERVAL_MS = 5_000;
/** Waits for revisions published together, to read them at once. */
const EVENT_DELAY_MS = 150;

/**
 * Listens to other tabs and, once `ready` resolves, to the service's events; returns a function that stops
 * it.
 */
type Listen = (ready: Promise<void>, onSignal: (signal: StreamSignal) => void) => () => void;

export interface PollResult {
  /** The revision that was read; undefined if the result does not name one. */
  readonly revision?: RevisionId | undefined;
  /** The milliseconds after which to retry; undefined without a failure. */
  readonly retryMs?: number | undefined;
}

/**
 * Polls at the start, after failures, and when a revision is announced that it has not read; at intervals
 * only while it is behind or there is no event stream. Pauses while the tab is hidden.
 */
export class Poller {
  readonly #ended = new AbortController();
  #timer: Timer | undefined;
  readonly #stopListening: () => void;
  #isPolling = false;
  #isRequestedAgain = false;
  #aliveUntilMs = 0;
  /** The newest announced revision, and the newest one that was read completely. */
  #namedRevision: RevisionId | undefined;
  #readRevision: RevisionId | undefined;
  #pollsSinceNamed = 0;
  #dueMs = Number.POSITIVE_INFINITY;

  constructor(
    private readonly tab: Tab,
    private readonly poll: () => Promise<PollResult>,
    listen: Listen,
  ) {
    const { signal } = this.#ended;
    tab.addEventListener('visibilitychange', () => this.scheduleWithin(0), { signal });
    const firstPoll = Promise.withResolvers<void>();
    // Revisions that other tabs name during the first poll may be newer than what it reads. The events wait,
    // because the first responses need the few connections that a browser opens.
    this.#stopListening = listen(firstPoll.promise, (received) => this.#onSignal(received));
    this.#run().then(firstPoll.resolve);
  }

  /** Polls after this delay, unless an earlier poll is planned: browsers may delay timers. */
  scheduleWithin(delayMs: number): void {
    // A poll in progress plans the next one when it ends, perhaps for later.
    if (delayMs === 0) this.#isRequestedAgain = this.#isPolling;
    const dueMs = system.now() + delayMs;
    if (this.#dueMs <= dueMs) return;
    this.#schedule(delayMs, () => this.#run());
    this.#dueMs = dueMs;
  }

  stop(): void {
    this.#ended.abort();
    this.#timer?.cancel();
    this.#stopListening();
  }

  async #run(): Promise<void> {
    this.#isRequestedAgain = this.#isPolling;
    if (this.#isPolling) return;
    this.#isPolling = true;
    const named = this.#namedRevision;
    const { retryMs, revision = named } = await this.poll();
    this.#isPolling = false;
    // This supersedes anything planned in the meantime.
    this.#dueMs = Number.POSITIVE_INFINITY;
    if (retryMs === undefined) this.#readRevision = revision;
    this.#pollsSinceNamed++;
    if (this.#isRequestedAgain) this.scheduleWithin(0);
    else if (retryMs !== undefined) this.scheduleWithin(retryMs);
    else if (this.#namedRevision !== named && this.#isOther()) this.scheduleWithin(EVENT_DELAY_MS);
    else this.#waitForEvent();
  }

  /**
   * Asks a server again that does not have the named revision yet; one that has a later revision, only once.
   */
  #waitForEvent(): void {
    const isUpToDate = () =>
      this.#isAlive() && (!this.#isOther() || (!this.#isBehind() && this.#pollsSinceNamed > 1));
    this.#schedule(POLL_INTERVAL_MS, () => (isUpToDate() ? this.#waitForEvent() : this.#run()));
  }

  #schedule(delayMs: number, next: () => void): void {
    this.#timer?.cancel();
    this.#dueMs = Number.POSITIVE_INFINITY;
    if (this.#isStopped()) return;
    this.#timer = system.setTimeout(() => {
      this.#dueMs = Number.POSITIVE_INFINITY;
      if (!this.tab.isHidden()) next();
    }, delayMs);
  }

  #onSignal(signal: StreamSignal): void {
    const wasAlive = this.#isAlive();
    this.#aliveUntilMs = signal === 'lost' ? 0 : system.now() + MAX_SILENCE_MS;
    if (signal === 'lost') {
      // The next stream may belong to another database, with fewer or equally many revisions.
      this.#namedRevision = undefined;
      this.#readRevision = undefined;
      if (wasAlive || this.#isPolling) this.scheduleWithin(0);
      return;
    }
    const isNew = signal !== this.#namedRevision;
    this.#namedRevision = signal;
    if (isNew) this.#pollsSinceNamed = 0;
    if (isNew && this.#isOther()) this.scheduleWithin(EVENT_DELAY_MS);
  }

  /** A database that replaced another may have fewer revisions than were read. */
  #isOther(): boolean {
    return this.#namedRevision !== undefined && this.#namedRevision !== this.#readRevision;
  }

  #isBehind(): boolean {
    return getRevisionNumber(this.#namedRevision) >= getRevisionNumber(this.#readRevision);
  }

  #isAlive(): boolean {
    return this.#aliveUntilMs > system.now();
  }

  #isStopped(): boolean {
    return this.#ended.signal.aborted;
  }
}
