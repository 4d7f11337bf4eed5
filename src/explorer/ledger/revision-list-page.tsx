import { useContext } from 'preact/hooks';
import { ExplorerContext } from '../api/explorer-context.ts';
import type { ApiRequest, RevisionEntry } from '../api/types.ts';
import { useQuery } from '../api/use-query.ts';
import { Panel } from '../components/panel.tsx';
import { EmptyState, QueryView } from '../components/query-view.tsx';
import { SegmentedControl } from '../components/segmented-control.tsx';
import { ExportMenu } from '../export/export-menu.tsx';
import { Link } from '../routing/link.tsx';
import { updateParams, useViewRoute } from '../routing/view-route.ts';
import { hasCorrections, LastCorrectionPanel } from './last-correction-panel.tsx';
import { RevisionsTable } from './revisions-table.tsx';

const PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 10_000;

/** The list of revisions, newest first, and the latest correction. */
export function RevisionListPage() {
  const { catalogue, api, revision } = useContext(ExplorerContext);
  const { params } = useViewRoute();
  const { dataset } = params;
  const isKnownDataset = !dataset || catalogue.some(({ name }) => name === dataset);
  const isFiltered = params.kind === 'changes';
  // The list itself is always current: an as-of view leaves out later revisions by their number.
  const end = api.asOf === undefined ? Number.POSITIVE_INFINITY : revision + 1;
  const request = createListRequest(params, end);
  const query = useQuery<readonly RevisionEntry[]>(request);
  return (
    <>
      <h1>Ledger</h1>
      {isKnownDataset && <LastCorrectionPanel dataset={dataset} />}
      <Panel
        title="What was published"
        class="ledger"
        lead="Every publication is a numbered revision. What it replaced or retired is kept."
        tools={
          <>
            <RevisionFilters />
            <ExportMenu request={request} />
          </>
        }
      >
        <QueryView query={query} subject="revisions">
          {(revisions) => {
            const rows = revisions.filter(
              (row) => row.revision < end && (!isFiltered || hasCorrections(row)),
            );
            return (
              <>
                {rows.length > 0 ? <RevisionsTable rows={rows} /> : <NoRevisions />}
                {isFiltered ? (
                  <p class="list-footer">{`That is all: ${rows.length}.`}</p>
                ) : (
                  <Pagination rows={rows} next={query.meta?.next} />
                )}
              </>
            );
          }}
        </QueryView>
      </Panel>
    </>
  );
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

const REVISION_FILTERS = [
  { key: 'all', text: 'All' },
  { key: 'changes', text: 'Corrections and retirements' },
] as const;

function RevisionFilters() {
  const { catalogue } = useContext(ExplorerContext);
  const { dataset = '', kind } = useViewRoute().params;
  return (
    <>
      <select
        aria-label="Dataset"
        value={dataset}
        onChange={({ currentTarget }) =>
          updateParams({ dataset: currentTarget.value, before: undefined })
        }
      >
        <option value="">All datasets</option>
        {catalogue.map(({ name, title }) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </select>
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
  const { params } = useViewRoute();
  if (params.dataset || params.kind || params.before) {
    return (
      <EmptyState title="No revision matches these filters">
        <Link view="ledger">Show every revision</Link>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="There are no revisions">
      {params.asof ? (
        <Link view="ledger" params={{ asof: undefined }}>
          Back to current data
        </Link>
      ) : (
        'Whatever is loaded with npx tenor load is listed here.'
      )}
    </EmptyState>
  );
}

interface PaginationProps {
  readonly rows: readonly RevisionEntry[];
  /** The URL of the next page. */
  readonly next: string | undefined;
}

function Pagination({ rows, next }: PaginationProps) {
  const { before, ...params } = useViewRoute().params;
  const older = next && rows.at(-1)?.revision;
  return (
    <p class="list-footer pages">
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
