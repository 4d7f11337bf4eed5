import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { type Api, apiWith } from './api.ts';
import type { Entry, Revision } from './catalogue.ts';
import type { Service } from './service.ts';
import { signOut } from './session.ts';
import { type Failure, failureOf, isAway, REFUSED } from './use-answer.ts';

/** How often it is asked whether something was published, and whether a lost service is back. */
const LOOK_MS = 5_000;
const LOOK_WHILE_AWAY_MS = 1_500;

export interface Connected {
  /** Undefined until the first answer. */
  readonly service: Service | undefined;
  readonly failure: Failure | undefined;
  readonly isAway: boolean;
}

interface Known {
  readonly api: Api;
  readonly catalogue: readonly Entry[];
  readonly revisions: readonly Revision[];
  readonly revision: number | undefined;
  readonly turn: number;
}

/** Keeps in touch with the service: what there is, what is new, and whether it answers at all. */
export function useService(token: string, asOf: string | undefined): Connected {
  const api = useMemo(() => apiWith(token, asOf), [token, asOf]);
  const [known, setKnown] = useState<Known>();
  const [failure, setFailure] = useState<Failure>();
  const [away, setAway] = useState(false);

  useEffect(() => {
    let isOver = false;
    let timer: ReturnType<typeof setTimeout>;
    const look = async () => {
      const seen = await looked(api).catch(failureOf);
      if (isOver) return;
      const isGone = 'kind' in seen && isAway(seen);
      if ('kind' in seen) {
        if (seen.kind === 'unauthorized') signOut(REFUSED);
        setFailure(seen);
      } else {
        setKnown((before) => next(before, seen));
        setFailure(undefined);
      }
      setAway(isGone);
      timer = setTimeout(look, isGone ? LOOK_WHILE_AWAY_MS : LOOK_MS);
    };
    look();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
    // Looked at sooner once it is away.
  }, [api, away]);

  const reportAway = useCallback(() => setAway(true), []);
  const service = useMemo(
    () => (known?.api === api ? { ...known, reportAway } : undefined),
    [known, api, reportAway],
  );
  return { service, failure, isAway: away };
}

type Seen = Omit<Known, 'turn'>;

async function looked(api: Api): Promise<Seen> {
  const question = { path: '/catalogue' };
  const { data: catalogue, meta } = await api.fresh<Entry[]>(question);
  const { revision } = meta;
  const all = await api.fresh<Revision[]>({ path: '/revisions', parameters: { limit: 1000 } });
  const until = api.asOf === undefined ? undefined : revision;
  const revisions = all.data.filter((each) => until === undefined || each.revision <= until);
  return { api, catalogue, revisions, revision };
}

/** The same as before where nothing was published, so that nothing is drawn anew. */
function next(before: Known | undefined, seen: Seen): Known {
  const isNew = before?.api !== seen.api || before.revision !== seen.revision;
  if (before && !isNew) return before;
  seen.api.forget();
  return { ...seen, turn: (before?.turn ?? 0) + 1 };
}
