import { useViewRoute } from '../address/place.ts';
import { RevisionListPage } from './list.tsx';
import { RevisionPage } from './one-revision.tsx';

/** What was published, corrected and retired; with a number in the address, one revision. */
export function LedgerView() {
  const { at } = useViewRoute();
  return at.revision === undefined ? (
    <RevisionListPage />
  ) : (
    <RevisionPage key={at.revision} text={at.revision} />
  );
}
