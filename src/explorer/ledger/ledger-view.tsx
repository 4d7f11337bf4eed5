import { useViewRoute } from '../routing/view-route.ts';
import { RevisionListPage } from './revision-list-page.tsx';
import { RevisionPage } from './revision-page.tsx';

/** The list of revisions, or the revision that the URL names. */
export function LedgerView() {
  const { revision } = useViewRoute().params;
  if (revision === undefined) return <RevisionListPage />;
  return <RevisionPage key={revision} name={revision} />;
}
