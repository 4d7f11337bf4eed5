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
import { Link, updateParams, useViewRoute } from '../routing/view-route.tsx';
import { RevisionMark } from '../verification/revision-mark.tsx';
import {
  type CorrectionCounts,
  canExtendRecords,
  countExtensions,
  hasCorrections,
} from './count-extensions.ts';
import { createRevisionColumns } from './create-revision-columns.tsx';
import { LastCorrectionPanel } from './last-correction-panel.tsx';
import { CHANGE_LIMITS, type FullRevision } from './revision-changes.tsx';
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
  const limit = CHANGE_LIMITS.find((value) => String(value) === params.most) ?? CHANGE_LIMITS[0];
  const request: ApiRequest = { path: `/revisions/${number}`, parameters: { limit } };
  const query = useQuery<FullRevision>(number === undefined || isAfterAsOf ? undefined : request);
  const exists = query.failure?.kind !== 'not_found' && number !== undefined;
  return (
    <>
      <ViewHeader title={`Revision ${name}`}>
        <Link view="ledger">All revisions</Link>
      </ViewHeader>
      {isAfterAsOf ? (
        <EmptyState title="This revision is newer than the date you are viewing">
          Revision {newest} was current then.{' '}
          <Button onClick={() => updateParams({ asof: undefined })}>Back to current data</Button>
        </EmptyState>
      ) : exists ? (
        <QueryView query={query} subject={`revision ${name}`}>
          {(revision) => (
            <>
              <RevisionMark revision={revision.revision} />
              <RevisionDetail revision={revision} request={request} />
            </>
          )}
        </QueryView>
      ) : (
        <EmptyState title="There is no such revision">
          Revisions have the numbers from 1 to {newest}. <Link view="ledger">Show all of them</Link>
        </EmptyState>
      )}
    </>
  );
}

const PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 10_000;

function RevisionListPage() {
  const { catalogue, api, revision, revisions: newest } = useExplorer();
  const { params } = useViewRoute();
  const isFiltered = params.kind === 'changes';
  // The list itself is always current: an as-of view leaves out later revisions by their number.
  const end = api.asOf === undefined ? Number.POSITIVE_INFINITY : revision + 1;
  const request = createListRequest(params, end);
  const query = useQuery<readonly RevisionEntry[]>(request);
  const extensions = useExtensions(newest);
  const lastCorrection = newest.find(
    (row) =>
      extensions &&
      hasCorrections(row, extensions) &&
      row.dataset === (params.dataset ?? row.dataset),
  );
  return (
    <>
      <ViewHeader title="Ledger">
        <RevisionFilters />
      </ViewHeader>
      <RevisionMark />
      <Panel
        title="What was published"
        class="ledger"
        lead="Every publication is a numbered revision. What it replaced or retired is kept."
        exported={{ request }}
      >
        <QueryView query={query} subject="revisions">
          {(revisions) => {
            if (!extensions) return <LoadingState subject="what was corrected" />;
            const rows = revisions.filter(
              (row) => row.revision < end && (!isFiltered || hasCorrections(row, extensions)),
            );
            return (
              <>
                {rows.length > 0 ? (
                  <DataTable
                    caption="Revisions"
                    columns={createRevisionColumns(catalogue, extensions)}
                    rows={rows}
                    getRowKey={({ revision: number }) => String(number)}
                  />
                ) : (
                  <NoRevisions />
                )}
                {renderPagination(rows, params, query.meta?.next)}
              </>
            );
          }}
        </QueryView>
      </Panel>
      {lastCorrection && <LastCorrectionPanel revision={lastCorrection} />}
    </>
  );
}

/** How many corrections are examined: those of older revisions are not distinguished. */
const MAX_EXAMINED_CORRECTIONS = 200;

/**
 * Tells records that only gained periods from corrected ones, revision by revision; undefined while
 * that loads.
 */
function useExtensions(
  revisions: readonly RevisionEntry[],
): Map<number, CorrectionCounts> | undefined {
  const { catalogue } = useExplorer();
  const entry = catalogue.find(
    (candidate) =>
      canExtendRecords(candidate) &&
      revisions.some(({ dataset, corrected }) => dataset === candidate.name && corrected > 0),
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

function createListRequest(params: Readonly<Record<string, string>>, end: number): ApiRequest {
  const { dataset, kind, before } = params;
  // The service cannot filter by kind of change: the page reads all revisions and filters them.
  if (kind === 'changes') {
    return { path: '/revisions', parameters: { dataset, limit: MAX_PAGE_SIZE }, allPages: true };
  }
  // A cursor that is no number goes to the service, which explains what is wrong with it.
  const isClamped = end !== Number.POSITIVE_INFINITY && !(Number(before) < end);
  const cursor = isClamped ? end : before;
  return { path: '/revisions', parameters: { dataset, before: cursor, limit: PAGE_SIZE } };
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
        onChange={(key) => updateParams({ dataset: key, before: undefined })}
      />
      <SegmentedControl
        label="Which revisions"
        options={REVISION_FILTERS}
        value={kind === 'changes' ? 'changes' : 'all'}
        onChange={(key) =>
          updateParams({ kind: key === 'all' ? undefined : key, before: undefined })
        }
      />
    </>
  );
}

function NoRevisions() {
  const { dataset, kind, before } = useViewRoute().params;
  if (!dataset && !kind && !before) return <p class="muted">There are no revisions.</p>;
  return (
    <EmptyState title="No revision matches these filters">
      <Link view="ledger">Show every revision</Link>
    </EmptyState>
  );
}

function renderPagination(
  rows: readonly RevisionEntry[],
  { before, ...params }: Readonly<Record<string, string>>,
  next: string | undefined,
) {
  if (params.kind === 'changes')
    return <p class="list-footer">{`That is all: ${formatNumber(rows.length, 0)}.`}</p>;
  const older = next && rows.at(-1)?.revision;
  return (
    <p class="list-footer pages row">
      {before !== undefined && (
        <Link view="ledger" params={params}>
          ‹ Newest
        </Link>
      )}
      <span>
        {rows.length > 0 && `Revisions ${rows[0]?.revision} to ${rows.at(-1)?.revision}`}
        {!older && rows.length > 0 && ': there are no older ones'}
      </span>
      {older && (
        <Link view="ledger" params={{ ...params, before: String(older) }}>
          Older ›
        </Link>
      )}
    </p>
  );
}
