import { useViewRoute } from '../routing/view-route.ts';
import { RevisionListPage } from './revision-list-page.tsx';
import { RevisionPage } from './revision-page.tsx';

/** What was published, corrected and retired; with a number in the address, one revision. */
export function LedgerView() {
  const { at } = useViewRoute();
  return at.revision === undefined ? (
    <RevisionListPage />
  ) : (
    <RevisionPage key={at.revision} text={at.revision} />
  );
}
