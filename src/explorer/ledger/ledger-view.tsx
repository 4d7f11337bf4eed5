import { useExplorer } from '../api/explorer-context.ts';
import {
  type ApiRequest,
  type CorrectionEntry,
  listDatasetOptions,
  type RevisionEntry,
} from '../api/types.ts';
import { useQuery } from '../api/use-query.ts';
import { Button } from '../components/button.tsx';
import { DataTable } from '../components/data-table.tsx';
import { EmptyState, LoadingState, Panel, QueryView } from '../components/panel.tsx';
import { SegmentedControl } from '../components/segmented-control.tsx';
import { Select } from '../components/select.tsx';
import { usePageTitle } from '../components/use-page-title.ts';
import { ViewHeader } from '../components/view-header.tsx';
import { formatNumber } from '../formatting/numbers.ts';
import { parseOption } from '../routing/parse-option.ts';
import { updateParams, useViewRoute, ViewLink } from '../routing/view-route.tsx';
import {
  type CorrectionCounts,
  countExtensions,
  hasCorrections,
  MAX_EXAMINED_CORRECTIONS,
} from './count-extensions.ts';
import { createRevisionColumns } from './create-revision-columns.tsx';
import { LastCorrectionPanel } from './last-correction-panel.tsx';
import { type FullRevision, MAX_CHANGES } from './revision-changes.tsx';
import { RevisionDetail } from './revision-detail.tsx';

/** The list of revisions, or the revision that the URL names. */
export function LedgerView() {
  const { revision } = useViewRoute().params;
  if (revision === undefined) return <RevisionListPage />;
  return <RevisionPage key={revision} name={revision} />;
}

/** The page of a revision; the URL may name one that does not exist. */
function RevisionPage({ name }: { readonly name: string }) {
  const { revision: newest, api } = useExplorer();
  const { params } = useViewRoute();
  usePageTitle(`Revision ${name}`);
  const number = /^[1-9]\d{0,14}$/.test(name) ? Number(name) : undefined;
  const isAfterAsOf = api.asOf !== undefined && number !== undefined && number > newest;
  const limit = params.most === undefined ? 100 : MAX_CHANGES;
  const request: ApiRequest = { path: `/revisions/${number}`, parameters: { limit } };
  const query = useQuery<FullRevision>(number === undefined || isAfterAsOf ? undefined : request);
  const exists = query.failure?.kind !== 'not_found' && number !== undefined;
  return (
    <>
      <ViewHeader title={`Revision ${name}`}>
        <ViewLink view="ledger">All revisions</ViewLink>
      </ViewHeader>
      {isAfterAsOf ? (
        <EmptyState title="This revision is newer than the date you are viewing">
          Revision {newest} was current then. Go back to current data above.
        </EmptyState>
      ) : exists ? (
        <QueryView query={query} subject={`revision ${name}`}>
          {(revision) => <RevisionDetail revision={revision} request={request} />}
        </QueryView>
      ) : (
        <EmptyState title="There is no such revision">
          Revisions are numbered from 1 to {newest}.{' '}
          <ViewLink view="ledger">Show all of them</ViewLink>
        </EmptyState>
      )}
    </>
  );
}

/** The newest revisions, which every view reads; older ones are read on request or for a filter. */
function RevisionListPage() {
  const { revisions: newest, hasOlder, revision, api } = useExplorer();
  const { dataset, kind, older } = useViewRoute().params;
  const isOlderShown = hasOlder && (older ?? dataset ?? kind) !== undefined;
  const limit = 10_000;
  // The ledger is never read as of an instant.
  const end = api.asOf === undefined ? undefined : revision + 1;
  const parameters = { before: newest.at(-1)?.revision, limit };
  const olderQuery = useQuery<readonly RevisionEntry[]>(
    isOlderShown ? { path: '/revisions', parameters, allPages: true } : undefined,
  );
  const all = [...newest, ...(olderQuery.data ?? [])];
  const extensions = useExtensions(all);
  const revisions = all.filter((each) => each.dataset === (dataset ?? each.dataset));
  const corrections = revisions.filter((each) => extensions && hasCorrections(each, extensions));
  const [lastCorrection] = corrections;
  const isComplete = !hasOlder || olderQuery.data !== undefined;
  return (
    <>
      <ViewHeader title="Ledger">
        <RevisionFilters />
      </ViewHeader>
      <Panel
        title="What was published"
        class="ledger"
        exported={{
          request: {
            path: '/revisions',
            parameters: { dataset, before: end, limit },
            allPages: true,
          },
          description: kind === 'changes' ? 'Revisions of every kind' : '',
        }}
      >
        {extensions ? (
          <RevisionList
            rows={kind === 'changes' ? corrections : revisions}
            extensions={extensions}
            isComplete={isComplete}
          />
        ) : (
          <LoadingState subject="what was corrected" />
        )}
        {isOlderShown && (
          <QueryView query={olderQuery} subject="older revisions">
            {() => null}
          </QueryView>
        )}
        {hasOlder && !isOlderShown && (
          <Button onClick={() => updateParams({ older: 'all' })}>Show older ones</Button>
        )}
      </Panel>
      {lastCorrection && <LastCorrectionPanel revision={lastCorrection} />}
    </>
  );
}

interface RevisionListProps {
  readonly rows: readonly RevisionEntry[];
  readonly extensions: ReadonlyMap<number, CorrectionCounts>;
  readonly isComplete: boolean;
}

function RevisionList({ rows, extensions, isComplete }: RevisionListProps) {
  const { catalogue, revisions } = useExplorer();
  const { dataset } = useViewRoute().params;
  if (revisions.length === 0) return <p class="muted">There are no revisions.</p>;
  if (rows.length === 0) {
    const isKnown = !dataset || catalogue.some(({ name }) => name === dataset);
    const title = isKnown
      ? 'No revision matches these filters'
      : `This token has no access to “${dataset}”, or there is no such dataset`;
    return !isComplete ? null : (
      <EmptyState title={title}>
        <ViewLink view="ledger">Show every revision</ViewLink>
      </EmptyState>
    );
  }
  return (
    <>
      <DataTable
        caption="Revisions"
        columns={createRevisionColumns(catalogue, extensions)}
        rows={rows}
        getRowKey={({ revision }) => String(revision)}
      />
      <p class="list-footer">
        Revisions {rows[0]?.revision} to {rows.at(-1)?.revision}: {formatNumber(rows.length, 0)}
        {isComplete ? ' in all' : '; there are older ones'}
      </p>
    </>
  );
}

/** Tells records that only gained periods from corrected ones, by revision; undefined while loading. */
function useExtensions(
  revisions: readonly RevisionEntry[],
): Map<number, CorrectionCounts> | undefined {
  const { catalogue } = useExplorer();
  // Only the records of funds hold several periods.
  const entry = catalogue.find(
    ({ shape, name }) =>
      shape === 'fund' &&
      revisions.some(({ dataset, corrected }) => dataset === name && corrected > 0),
  );
  const { data, failure } = useQuery<readonly CorrectionEntry[]>(
    entry && {
      path: `/corrections/${entry.name}`,
      parameters: { limit: MAX_EXAMINED_CORRECTIONS },
    },
  );
  if (entry && data) return countExtensions(entry, revisions, data);
  return entry && !failure ? undefined : new Map();
}

const REVISION_FILTERS = { all: 'All', changes: 'Corrections and retirements' };

function RevisionFilters() {
  const { catalogue } = useExplorer();
  const { dataset = '', kind } = useViewRoute().params;
  return (
    <>
      <Select
        label="Dataset"
        options={[{ key: '', text: 'All datasets' }, ...listDatasetOptions(catalogue)]}
        value={dataset}
        onChange={(key) => updateParams({ dataset: key })}
      />
      <SegmentedControl
        label="Which revisions"
        options={REVISION_FILTERS}
        value={parseOption(REVISION_FILTERS, kind)}
        param="kind"
      />
    </>
  );
}
