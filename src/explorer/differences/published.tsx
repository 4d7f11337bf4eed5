import { Link } from '../address/link.tsx';
import { formatInstantLabel } from '../figures/days.ts';
import type { RevisionEntry } from '../service/catalogue.ts';

/** Which revision did it, and when: leads to all that it did. */
export function RevisionLink({
  revision,
  publishedAt,
}: Pick<RevisionEntry, 'revision' | 'publishedAt'>) {
  return (
    <>
      <Link to="ledger" at={{ revision: String(revision) }}>
        Revision {revision}
      </Link>{' '}
      <span class="quiet">published {formatInstantLabel(publishedAt)}</span>
    </>
  );
}
