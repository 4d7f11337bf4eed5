import { useContext } from 'preact/hooks';
import { ExplorerContext } from '../api/explorer-context.ts';
import type { ApiRequest } from '../api/types.ts';
import { useQuery } from '../api/use-query.ts';
import { EmptyState, QueryView } from '../components/query-view.tsx';
import { usePageTitle } from '../components/use-page-title.ts';
import { Link } from '../routing/link.tsx';
import { updateParams, useViewRoute } from '../routing/view-route.ts';
import { CHANGE_LIMITS, type FullRevision } from './revision-changes.tsx';
import { RevisionDetail } from './revision-detail.tsx';
import { RevisionListPage } from './revision-list-page.tsx';

/** The list of revisions, or the revision that the URL names. */
export function LedgerView() {
  const { revision } = useViewRoute().params;
  if (revision === undefined) return <RevisionListPage />;
  return <RevisionPage key={revision} name={revision} />;
}

/** The page of a revision; the URL may name one that does not exist. */
function RevisionPage({ name }: { readonly name: string }) {
  const { revision: newest, api } = useContext(ExplorerContext);
  const { params } = useViewRoute();
  usePageTitle(`Revision ${name}`);
  const number = /^[1-9]\d{0,14}$/.test(name) ? Number(name) : undefined;
  const isAfterAsOf = api.asOf !== undefined && number !== undefined && number > newest;
  const limit = CHANGE_LIMITS.find((value) => String(value) === params.most) ?? CHANGE_LIMITS[0];
  const request: ApiRequest = { path: `/revisions/${number}`, parameters: { limit } };
  const query = useQuery<FullRevision>(number === undefined || isAfterAsOf ? undefined : request);
  const exists = query.failure?.kind !== 'not_found' && number !== undefined;
  return (
    <>
      <p>
        <Link view="ledger">‹ All revisions</Link>
      </p>
      <h1>Revision {name}</h1>
      {isAfterAsOf ? (
        <EmptyState title="This revision is newer than the date you are viewing">
          Revision {newest} was current then.{' '}
          <button type="button" onClick={() => updateParams({ asof: undefined })}>
            Back to current data
          </button>
        </EmptyState>
      ) : exists ? (
        <QueryView query={query} subject={`revision ${name}`}>
          {(revision) => <RevisionDetail revision={revision} request={request} />}
        </QueryView>
      ) : (
        <EmptyState title="There is no such revision">
          Revisions have the numbers from 1 to {newest}. <Link view="ledger">Show all of them</Link>
        </EmptyState>
      )}
    </>
  );
}
