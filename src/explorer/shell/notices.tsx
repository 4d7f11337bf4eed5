import { useContext } from 'preact/hooks';
import { go } from '../address/place.ts';
import { instantWords } from '../figures/days.ts';
import type { Revision } from '../service/catalogue.ts';
import { ServiceContext } from '../service/service.ts';
import { type Failure, isAway, useAnswer } from '../service/use-answer.ts';
import { toView } from './focus.ts';

/** What is to be known about everything on the page. */
export function Notices({ failure }: { readonly failure: Failure | undefined }) {
  const { api, revisions } = useContext(ServiceContext);
  const sample = useSampleNotice();
  return (
    <section class="notices" aria-label="Notices">
      {failure && (
        <p class="notice away" role="alert">
          {troubleWords(failure)} What you see is what it said last; it is asked again by itself.
        </p>
      )}
      {api.asOf !== undefined && (
        <p class="notice past" role="status">
          {pastWords(api.asOf, revisions.length === 0)}{' '}
          <button type="button" onClick={toNow}>
            Back to now
          </button>
        </p>
      )}
      {api.asOf === undefined && revisions.length === 0 && (
        <p class="notice past" role="status">
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

function toNow(): void {
  // The button goes away with the past.
  toView();
  go({ asof: undefined });
}

function troubleWords(failure: Failure): string {
  if (isAway(failure)) return 'The service does not answer.';
  if (failure.kind === 'too_many_requests') return 'This token has asked too often for now.';
  return `The service says: ${failure.message}.`;
}

function pastWords(asOf: string, isEmpty: boolean) {
  const instant = instantWords(asOf);
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
  const { revisions, hasOlder } = useContext(ServiceContext);
  const first = useAnswer<readonly Revision[]>(hasOlder ? FIRST_ONES : undefined);
  const known = [...revisions, ...(first.data ?? [])];
  if (!known.some(({ sample }) => sample)) return undefined;
  if (!hasOlder && known.every(({ sample }) => sample)) {
    return 'Everything here is made up: no security, fund or figure is real.';
  }
  return 'Some of this may be made up: a sample was published here. The ledger tells which.';
}

const FIRST_ONES = { path: '/revisions', parameters: { before: 101, limit: 100 } };
