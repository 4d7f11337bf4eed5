import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type ApiClient, createApiClient } from './api-client.ts';
import type { ExplorerState } from './explorer-context.ts';
import {
  isTransient,
  type QueryFailure,
  TOKEN_REJECTED_MESSAGE,
  toQueryFailure,
} from './query-failure.ts';
import { signOut } from './session.ts';
import type { DatasetEntry, RevisionEntry } from './types.ts';

const POLL_INTERVAL_MS = 5_000;
const RETRY_INTERVAL_MS = 1_500;
const PRELOADED_REVISIONS = 1000;

/**
 * Polls the service for its catalogue and new revisions, and tracks whether it is reachable. The
 * state is undefined until the first response, and not current while another instant loads.
 */
export function useExplorerState(token: string, asOf: string | undefined) {
  const api = useMemo(() => createApiClient(token, asOf), [token, asOf]);
  const [loaded, setLoaded] = useState<LoadedState>();
  const [failure, setFailure] = useState<QueryFailure>();
  const poller = useRef<ReturnType<typeof startPoller>>(undefined);
  const reportedFailure = useRef<QueryFailure | undefined>(undefined);

  useEffect(() => {
    let isStopped = false;
    let hadFailure = false;
    setFailure(undefined);
    const poll = async () => {
      const result = await pollService(api).catch(toQueryFailure);
      if (isStopped) return POLL_INTERVAL_MS;
      const isFailed = 'kind' in result;
      // A failure that a query reported is shown until the next poll, which repeats the query.
      const latestFailure = isFailed ? result : reportedFailure.current;
      if (!isFailed) {
        const shouldRefresh = hadFailure || reportedFailure.current !== undefined;
        setLoaded((previous) => mergePolledState(previous, result, shouldRefresh));
      } else if (result.kind === 'unauthorized') signOut(TOKEN_REJECTED_MESSAGE);
      reportedFailure.current = undefined;
      hadFailure = latestFailure !== undefined;
      setFailure(latestFailure);
      return getPollDelay(latestFailure);
    };
    const started = startPoller(poll);
    poller.current = started;
    return () => {
      isStopped = true;
      started.stop();
    };
  }, [api]);

  const reportFailure = useCallback((reported: QueryFailure) => {
    if (!reportedFailure.current) poller.current?.scheduleWithin(getPollDelay(reported));
    reportedFailure.current = reported;
    setFailure(reported);
  }, []);
  const state = useMemo(() => loaded && { ...loaded, reportFailure }, [loaded, reportFailure]);
  return { state, isCurrent: loaded?.api === api, failure };
}

type LoadedState = Omit<ExplorerState, 'reportFailure'>;
type PolledState = Omit<LoadedState, 'refreshCount'>;

async function pollService(api: ApiClient): Promise<PolledState> {
  const { data: catalogue, meta } = await api.readUncached<DatasetEntry[]>({ path: '/catalogue' });
  const { revision = 0 } = meta;
  // The ledger is never read as of an instant: later revisions are excluded by number.
  const before = api.asOf === undefined ? undefined : revision + 1;
  const parameters = { before, limit: PRELOADED_REVISIONS };
  const ledger = await api.readUncached<RevisionEntry[]>({ path: '/revisions', parameters });
  const hasOlder = ledger.meta.next !== undefined;
  return { api, catalogue, revision, revisions: ledger.data, hasOlder };
}

/** Returns the same object if nothing was published, so that nothing is rendered again. */
function mergePolledState(
  previous: LoadedState | undefined,
  polled: PolledState,
  shouldRefresh: boolean,
): LoadedState {
  const isNew = previous?.api !== polled.api || previous.revision !== polled.revision;
  if (isNew) polled.api.clearCache();
  else if (!shouldRefresh) return previous;
  return { ...polled, refreshCount: (previous?.refreshCount ?? 0) + 1 };
}

/** Follows `Retry-After`, within limits. */
function getPollDelay(failure: QueryFailure | undefined): number {
  if (!failure || !isTransient(failure)) return POLL_INTERVAL_MS;
  return Math.min(Math.max(failure.retryAfterMs ?? 0, RETRY_INTERVAL_MS), 60_000);
}

/** Calls `poll` now and after as many milliseconds as it returned. Pauses while the tab is hidden. */
function startPoller(poll: () => Promise<number>) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isPolling = false;
  let isStopped = false;
  const run = async () => {
    if (isPolling) return;
    isPolling = true;
    const delayMs = await poll();
    isPolling = false;
    scheduleWithin(delayMs);
  };
  const scheduleWithin = (delayMs: number) => {
    clearTimeout(timer);
    if (!isStopped) timer = setTimeout(() => document.hidden || run(), delayMs);
  };
  const onVisibilityChange = () => scheduleWithin(0);
  document.addEventListener('visibilitychange', onVisibilityChange);
  run();
  return {
    /** Polls again after this delay, instead of when it was planned. */
    scheduleWithin,
    stop() {
      isStopped = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisibilityChange);
    },
  };
}
