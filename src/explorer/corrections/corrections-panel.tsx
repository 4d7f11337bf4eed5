import { type QueryResult, useQuery } from '../api/explorer-context.ts';
import type { ApiRequest, CorrectionEntry, DatasetEntry } from '../api/types.ts';
import { EmptyState, Panel, QueryView } from '../components/panel.tsx';
import { TruncatedList } from '../components/truncated-list.tsx';
import { ExportMenu } from '../export/export-menu.tsx';
import { Link } from '../routing/view-route.tsx';
import {
  groupByRevision,
  type RevisionCorrections,
  type ValueLabel,
} from './revision-corrections.ts';
import { RevisionLink, ValueChangeList } from './value-change.tsx';

interface CorrectionsPanelProps extends CorrectionsQuery {
  readonly title?: string;
  /** Where the charts can show a period. */
  readonly selection?: PeriodSelection;
}

interface PeriodSelection {
  readonly selected: string | undefined;
  readonly onSelect: (periodKey: string) => void;
}

const INITIAL_REVISIONS = 25;
const INITIAL_PERIODS = 6;

export function CorrectionsPanel(props: CorrectionsPanelProps) {
  const { title = 'Corrections', request, query, corrections } = props;
  return (
    <Panel title={title} tools={<ExportMenu request={request} />}>
      <QueryView query={query} subject="corrections">
        {() =>
          corrections.length === 0 ? (
            <EmptyState title="Nothing was corrected">
              All figures are as first published.
            </EmptyState>
          ) : (
            <>
              <TruncatedList
                class="corrections"
                items={corrections}
                initialCount={INITIAL_REVISIONS}
                renderItem={(revision) => renderRevision(revision, props.selection)}
              />
              {query.meta?.next && (
                <p class="list-footer">
                  These are the newest; <Link view="ledger">the ledger</Link> has all.
                </p>
              )}
            </>
          )
        }
      </QueryView>
    </Panel>
  );
}

function renderRevision(revision: RevisionCorrections, selection: PeriodSelection | undefined) {
  const { values, added, removed } = revision;
  const periods = [...Map.groupBy(values, ({ periodKey }) => periodKey)].map(([key, changes]) => (
    <div key={key}>
      <h3>
        {selection ? (
          <button
            type="button"
            aria-pressed={selection.selected === key}
            title="Show this day in the charts"
            onClick={() => selection.onSelect(key)}
          >
            {changes[0]?.period}
          </button>
        ) : (
          changes[0]?.period
        )}
      </h3>
      <ValueChangeList changes={changes} />
    </div>
  ));
  return (
    <>
      <p>
        <RevisionLink {...revision} />
      </p>
      {added.length > 0 && <p>Added: {formatNames(added)}.</p>}
      {removed.length > 0 && <p>Retired: {formatNames(removed)}.</p>}
      {values.length + added.length + removed.length === 0 && (
        <p>No figures changed; only other fields did.</p>
      )}
      {periods.slice(0, INITIAL_PERIODS)}
      {periods.length > INITIAL_PERIODS && (
        <details>
          <summary>and {periods.length - INITIAL_PERIODS} more</summary>
          {periods.slice(INITIAL_PERIODS)}
        </details>
      )}
    </>
  );
}

/** The names, or the first three and how many more there are. */
function formatNames(names: readonly string[]): string {
  if (names.length <= 4) return names.join(', ');
  return `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`;
}

/** The corrections of something, with the query that they come from. */
interface CorrectionsQuery {
  readonly request: ApiRequest;
  readonly query: QueryResult<unknown>;
  readonly corrections: readonly RevisionCorrections[];
}

const MAX_CORRECTIONS = 200;

/** The newest corrections of a dataset, or of those of its records that the parameters select. */
export function useCorrections(
  entry: DatasetEntry,
  parameters: ApiRequest['parameters'],
  labels?: readonly ValueLabel[],
): CorrectionsQuery {
  const request = {
    path: `/corrections/${entry.name}`,
    parameters: { ...parameters, limit: MAX_CORRECTIONS },
  };
  const query = useQuery<readonly CorrectionEntry[]>(request);
  return { request, query, corrections: groupByRevision(entry, query.data ?? [], labels) };
}
