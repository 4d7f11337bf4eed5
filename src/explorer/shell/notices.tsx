import { useContext } from 'preact/hooks';
import { go } from '../address/place.ts';
import { instantWords } from '../figures/days.ts';
import type { Revision } from '../service/catalogue.ts';
import { ServiceContext } from '../service/service.ts';

/** What is to be known about everything on the page. */
export function Notices({ isAway }: { readonly isAway: boolean }) {
  const { api, revisions } = useContext(ServiceContext);
  const sample = sampleNotice(revisions);
  return (
    <div class="notices">
      {isAway && (
        <p class="notice away" role="alert">
          The service does not answer. What you see is what it said last; it is asked again by
          itself.
        </p>
      )}
      {api.asOf !== undefined && (
        <p class="notice past" role="status">
          <b>The past:</b> everything here is as it stood on {instantWords(api.asOf)}.{' '}
          <button type="button" onClick={() => go({ asof: undefined })}>
            Back to now
          </button>
        </p>
      )}
      {sample && (
        <p class="notice sample">
          <b>Sample data.</b> {sample}
        </p>
      )}
    </div>
  );
}

function sampleNotice(revisions: readonly Revision[]): string | undefined {
  if (!revisions.some(({ sample }) => sample)) return undefined;
  if (revisions.every(({ sample }) => sample)) {
    return 'Everything here is made up: no security, fund or figure is real.';
  }
  return 'Some of this is made up: a sample was published before what was loaded. The ledger tells which.';
}
