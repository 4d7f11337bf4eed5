import { useContext } from 'preact/hooks';
import { ExplorerContext } from './explorer-context.ts';
import type { RevisionEntry } from './types.ts';
import { useQuery } from './use-query.ts';

interface LedgerData {
  /** What was published up to the instant that is looked at, newest first. */
  readonly revisions: readonly RevisionEntry[];
  /** Whether that is all of it, from the very first. */
  readonly isComplete: boolean;
}

/** Every revision, however long ago: the older ones are asked for where there are some. */
export function useLedger(): LedgerData {
  const { revisions, hasOlder } = useContext(ExplorerContext);
  const before = hasOlder ? revisions.at(-1)?.revision : undefined;
  const older = useQuery<readonly RevisionEntry[]>(
    before === undefined
      ? undefined
      : { path: '/revisions', parameters: { before, limit: 10_000 }, allPages: true },
  );
  if (before === undefined) return { revisions, isComplete: true };
  return { revisions: [...revisions, ...(older.data ?? [])], isComplete: older.data !== undefined };
}
