import { useViewRoute } from '../routing/view-route.ts';
import { RevisionListPage } from './revision-list-page.tsx';
import { RevisionPage } from './revision-page.tsx';

/** What was published, corrected and retired; with a number in the address, one revision. */
export function LedgerView() {
  const { params } = useViewRoute();
  return params.revision === undefined ? (
    <RevisionListPage />
  ) : (
    <RevisionPage key={params.revision} text={params.revision} />
  );
}
