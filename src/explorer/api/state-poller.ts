import { system, type Timer } from '../../shared/system.ts';
import {
  type ApiClient,
  type Checkpoint,
  getRevisionNumber,
  type RevisionId,
} from './api-client.ts';
import { isTransient, type QueryFailure, toQueryFailure } from './query-failure.ts';
import { type LoadedState, readLedger, readState } from './read-state.ts';
import type { RevisionEntry } from './types.ts';

const POLL_INTERVAL_MS = 5_000;
const RETRY_INTERVAL_MS = 1_500;
/** After this many polls, the seen revision may be gone, together with its database. */
const MAX_UNAVAILABLE_POLLS = 4;

type PolledState = Omit<LoadedState, 'refreshCount'>;

interface StateListener {
  /** Called after each successful read; `shouldRefresh` says whether to repeat all queries. */
  onPolled(polled: PolledState, shouldRefresh: boolean): void;
  /** Called after each poll with the failure to show, or undefined. */
  onFailure(failure: QueryFailure | undefined): void;
  onTokenRejected(): void;
}

/**
 * Reads the state at the start, after failures, and whenever the checkpoint of the ledger names another
 * revision: looked at every five seconds while the tab is visible, and at once when it becomes visible.
 */
export class StatePoller {
  readonly #ended = new AbortController();
  #timer: Timer | undefined;
  #dueMs = Number.POSITIVE_INFINITY;
  #isPolling = false;
  #checkpoint: Checkpoint | undefined;
  /** The revision of the last complete read; undefined to read again. */
  #readRevision: RevisionId | undefined;
  #firstRevisions: readonly RevisionEntry[] | undefined;
  #unavailablePolls = 0;
  #hadFailure = false;
  #reportedFailure: QueryFailure | undefined;

  constructor(
    private readonly api: ApiClient,
    private readonly listener: StateListener,
  ) {
    api.onOtherRevision = () => {
      this.#readRevision = undefined;
      this.#scheduleWithin(RETRY_INTERVAL_MS);
    };
    api.tab.onVisibilityChange(() => this.#scheduleWithin(0), this.#ended.signal);
    this.#run();
  }

  /** Shows a failure of a query until the next poll, which repeats the query. */
  reportFailure(reported: QueryFailure): void {
    if (!this.#reportedFailure) this.#scheduleWithin(getRetryDelay(reported));
    this.#reportedFailure = reported;
    this.listener.onFailure(reported);
  }

  stop(): void {
    this.#ended.abort();
    this.#timer?.cancel();
  }

  /** Polls after this delay, unless an earlier poll is planned. */
  #scheduleWithin(delayMs: number): void {
    const nowMs = system.monotonicNow();
    this.#dueMs = Math.min(this.#dueMs, nowMs + delayMs);
    this.#timer?.cancel();
    // The end of a poll plans the next one.
    if (this.#isPolling || this.#ended.signal.aborted) return;
    this.#timer = system.setTimeout(() => {
      this.#dueMs = Number.POSITIVE_INFINITY;
      if (!this.api.tab.isHidden()) this.#run();
    }, this.#dueMs - nowMs);
  }

  async #run(): Promise<void> {
    this.#isPolling = true;
    const delayMs = await this.#poll();
    this.#isPolling = false;
    this.#scheduleWithin(delayMs);
  }

  /** Returns the delay of the next poll. */
  async #poll(): Promise<number> {
    const failure = await this.#readIfChanged().catch(toQueryFailure);
    if (this.#ended.signal.aborted) return 0;
    if (failure?.kind === 'unauthorized') this.listener.onTokenRejected();
    const isUnavailable = failure?.kind === 'temporarily_unavailable';
    this.#unavailablePolls = isUnavailable ? this.#unavailablePolls + 1 : 0;
    if (this.#unavailablePolls >= MAX_UNAVAILABLE_POLLS) this.api.forgetSeenRevision();
    const shown = failure ?? this.#reportedFailure;
    this.#reportedFailure = undefined;
    this.#hadFailure = shown !== undefined;
    this.listener.onFailure(shown);
    if (shown) return getRetryDelay(shown);
    return this.#readRevision === undefined ? RETRY_INTERVAL_MS : POLL_INTERVAL_MS;
  }

  async #readIfChanged(): Promise<undefined> {
    const { api } = this;
    const isChanged = await this.#isChanged();
    const isDue = isChanged || this.#hadFailure || this.#reportedFailure !== undefined;
    if (!isDue || this.#ended.signal.aborted) return;
    const { revisionId, version, isMixed, ...state } = await readState(api);
    // Read once, because they never change; the poll succeeds even without them.
    if (state.hasOlder)
      this.#firstRevisions ??= (await readLedger(api, 101, 100).catch(() => undefined))?.data;
    if (this.#ended.signal.aborted) return;
    const firstRevisions = (state.hasOlder && this.#firstRevisions) || [];
    const isNew = api.setRevision(revisionId, `${version} ${firstRevisions.length}`);
    const hadFailure = this.#hadFailure || this.#reportedFailure !== undefined;
    const readRevision = api.asOf === undefined ? revisionId : this.#checkpoint?.revision;
    this.#readRevision = isMixed ? undefined : readRevision;
    this.listener.onPolled({ ...state, firstRevisions }, isNew || hadFailure);
  }

  /** Whether the ledger may be of another revision than was read. Without a revision it has no checkpoint. */
  async #isChanged(): Promise<boolean> {
    const { api } = this;
    if (api.asOf === undefined && getRevisionNumber(this.#readRevision) === 0) return true;
    const previous = this.#checkpoint;
    this.#checkpoint = await api.readCheckpoint(previous);
    const { revision } = this.#checkpoint;
    if (revision === this.#readRevision) return false;
    // The server that was read may not have the named revision yet; a later one than named is read once more.
    const isBehind = getRevisionNumber(revision) >= getRevisionNumber(this.#readRevision);
    return isBehind || this.#checkpoint !== previous;
  }
}

/** Returns the same object if nothing was published, to avoid rendering again. */
export function mergePolledState(
  previous: LoadedState | undefined,
  polled: PolledState,
  shouldRefresh: boolean,
): LoadedState {
  if (previous?.api === polled.api && !shouldRefresh) return previous;
  return { ...polled, refreshCount: (previous?.refreshCount ?? 0) + 1 };
}

/** Respects `Retry-After`, within limits. */
function getRetryDelay(failure: QueryFailure): number {
  const minMs = isTransient(failure) ? RETRY_INTERVAL_MS : POLL_INTERVAL_MS;
  return Math.min(Math.max(failure.retryAfterMs ?? 0, minMs), 60_000);
}
