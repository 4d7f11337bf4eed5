import { useContext } from 'preact/hooks';
import { ExplorerContext } from '../api/explorer-context.ts';
import { isServiceDown, type QueryFailure } from '../api/query-failure.ts';
import type { RevisionEntry } from '../api/types.ts';
import { useQuery } from '../api/use-query.ts';
import { formatInstantLabel } from '../formatting/dates.ts';
import { updateParams } from '../routing/view-route.ts';
import { focusView } from './use-focus-management.ts';

/** What is to be known about everything on the page. */
export function NoticeBar({ failure }: { readonly failure: QueryFailure | undefined }) {
  const { api, revisions } = useContext(ExplorerContext);
  const sample = useSampleNotice();
  return (
    <section class="notices" aria-label="Notices">
      {failure && (
        <p class="notice service-down" role="alert">
          {describeFailure(failure)} What you see is what it said last; it is asked again by itself.
        </p>
      )}
      {api.asOf !== undefined && (
        <p class="notice as-of-notice" role="status">
          {describeAsOf(api.asOf, revisions.length === 0)}{' '}
          <button type="button" onClick={returnToNow}>
            Back to now
          </button>
        </p>
      )}
      {api.asOf === undefined && revisions.length === 0 && (
        <p class="notice as-of-notice" role="status">
          <b>Nothing is published yet</b> that this token opens. <code>npx tenor load</code> does
          that; it shows here by itself.
        </p>
      )}
      {sample && (
        <p class="notice sample">
          <b>Sample data.</b> {sample}
        </p>
      )}
    </section>
  );
}

function returnToNow(): void {
  // The button goes away with the past.
  focusView();
  updateParams({ asof: undefined });
}

function describeFailure(failure: QueryFailure): string {
  if (isServiceDown(failure)) return 'The service does not answer.';
  if (failure.kind === 'too_many_requests') return 'This token has asked too often for now.';
  return `The service says: ${failure.message}.`;
}

function describeAsOf(asOf: string, isEmpty: boolean) {
  const instant = formatInstantLabel(asOf);
  if (Date.parse(asOf) > Date.now()) {
    return `${instant} is still to come: until then, everything here is as it stands now.`;
  }
  return isEmpty ? (
    <>
      <b>The past:</b> nothing had been published by {instant}.
    </>
  ) : (
    <>
      <b>The past:</b> everything here is as it stood on {instant}.
    </>
  );
}

/** A sample is the first thing that is published, or nothing: the first revisions tell. */
function useSampleNotice(): string | undefined {
  const { revisions, hasOlder } = useContext(ExplorerContext);
  const first = useQuery<readonly RevisionEntry[]>(hasOlder ? FIRST_REVISIONS_REQUEST : undefined);
  const known = [...revisions, ...(first.data ?? [])];
  if (!known.some(({ sample }) => sample)) return undefined;
  if (!hasOlder && known.every(({ sample }) => sample)) {
    return 'Everything here is made up: no security, fund or figure is real.';
  }
  return 'Some of this may be made up: a sample was published here. The ledger tells which.';
}

const FIRST_REVISIONS_REQUEST = { path: '/revisions', parameters: { before: 101, limit: 100 } };
