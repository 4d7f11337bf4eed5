import { useExplorer } from '../api/explorer-context.ts';
import { type ApiRequest, listDatasetOptions, type RevisionEntry } from '../api/types.ts';
import { useQuery } from '../api/use-query.ts';
import { Button } from '../components/button.tsx';
import { DataTable } from '../components/data-table.tsx';
import { EmptyState, ErrorState, LoadingState, QueryView } from '../components/panel.tsx';
import { SegmentedControl } from '../components/segmented-control.tsx';
import { Select } from '../components/select.tsx';
import { usePageTitle } from '../components/use-page-title.ts';
import { ViewHeader } from '../components/view-header.tsx';
import { ExportPanel } from '../export/export-panel.tsx';
import { formatMonthLabel } from '../formatting/dates.ts';
import { formatNumber } from '../formatting/numbers.ts';
import { parseOption } from '../routing/parse-option.ts';
import { updateParams, useViewRoute, ViewLink } from '../routing/view-route.tsx';
import { hasCorrections } from './count-extensions.ts';
import { createRevisionColumns } from './create-revision-columns.tsx';
import {
  CorrectedRecordsPanel,
  type LedgerCorrections,
  useLedgerCorrections,
} from './ledger-corrections.tsx';
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
  const { revisions: newest, hasOlder } = useExplorer();
  const { dataset, kind, author, month, older } = useViewRoute().params;
  const isOlderShown = hasOlder && (older ?? dataset ?? kind ?? author ?? month) !== undefined;
  const parameters = { before: newest.at(-1)?.revision, limit: 10_000 };
  const olderQuery = useQuery<readonly RevisionEntry[]>(
    isOlderShown ? { path: '/revisions', parameters, allPages: true } : undefined,
  );
  const all = [...newest, ...(olderQuery.data ?? [])];
  const revisions = all.filter(
    (each) =>
      each.dataset === (dataset ?? each.dataset) &&
      each.author === (author ?? each.author) &&
      each.publishedAt.startsWith(month ?? ''),
  );
  const { query, corrections } = useLedgerCorrections(revisions);
  const corrected = revisions.filter((each) => hasCorrections(each, corrections.counts));
  const isComplete = !hasOlder || olderQuery.data !== undefined;
  return (
    <>
      <ViewHeader title="Ledger">
        <RevisionFilters revisions={all} />
      </ViewHeader>
      <ExportPanel
        title="What was published"
        class="ledger"
        exported={{ request: { path: '/revisions' } }}
      >
        {query.isLoading && !query.data ? (
          <LoadingState subject="what was corrected" />
        ) : (
          <RevisionList
            rows={kind === 'changes' ? corrected : revisions}
            corrections={corrections}
            isComplete={isComplete}
          />
        )}
        {isOlderShown && (
          <QueryView query={olderQuery} subject="older revisions">
            {() => null}
          </QueryView>
        )}
        {hasOlder && !isOlderShown && (
          <Button onClick={() => updateParams({ older: 'all' })}>Show older ones</Button>
        )}
      </ExportPanel>
      {query.failure && !query.data && <ErrorState failure={query.failure} />}
      <CorrectedRecordsPanel
        title={month ? `What was corrected in ${formatMonth(month)}` : 'Latest correction'}
        revisions={month ? corrected : corrected.slice(0, 1)}
        corrections={corrections}
        max={month ? undefined : 1}
      />
    </>
  );
}

interface RevisionListProps {
  readonly rows: readonly RevisionEntry[];
  readonly corrections: LedgerCorrections;
  readonly isComplete: boolean;
}

function RevisionList({ rows, corrections, isComplete }: RevisionListProps) {
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
        columns={createRevisionColumns(catalogue, corrections)}
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

const REVISION_FILTERS = { all: 'All', changes: 'Corrections and retirements' };

function RevisionFilters({ revisions }: { readonly revisions: readonly RevisionEntry[] }) {
  const { catalogue } = useExplorer();
  const { dataset = '', author = '', month = '', kind } = useViewRoute().params;
  const authors = new Set([...revisions.map((each) => each.author), author].filter(Boolean));
  const months = new Set(revisions.map(({ publishedAt }) => publishedAt.slice(0, 7)));
  return (
    <>
      <Select
        label="Dataset"
        options={[{ key: '', text: 'All datasets' }, ...listDatasetOptions(catalogue)]}
        value={dataset}
        onChange={(key) => updateParams({ dataset: key })}
      />
      <Select
        label="Month"
        options={[
          { key: '', text: 'All months' },
          ...Array.from(months, (key) => ({ key, text: formatMonth(key) })),
        ]}
        value={month}
        onChange={(key) => updateParams({ month: key })}
      />
      {authors.size > 1 && (
        <Select
          label="Author"
          options={[
            { key: '', text: 'All authors' },
            ...Array.from(authors, (key) => ({ key, text: key })),
          ]}
          value={author}
          onChange={(key) => updateParams({ author: key })}
        />
      )}
      <SegmentedControl
        label="Which revisions"
        options={REVISION_FILTERS}
        value={parseOption(REVISION_FILTERS, kind)}
        param="kind"
      />
    </>
  );
}

/** `Jul 2026`. */
const formatMonth = (month: string) =>
  `${formatMonthLabel(new Date(`${month}-01`))} ${month.slice(0, 4)}`;
