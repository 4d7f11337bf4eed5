import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Api, apiWith } from './api.ts';
import type { Entry, Revision } from './catalogue.ts';
import type { Service } from './service.ts';
import { signOut } from './session.ts';
import { type Failure, failureOf, isPassing, REFUSED } from './use-answer.ts';
import { type Watch, watch } from './watch.ts';

/** How often it is asked whether something was published, and whether a lost service is back. */
const LOOK_MS = 5_000;
const LOOK_IN_TROUBLE_MS = 1_500;

/** How many revisions are known without being asked for. */
const KNOWN_REVISIONS = 1000;

export interface Connected {
  /** Undefined until the first answer. While another instant is awaited, it is of the last one. */
  readonly service: Service | undefined;
  /** Whether the service is of the instant that is wanted. */
  readonly isCurrent: boolean;
  /** Why the service could not be asked, where that is so. */
  readonly failure: Failure | undefined;
}

/** Keeps in touch with the service: what there is, what is new, and whether it answers at all. */
export function useService(token: string, asOf: string | undefined): Connected {
  const api = useMemo(() => apiWith(token, asOf), [token, asOf]);
  const [known, setKnown] = useState<Known>();
  const [failure, setFailure] = useState<Failure>();
  const watching = useRef<Watch | undefined>(undefined);
  const reported = useRef<Failure | undefined>(undefined);

  useEffect(() => {
    let isOver = false;
    let wasTrouble = false;
    setFailure(undefined);
    const look = async () => {
      const seen = await looked(api).catch(failureOf);
      if (isOver) return LOOK_MS;
      // What questions reported counts until a look has passed without: they were asked again.
      const trouble = 'kind' in seen ? seen : reported.current;
      if ('kind' in seen) {
        if (seen.kind === 'unauthorized') signOut(REFUSED);
      } else {
        const isAnew = wasTrouble || reported.current !== undefined;
        setKnown((before) => next(before, seen, isAnew));
      }
      reported.current = undefined;
      wasTrouble = trouble !== undefined;
      setFailure(trouble);
      return waitAfter(trouble);
    };
    const started = watch(look);
    watching.current = started;
    return () => {
      isOver = true;
      started.stop();
    };
  }, [api]);

  const reportTrouble = useCallback((trouble: Failure) => {
    if (!reported.current) watching.current?.within(waitAfter(trouble));
    reported.current = trouble;
    setFailure(trouble);
  }, []);
  const service = useMemo(() => known && { ...known, reportTrouble }, [known, reportTrouble]);
  return { service, isCurrent: known?.api === api, failure };
}

type Known = Omit<Service, 'reportTrouble'>;
type Seen = Omit<Known, 'turn'>;

async function looked(api: Api): Promise<Seen> {
  const { data: catalogue, meta } = await api.fresh<Entry[]>({ path: '/catalogue' });
  const { revision = 0 } = meta;
  // The ledger tells of the present: what came after the instant is left out by its number.
  const before = api.asOf === undefined ? undefined : revision + 1;
  const parameters = { before, limit: KNOWN_REVISIONS };
  const listed = await api.fresh<Revision[]>({ path: '/revisions', parameters });
  const hasOlder = listed.meta.next !== undefined;
  return { api, catalogue, revision, revisions: listed.data, hasOlder };
}

/** The same as before where nothing was published, so that nothing is drawn anew. */
function next(before: Known | undefined, seen: Seen, isAnew: boolean): Known {
  const isNew = before?.api !== seen.api || before.revision !== seen.revision;
  if (isNew) seen.api.forget();
  else if (!isAnew) return before;
  return { ...seen, turn: (before?.turn ?? 0) + 1 };
}

/** A service that says when it wants to be asked again is asked then. */
function waitAfter(failure: Failure | undefined): number {
  if (!failure || !isPassing(failure)) return LOOK_MS;
  return Math.min(Math.max(failure.retryAfterMs ?? 0, LOOK_IN_TROUBLE_MS), 60_000);
}
