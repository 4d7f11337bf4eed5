import { useContext } from 'preact/hooks';
import { ExplorerContext } from '../api/explorer-context.ts';
import type { ApiRequest } from '../api/types.ts';
import { useQuery } from '../api/use-query.ts';
import { EmptyState, QueryView } from '../components/query-view.tsx';
import { usePageTitle } from '../components/use-page-title.ts';
import { Link } from '../routing/link.tsx';
import { updateParams, useViewRoute } from '../routing/view-route.ts';
import { CHANGE_LIMITS, type FullRevision } from './full-revision.ts';
import { RevisionDetail } from './revision-detail.tsx';

/** One revision: what it is, what it changed, what it was made from. */
export function RevisionPage({ text }: { readonly text: string }) {
  const { revision: newest, api } = useContext(ExplorerContext);
  const { params } = useViewRoute();
  usePageTitle(`Revision ${text}`);
  const number = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
  const isLater = api.asOf !== undefined && number !== undefined && number > newest;
  const limit = CHANGE_LIMITS.find((step) => String(step) === params.most) ?? CHANGE_LIMITS[0];
  const request: ApiRequest = { path: `/revisions/${number}`, parameters: { limit } };
  const query = useQuery<FullRevision>(number === undefined || isLater ? undefined : request);
  const exists = query.failure?.kind !== 'not_found' && number !== undefined;
  return (
    <>
      <p>
        <Link view="ledger">‹ All revisions</Link>
      </p>
      <h1>Revision {text}</h1>
      {isLater ? (
        <EmptyState title="It was published after the instant that you look at">
          Revision {newest} stood then.{' '}
          <button type="button" onClick={() => updateParams({ asof: undefined })}>
            Back to current data
          </button>
        </EmptyState>
      ) : exists ? (
        <QueryView query={query} subject={`revision ${text}`}>
          {(revision) => <RevisionDetail revision={revision} question={request} />}
        </QueryView>
      ) : (
        <EmptyState title="There is no such revision">
          Revisions have the numbers from 1 to {newest}. <Link view="ledger">Show all of them</Link>
        </EmptyState>
      )}
    </>
  );
}
