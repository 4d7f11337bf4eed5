import { useContext } from 'preact/hooks';
import type { Revision } from './catalogue.ts';
import { ServiceContext } from './service.ts';
import { useAnswer } from './use-answer.ts';

interface Ledger {
  /** What was published up to the instant that is looked at, newest first. */
  readonly revisions: readonly Revision[];
  /** Whether that is all of it, from the very first. */
  readonly isWhole: boolean;
}

/** Every revision, however long ago: the older ones are asked for where there are some. */
export function useLedger(): Ledger {
  const { revisions, hasOlder } = useContext(ServiceContext);
  const before = hasOlder ? revisions.at(-1)?.revision : undefined;
  const older = useAnswer<readonly Revision[]>(
    before === undefined
      ? undefined
      : { path: '/revisions', parameters: { before, limit: 10_000 }, whole: true },
  );
  if (before === undefined) return { revisions, isWhole: true };
  return { revisions: [...revisions, ...(older.data ?? [])], isWhole: older.data !== undefined };
}
