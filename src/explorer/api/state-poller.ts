import { type ApiClient, identifyRevision, type RevisionId } from './api-client.ts';
import { listenForRevisions } from './listen-for-revisions.ts';
import { Poller, type PollResult } from './poller.ts';
import { isTransient, type QueryFailure, toQueryFailure } from './query-failure.ts';
import type { DatasetEntry, RevisionEntry } from './types.ts';

const RETRY_INTERVAL_MS = 1_500;
const PERSISTENT_RETRY_INTERVAL_MS = 5_000;
const PRELOADED_REVISIONS = 1000;
/** After this many polls, the seen revision may be gone, together with its database. */
const MAX_UNAVAILABLE_POLLS = 4;

interface StateListener {
  /** Called after each successful poll; `shouldRefresh` says whether to repeat all queries. */
  onPolled(polled: PolledState, shouldRefresh: boolean): void;
  /** Called with the failure to show, or undefined. */
  onFailure(failure: QueryFailure | undefined): void;
  onTokenRejected(): void;
}

/**
 * Reads the catalogue and the last revisions, again after each publication, and tracks whether the service is
 * reachable.
 */
export class StatePoller {
  #isStopped = false;
  #hadFailure = false;
  #unavailablePolls = 0;
  #reportedFailure: QueryFailure | undefined;
  #first: Awaited<ReturnType<typeof readLedger>> | undefined;
  readonly #poller: Poller;

  constructor(
    private readonly api: ApiClient,
    token: string,
    private readonly listener: StateListener,
  ) {
    api.onOtherRevision = () => this.#poller.scheduleWithin(RETRY_INTERVAL_MS);
    this.#poller = new Poller(
      api.tab,
      () => this.#poll(),
      (ready, onSignal) => listenForRevisions(api, token, ready, onSignal),
    );
  }

  /** Shows a failure of a query until the next poll, which repeats the query. */
  reportFailure(reported: QueryFailure): void {
    if (!this.#reportedFailure) this.#poller.scheduleWithin(getRetryDelay(reported));
    this.#reportedFailure = reported;
    this.listener.onFailure(reported);
  }

  stop(): void {
    this.#isStopped = true;
    this.#poller.stop();
  }

  async #poll(): Promise<PollResult> {
    const result = await this.#readState().catch(toQueryFailure);
    if (this.#isStopped) return {};
    const isFailed = 'kind' in result;
    const latestFailure = isFailed ? result : this.#reportedFailure;
    if (!isFailed) {
      const isNew = this.api.setRevision(result.revisionId, result.version);
      const hadFailure = this.#hadFailure || this.#reportedFailure !== undefined;
      this.listener.onPolled(result, isNew || hadFailure);
    } else if (result.kind === 'unauthorized') this.listener.onTokenRejected();
    const isUnavailable = isFailed && result.kind === 'temporarily_unavailable';
    this.#unavailablePolls = isUnavailable ? this.#unavailablePolls + 1 : 0;
    if (this.#unavailablePolls >= MAX_UNAVAILABLE_POLLS) this.api.forgetSeenRevision();
    this.#reportedFailure = undefined;
    this.#hadFailure = latestFailure !== undefined;
    this.listener.onFailure(latestFailure);
    if (latestFailure) return { retryMs: getRetryDelay(latestFailure) };
    const { revisionId, isMixed } = result as PolledState;
    const retryMs = isMixed ? RETRY_INTERVAL_MS : undefined;
    return { retryMs, revision: this.api.asOf === undefined ? revisionId : undefined };
  }

  /** Reads the first revisions once, because they never change; the poll succeeds even without them. */
  async #readState(): Promise<PolledState> {
    const polled = await pollService(this.api);
    if (!polled.hasOlder) return polled;
    this.#first ??= await readLedger(this.api, 101, 100).catch(() => undefined);
    const firstRevisions = this.#first?.data ?? [];
    return { ...polled, firstRevisions, version: `${polled.version} ${firstRevisions.length}` };
  }
}

export interface LoadedState {
  readonly api: ApiClient;
  readonly catalogue: readonly DatasetEntry[];
  /** The current revision, or the one as of the chosen instant; 0 before the first. */
  readonly revision: number;
  /** The last revisions up to that one, newest first. */
  readonly revisions: readonly RevisionEntry[];
  readonly hasOlder: boolean;
  /** The first 100 revisions, unless `revisions` includes them: a sample is published before other data. */
  readonly firstRevisions: readonly RevisionEntry[];
  /** Increases whenever all queries must be repeated. */
  readonly refreshCount: number;
}

interface PolledState extends Omit<LoadedState, 'refreshCount'> {
  readonly revisionId: RevisionId;
  /** Changes if the catalogue or the ledger is of another revision. */
  readonly version: string;
  /** Whether the ledger is of another revision, from a newer server or another database. */
  readonly isMixed: boolean;
}

async function pollService(api: ApiClient): Promise<PolledState> {
  const isCurrent = api.asOf === undefined;
  // Both at once; if both fail, the failure of the catalogue counts.
  const early = isCurrent ? readLedger(api, undefined) : undefined;
  early?.catch(() => {});
  const request = { path: '/catalogue', allPages: true };
  const { data: catalogue, meta } = await api.readUncached<DatasetEntry[]>(request);
  const { revision = 0 } = meta;
  const newest = await early;
  const isRecent = newest !== undefined && (newest.meta.revision ?? 0) >= revision;
  // The ledger is never read as of an instant: later revisions are excluded by number.
  const ledger = isRecent ? newest : await readLedger(api, isCurrent ? undefined : revision + 1);
  const hasOlder = ledger.meta.next !== undefined;
  const { data: revisions } = ledger;
  const revisionId = identifyRevision(meta);
  // Absent if it belongs to a dataset that the token cannot read.
  const entry = revisions.find((each) => each.revision === revision);
  if (entry && identifyRevision(entry) !== revisionId) api.forgetSeenRevision();
  const isMixed = identifyRevision(isCurrent ? ledger.meta : (entry ?? meta)) !== revisionId;
  const version = `${revisionId} ${revisions[0] && identifyRevision(revisions[0])}`;
  return {
    api,
    catalogue,
    revision,
    revisionId,
    revisions,
    hasOlder,
    firstRevisions: [],
    version,
    isMixed,
  };
}

function readLedger(api: ApiClient, before: number | undefined, limit = PRELOADED_REVISIONS) {
  const parameters = { before, limit };
  return api.readUncached<RevisionEntry[]>({ path: '/revisions', parameters });
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
  const minMs = isTransient(failure) ? RETRY_INTERVAL_MS : PERSISTENT_RETRY_INTERVAL_MS;
  return Math.min(Math.max(failure.retryAfterMs ?? 0, minMs), 60_000);
}
