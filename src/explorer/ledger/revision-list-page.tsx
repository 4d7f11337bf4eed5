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
import { LastCorrectionPanel } from './last-correction-panel.tsx';
import { RevisionsTable } from './revisions-table.tsx';

const PAGE_SIZE = 50;

const REVISION_FILTERS = [
  { key: 'all', text: 'All' },
  { key: 'changes', text: 'Corrections and retirements' },
] as const;

/** The list of revisions, newest first, and what was corrected last. */
export function RevisionListPage() {
  const { catalogue, api, revision } = useContext(ExplorerContext);
  const { params } = useViewRoute();
  const { dataset } = params;
  const isKnown = !dataset || catalogue.some(({ name }) => name === dataset);
  const isOfChanges = params.kind === 'changes';
  // The list tells of the present: what came after the instant is left out by its number.
  const until = api.asOf === undefined ? undefined : revision + 1;
  const request = isOfChanges
    ? createFullListRequest(dataset)
    : createPageRequest(dataset, clampBefore(params.before, until));
  const query = useQuery<readonly RevisionEntry[]>(request);
  return (
    <>
      <h1>Ledger</h1>
      {isKnown && <LastCorrectionPanel dataset={dataset} />}
      <Panel
        title="What was published"
        class="ledger"
        lead="Every publication is a numbered revision. What it replaced or took out is kept."
        tools={
          <>
            <select
              aria-label="Dataset"
              value={dataset ?? ''}
              onChange={(event) =>
                updateParams({ dataset: event.currentTarget.value, before: undefined })
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
              value={isOfChanges ? 'changes' : 'all'}
              onChange={(kind) =>
                updateParams({ kind: kind === 'all' ? undefined : kind, before: undefined })
              }
            />
            <ExportMenu request={request} fileName="revisions" title="Revisions" isTable={false} />
          </>
        }
      >
        <QueryView query={query} subject="revisions">
          {(all) => {
            const known = until === undefined ? all : all.filter((r) => r.revision < until);
            const shown = isOfChanges ? known.filter(hasCorrections) : known;
            return (
              <>
                {shown.length > 0 ? <RevisionsTable rows={shown} /> : <NoRevisions />}
                <Pagination shown={shown} next={query.meta?.next} isOfChanges={isOfChanges} />
              </>
            );
          }}
        </QueryView>
      </Panel>
    </>
  );
}

function createPageRequest(
  dataset: string | undefined,
  before: string | number | undefined,
): ApiRequest {
  return { path: '/revisions', parameters: { dataset, before, limit: PAGE_SIZE } };
}

/** Which of them changed something is not for the service to sort out: all are looked at. */
function createFullListRequest(dataset: string | undefined): ApiRequest {
  return { path: '/revisions', parameters: { dataset, limit: 10_000 }, allPages: true };
}

function hasCorrections({ corrected, retired }: RevisionEntry): boolean {
  return corrected + retired > 0;
}

/** What the address asks for goes to the service as it is, which says so where it makes no sense. */
function clampBefore(before: string | undefined, until: number | undefined) {
  return until !== undefined && !(Number(before) < until) ? until : before;
}

function NoRevisions() {
  const { params } = useViewRoute();
  if (params.dataset || params.kind || params.before) {
    return (
      <EmptyState title="No revision fits these choices">
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
  readonly shown: readonly RevisionEntry[];
  /** Where the service says that it goes on. */
  readonly next: string | undefined;
  readonly isOfChanges: boolean;
}

function Pagination({ shown, next, isOfChanges }: PaginationProps) {
  const { params } = useViewRoute();
  const { before, ...rest } = params;
  const older = next && shown.at(-1)?.revision;
  if (isOfChanges) return <p class="list-footer">{`That is all: ${shown.length}.`}</p>;
  return (
    <p class="list-footer pages">
      {before !== undefined && (
        <Link view="ledger" params={rest}>
          ‹ Newest
        </Link>
      )}
      <span>
        {shown.length > 0 && `Revisions ${shown[0]?.revision} to ${shown.at(-1)?.revision}`}
        {!older && shown.length > 0 && ': there are no older ones'}
      </span>
      {older && (
        <Link view="ledger" params={{ ...rest, before: String(older) }}>
          Older ›
        </Link>
      )}
    </p>
  );
}
