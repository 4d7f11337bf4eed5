import type { RevisionEntry } from '../api/types.ts';
import { formatInstantLabel } from '../formatting/dates.ts';
import { Link } from '../routing/link.tsx';

/** Which revision did it, and when: leads to all that it did. */
export function RevisionLink({
  revision,
  publishedAt,
}: Pick<RevisionEntry, 'revision' | 'publishedAt'>) {
  return (
    <>
      <Link view="ledger" params={{ revision: String(revision) }}>
        Revision {revision}
      </Link>{' '}
      <span class="muted">published {formatInstantLabel(publishedAt)}</span>
    </>
  );
}
