import { useContext } from 'preact/hooks';
import { ExplorerContext } from './explorer-context.ts';
import type { RevisionEntry } from './types.ts';
import { useQuery } from './use-query.ts';

interface LedgerData {
  /** Newest first. */
  readonly revisions: readonly RevisionEntry[];
  /** Whether these are all, from the first. */
  readonly isComplete: boolean;
}

/** Every revision, including the older ones that are not preloaded. */
export function useLedger(): LedgerData {
  const { revisions, hasOlder } = useContext(ExplorerContext);
  const before = hasOlder ? revisions.at(-1)?.revision : undefined;
  const { data: older } = useQuery<readonly RevisionEntry[]>(
    before === undefined
      ? undefined
      : { path: '/revisions', parameters: { before, limit: 10_000 }, allPages: true },
  );
  if (before === undefined) return { revisions, isComplete: true };
  return { revisions: [...revisions, ...(older ?? [])], isComplete: older !== undefined };
}
