import { Link } from '../address/link.tsx';
import { instantWords } from '../figures/days.ts';
import type { Revision } from '../service/catalogue.ts';

/** Which revision did it, and when: leads to all that it did. */
export function Published({ revision, publishedAt }: Pick<Revision, 'revision' | 'publishedAt'>) {
  return (
    <>
      <Link to="ledger" at={{ revision: String(revision) }}>
        Revision {revision}
      </Link>{' '}
      <span class="quiet">published {instantWords(publishedAt)}</span>
    </>
  );
}
