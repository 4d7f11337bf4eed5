import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type ApiClient, createApiClient } from './api-client.ts';
import type { ExplorerState } from './explorer-context.ts';
import { type Poller, startPoller } from './poller.ts';
import { signOut } from './session.ts';
import type { DatasetEntry, RevisionEntry } from './types.ts';
import {
  isTransient,
  type QueryFailure,
  TOKEN_REJECTED_MESSAGE,
  toQueryFailure,
} from './use-query.ts';

/** How often it is asked whether something was published, and whether a lost service is back. */
const POLL_INTERVAL_MS = 5_000;
const RETRY_INTERVAL_MS = 1_500;

/** How many revisions are known without being asked for. */
const PRELOADED_REVISIONS = 1000;

export interface ExplorerConnection {
  /** Undefined until the first answer. While another instant is awaited, it is of the last one. */
  readonly service: ExplorerState | undefined;
  /** Whether the service is of the instant that is wanted. */
  readonly isCurrent: boolean;
  /** Why the service could not be asked, where that is so. */
  readonly failure: QueryFailure | undefined;
}

/** Keeps in touch with the service: what there is, what is new, and whether it answers at all. */
export function useExplorerState(token: string, asOf: string | undefined): ExplorerConnection {
  const api = useMemo(() => createApiClient(token, asOf), [token, asOf]);
  const [known, setKnown] = useState<LoadedState>();
  const [failure, setFailure] = useState<QueryFailure>();
  const watching = useRef<Poller | undefined>(undefined);
  const reported = useRef<QueryFailure | undefined>(undefined);

  useEffect(() => {
    let isFinished = false;
    let wasTrouble = false;
    setFailure(undefined);
    const look = async () => {
      const seen = await pollService(api).catch(toQueryFailure);
      if (isFinished) return POLL_INTERVAL_MS;
      // What questions reported counts until a look has passed without: they were asked again.
      const trouble = 'kind' in seen ? seen : reported.current;
      if ('kind' in seen) {
        if (seen.kind === 'unauthorized') signOut(TOKEN_REJECTED_MESSAGE);
      } else {
        const isAnew = wasTrouble || reported.current !== undefined;
        setKnown((before) => mergePolledState(before, seen, isAnew));
      }
      reported.current = undefined;
      wasTrouble = trouble !== undefined;
      setFailure(trouble);
      return getPollDelay(trouble);
    };
    const started = startPoller(look);
    watching.current = started;
    return () => {
      isFinished = true;
      started.stop();
    };
  }, [api]);

  const reportFailure = useCallback((trouble: QueryFailure) => {
    if (!reported.current) watching.current?.scheduleWithin(getPollDelay(trouble));
    reported.current = trouble;
    setFailure(trouble);
  }, []);
  const service = useMemo(() => known && { ...known, reportFailure }, [known, reportFailure]);
  return { service, isCurrent: known?.api === api, failure };
}

type LoadedState = Omit<ExplorerState, 'reportFailure'>;
type PolledState = Omit<LoadedState, 'refreshCount'>;

async function pollService(api: ApiClient): Promise<PolledState> {
  const { data: catalogue, meta } = await api.readUncached<DatasetEntry[]>({ path: '/catalogue' });
  const { revision = 0 } = meta;
  // The ledger tells of the present: what came after the instant is left out by its number.
  const before = api.asOf === undefined ? undefined : revision + 1;
  const parameters = { before, limit: PRELOADED_REVISIONS };
  const listed = await api.readUncached<RevisionEntry[]>({ path: '/revisions', parameters });
  const hasOlder = listed.meta.next !== undefined;
  return { api, catalogue, revision, revisions: listed.data, hasOlder };
}

/** The same as before where nothing was published, so that nothing is drawn anew. */
function mergePolledState(
  before: LoadedState | undefined,
  seen: PolledState,
  isAnew: boolean,
): LoadedState {
  const isNew = before?.api !== seen.api || before.revision !== seen.revision;
  if (isNew) seen.api.clearCache();
  else if (!isAnew) return before;
  return { ...seen, refreshCount: (before?.refreshCount ?? 0) + 1 };
}

/** A service that says when it wants to be asked again is asked then. */
function getPollDelay(failure: QueryFailure | undefined): number {
  if (!failure || !isTransient(failure)) return POLL_INTERVAL_MS;
  return Math.min(Math.max(failure.retryAfterMs ?? 0, RETRY_INTERVAL_MS), 60_000);
}
