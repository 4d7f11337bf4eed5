import { system, type Timer } from '../../shared/system.ts';
import { getRevisionNumber, type RevisionId } from './api-client.ts';
import { MAX_SILENCE_MS, type StreamSignal } from './listen-for-revisions.ts';
import type { Tab } from './tab.ts';

/** If the service's events do not arrive. */
const POLL_INTERVAL_MS = 5_000;
/** Several revisions at once are read together. */
const EVENT_DELAY_MS = 150;

/** Listens to other tabs, once `ready` to the service's events too; returns what ends it. */
type Listen = (ready: Promise<void>, onSignal: (signal: StreamSignal) => void) => () => void;

export interface PollResult {
  /** The revision that was read; undefined if it does not tell what was published. */
  readonly revision?: RevisionId | undefined;
  /** The milliseconds after which to retry; undefined if nothing has failed. */
  readonly retryMs?: number | undefined;
}

/**
 * Polls at once, after failures, and when another revision is named than it has read: at intervals
 * only while it is behind, or there is no stream of events. Pauses while the tab is hidden.
 */
export class Poller {
  readonly #ended = new AbortController();
  #timer: Timer | undefined;
  readonly #stopListening: () => void;
  #isPolling = false;
  #isRequestedAgain = false;
  #aliveUntilMs = 0;
  /** The newest revision that the last signal named, and the newest of which nothing is missing. */
  #namedRevision: RevisionId | undefined;
  #readRevision: RevisionId | undefined;
  #pollsSinceNamed = 0;
  /** When the poll comes that is planned. */
  #dueMs = Number.POSITIVE_INFINITY;

  constructor(
    private readonly tab: Tab,
    private readonly poll: () => Promise<PollResult>,
    listen: Listen,
  ) {
    const { signal } = this.#ended;
    tab.addEventListener('visibilitychange', () => this.scheduleWithin(0), { signal });
    const firstPoll = Promise.withResolvers<void>();
    // What other tabs name during the first poll may be newer than what that reads. The events wait:
    // the first responses need the few connections that a browser opens.
    this.#stopListening = listen(firstPoll.promise, (received) => this.#onSignal(received));
    this.#run().then(firstPoll.resolve);
  }

  /** Polls after this delay, unless it is to poll earlier: a browser may be late with that. */
  scheduleWithin(delayMs: number): void {
    // At its end, a poll in progress plans the next one, perhaps for later.
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
    // What was planned meanwhile is known here.
    this.#dueMs = Number.POSITIVE_INFINITY;
    if (retryMs === undefined) this.#readRevision = revision;
    this.#pollsSinceNamed++;
    if (this.#isRequestedAgain) this.scheduleWithin(0);
    else if (retryMs !== undefined) this.scheduleWithin(retryMs);
    else if (this.#namedRevision !== named && this.#isOther()) this.scheduleWithin(EVENT_DELAY_MS);
    else this.#waitForEvent();
  }

  /** A server that has not got the named revision yet is asked again; one that has a later one, once. */
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
      // The next stream may be that of another database, which has fewer revisions, or as many.
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

  /** A database that was replaced meanwhile may have fewer revisions than were read. */
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
