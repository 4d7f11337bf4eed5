import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ApiClient } from './api-client.ts';
import type { ExplorerState } from './explorer-context.ts';
import { listenForRevisions } from './listen-for-revisions.ts';
import { type Listen, Poller } from './poller.ts';
import {
  isTransient,
  type QueryFailure,
  TOKEN_REJECTED_MESSAGE,
  toQueryFailure,
} from './query-failure.ts';
import { signOut } from './session.ts';
import type { DatasetEntry, RevisionEntry } from './types.ts';

const RETRY_INTERVAL_MS = 1_500;
const PERSISTENT_RETRY_INTERVAL_MS = 5_000;
const PRELOADED_REVISIONS = 1000;

/**
 * Reads the catalogue and the last revisions, again whenever one is published, and tracks whether
 * the service is reachable. The state is undefined until the first response, and not current while
 * another instant loads. `preload` requests what the page needs first besides these.
 */
export function useExplorerState(
  token: string,
  asOf: string | undefined,
  preload: (api: ApiClient) => void,
) {
  const api = useMemo(() => new ApiClient(token, asOf), [token, asOf]);
  const [loaded, setLoaded] = useState<LoadedState>();
  const [failure, setFailure] = useState<QueryFailure>();
  const poller = useRef<Poller>(undefined);
  const reportedFailure = useRef<QueryFailure | undefined>(undefined);

  useEffect(() => {
    let isStopped = false;
    let hadFailure = false;
    setFailure(undefined);
    preload(api);
    const poll = async () => {
      const result = await pollService(api).catch(toQueryFailure);
      if (isStopped) return {};
      const isFailed = 'kind' in result;
      // A failure that a query reported is shown until the next poll, which repeats the query.
      const latestFailure = isFailed ? result : reportedFailure.current;
      if (!isFailed) {
        api.setRevision(result.revision);
        const shouldRefresh = hadFailure || reportedFailure.current !== undefined;
        setLoaded((previous) => mergePolledState(previous, result, shouldRefresh));
      } else if (result.kind === 'unauthorized') signOut(TOKEN_REJECTED_MESSAGE);
      reportedFailure.current = undefined;
      hadFailure = latestFailure !== undefined;
      setFailure(latestFailure);
      const retryMs = latestFailure && getRetryDelay(latestFailure);
      return isFailed || asOf !== undefined ? { retryMs } : { retryMs, revision: result.revision };
    };
    const listen: Listen = (ready, onSignal) => listenForRevisions(api, token, ready, onSignal);
    const started = new Poller(poll, listen);
    poller.current = started;
    return () => {
      isStopped = true;
      started.stop();
    };
  }, [api]);

  const reportFailure = useCallback((reported: QueryFailure) => {
    if (!reportedFailure.current) poller.current?.scheduleWithin(getRetryDelay(reported));
    reportedFailure.current = reported;
    setFailure(reported);
  }, []);
  const state = useMemo(() => loaded && { ...loaded, reportFailure }, [loaded, reportFailure]);
  return { state, isCurrent: loaded?.api === api, failure };
}

type LoadedState = Omit<ExplorerState, 'reportFailure'>;
type PolledState = Omit<LoadedState, 'refreshCount'>;

async function pollService(api: ApiClient): Promise<PolledState> {
  const isCurrent = api.asOf === undefined;
  // Side by side; a failure of both is that of the catalogue.
  const early = isCurrent ? readLedger(api, undefined) : undefined;
  early?.catch(() => {});
  const { data: catalogue, meta } = await api.readUncached<DatasetEntry[]>({ path: '/catalogue' });
  const { revision = 0 } = meta;
  const newest = await early;
  const isRecent = newest !== undefined && (newest.meta.revision ?? 0) >= revision;
  // The ledger is never read as of an instant: later revisions are excluded by number.
  const ledger = isRecent ? newest : await readLedger(api, isCurrent ? undefined : revision + 1);
  const hasOlder = ledger.meta.next !== undefined;
  return { api, catalogue, revision, revisions: ledger.data, hasOlder };
}

function readLedger(api: ApiClient, before: number | undefined) {
  const parameters = { before, limit: PRELOADED_REVISIONS };
  return api.readUncached<RevisionEntry[]>({ path: '/revisions', parameters });
}

/** Returns the same object if nothing was published, so that nothing is rendered again. */
function mergePolledState(
  previous: LoadedState | undefined,
  polled: PolledState,
  shouldRefresh: boolean,
): LoadedState {
  const isNew = previous?.api !== polled.api || previous.revision !== polled.revision;
  if (!isNew && !shouldRefresh) return previous;
  return { ...polled, refreshCount: (previous?.refreshCount ?? 0) + 1 };
}

/** Follows `Retry-After`, within limits. */
function getRetryDelay(failure: QueryFailure): number {
  const minMs = isTransient(failure) ? RETRY_INTERVAL_MS : PERSISTENT_RETRY_INTERVAL_MS;
  return Math.min(Math.max(failure.retryAfterMs ?? 0, minMs), 60_000);
}
