import { useExplorer } from '../api/explorer-context.ts';
import { describeFailure, type QueryFailure } from '../api/query-failure.ts';
import { Button } from '../components/button.tsx';
import { findSampleShare, listViewDatasets } from '../export/list-cited-datasets.ts';
import { formatInstantLabel } from '../formatting/dates.ts';
import { updateParams, useViewRoute } from '../routing/view-route.tsx';
import { focusView } from './use-focus-management.ts';

/** Notices about the whole page: an outage, a historical view, sample data in the view. */
export function NoticeBar({ failure }: { readonly failure: QueryFailure | undefined }) {
  const state = useExplorer();
  const { api, revisions } = state;
  const datasets = listViewDatasets(useViewRoute(), state.catalogue);
  const sampleNotice = SAMPLE_NOTICES[findSampleShare(state, datasets)];
  return (
    <section aria-label="Notices">
      {failure && (
        <p class="notice service-down" role="alert">
          {describeFailure(failure)} Showing the last data received; retrying automatically.
        </p>
      )}
      {api.asOf !== undefined && (
        <p class="notice as-of-notice" role="status">
          {describeAsOf(api.asOf, revisions.length === 0)}{' '}
          <Button onClick={showCurrentData}>Back to current data</Button>
        </p>
      )}
      {api.asOf === undefined && revisions.length === 0 && (
        <p class="notice as-of-notice" role="status">
          <b>Nothing is published yet</b> that this token has access to. After{' '}
          <code>npx tenor load</code>, it appears here automatically.
        </p>
      )}
      {sampleNotice && (
        <p class="notice sample">
          <b>Sample data.</b> {sampleNotice}
        </p>
      )}
    </section>
  );
}

function showCurrentData(): void {
  // The clicked button disappears.
  focusView();
  updateParams({ asof: undefined });
}

function describeAsOf(asOf: string, isEmpty: boolean) {
  const instant = formatInstantLabel(asOf);
  if (Date.parse(asOf) > Date.now()) {
    return `${instant} is in the future: until then, this is the current data.`;
  }
  return (
    <>
      <b>Historical view:</b> {isEmpty ? 'nothing had been published by' : 'data as of'} {instant}.
    </>
  );
}

const SAMPLE_NOTICES = {
  none: undefined,
  some: 'Some of this may be made up: see the ledger.',
  all: 'Everything here is made up.',
} as const;
