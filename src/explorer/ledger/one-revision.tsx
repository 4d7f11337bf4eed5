import { useContext } from 'preact/hooks';
import { Link } from '../address/link.tsx';
import { updateParams, useViewRoute } from '../address/place.ts';
import { EmptyState, QueryView } from '../parts/states.tsx';
import type { ApiRequest } from '../service/api.ts';
import { ExplorerContext } from '../service/service.ts';
import { useQuery } from '../service/use-answer.ts';
import { usePageTitle } from '../shell/titles.ts';
import { RevisionDetail } from './done.tsx';
import { CHANGE_LIMITS, type FullRevision } from './whole-revision.ts';

/** One revision: what it is, what it changed, what it was made from. */
export function RevisionPage({ text }: { readonly text: string }) {
  const { revision: newest, api } = useContext(ExplorerContext);
  const { at } = useViewRoute();
  usePageTitle(`Revision ${text}`);
  const number = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
  const isLater = api.asOf !== undefined && number !== undefined && number > newest;
  const limit = CHANGE_LIMITS.find((step) => String(step) === at.most) ?? CHANGE_LIMITS[0];
  const question: ApiRequest = { path: `/revisions/${number}`, parameters: { limit } };
  const asked = useQuery<FullRevision>(number === undefined || isLater ? undefined : question);
  const isThere = asked.failure?.kind !== 'not_found' && number !== undefined;
  return (
    <>
      <p>
        <Link to="ledger">‹ All revisions</Link>
      </p>
      <h1>Revision {text}</h1>
      {isLater ? (
        <EmptyState title="It was published after the instant that you look at">
          Revision {newest} stood then.{' '}
          <button type="button" onClick={() => updateParams({ asof: undefined })}>
            Back to now
          </button>
        </EmptyState>
      ) : isThere ? (
        <QueryView asked={asked} what={`revision ${text}`}>
          {(revision) => <RevisionDetail revision={revision} question={question} />}
        </QueryView>
      ) : (
        <EmptyState title="There is no such revision">
          Revisions have the numbers from 1 to {newest}. <Link to="ledger">Show all of them</Link>
        </EmptyState>
      )}
    </>
  );
}
