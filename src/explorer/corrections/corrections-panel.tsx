import { useMemo } from 'preact/hooks';
import type { ApiRequest, CorrectionEntry, DatasetEntry, RevisionEntry } from '../api/types.ts';
import { type QueryResult, useQuery } from '../api/use-query.ts';
import { Button } from '../components/button.tsx';
import { QueryView, TruncatedList } from '../components/panel.tsx';
import { ExportPanel } from '../export/export-panel.tsx';
import { formatInstantLabel } from '../formatting/dates.ts';
import { listNames } from '../formatting/list-names.ts';
import { formatDifference, formatPair, getUnit } from '../formatting/numbers.ts';
import { ViewLink } from '../routing/view-route.tsx';
import {
  type CorrectedValue,
  type CorrectionList,
  groupByRevision,
  hasOnlyAddedPeriods,
  type RevisionCorrections,
  type ValueLabel,
} from './revision-corrections.ts';
import { VintageDetails } from './vintage-details.tsx';
import type { VintageSource } from './vintages.ts';

interface CorrectionsPanelProps extends CorrectionsQuery {
  /** Allows charts to show a period. */
  readonly selection?: PeriodSelection;
  /** The source of all published states of a corrected record. */
  readonly vintages?: VintageSource;
}

interface PeriodSelection {
  readonly selected: string | undefined;
  readonly onSelect: (periodKey: string) => void;
}

const INITIAL_REVISIONS = 25;
const INITIAL_PERIODS = 6;

/** Corrections by revision; renders nothing if there are none. */
export function CorrectionsPanel(props: CorrectionsPanelProps) {
  const { request, query, corrections } = props;
  if (corrections.length === 0 && !query.failure && !query.meta?.next) return null;
  return (
    <ExportPanel title="Corrections" exported={{ request }}>
      <QueryView query={query} subject="corrections">
        {() => (
          <>
            <TruncatedList
              class="corrections"
              items={corrections}
              initialCount={INITIAL_REVISIONS}
              renderItem={(revision) => renderRevision(revision, props)}
            />
            {query.meta?.next && (
              <p class="list-footer">
                {corrections.length > 0
                  ? 'These are the newest'
                  : 'None of the newest are shown here'}
                ; <ViewLink view="ledger">the ledger</ViewLink> has all.
              </p>
            )}
          </>
        )}
      </QueryView>
    </ExportPanel>
  );
}

function renderRevision(
  revision: RevisionCorrections,
  { selection, vintages }: Pick<CorrectionsPanelProps, 'selection' | 'vintages'>,
) {
  const { values, added, removed } = revision;
  const periods = [...Map.groupBy(values, ({ period }) => period)].map(([period, changes]) => (
    <>
      <h3>
        {selection ? (
          <Button
            aria-pressed={selection.selected === changes[0]?.periodKey}
            title="Show this day in the charts"
            onClick={() => selection.onSelect(changes[0]?.periodKey ?? '')}
          >
            {period}
          </Button>
        ) : (
          period
        )}
      </h3>
      <ValueChangeList changes={changes} />
      {vintages && <VintageDetails changes={changes} source={vintages} />}
    </>
  ));
  return (
    <>
      <p>
        <RevisionLink {...revision} />
      </p>
      {added.length > 0 && <p>Added: {listNames(added)}.</p>}
      {removed.length > 0 && <p>Retired: {listNames(removed)}.</p>}
      {values.length + added.length + removed.length === 0 && (
        <p>No figures changed; only other fields did.</p>
      )}
      <TruncatedList items={periods} initialCount={INITIAL_PERIODS} renderItem={(each) => each} />
    </>
  );
}

/** Corrections, with the query that they come from. */
interface CorrectionsQuery {
  readonly request: ApiRequest;
  readonly query: QueryResult<unknown>;
  readonly corrections: CorrectionList;
}

const MAX_CORRECTIONS = 200;

const omitExtensions = (entry: DatasetEntry, all: readonly CorrectionEntry[]) =>
  all.filter((each) => !hasOnlyAddedPeriods(each, entry));

/** The newest corrections of a dataset, or of those of its records that the parameters select. */
export function useCorrections(
  entry: DatasetEntry,
  parameters: ApiRequest['parameters'],
  labels?: readonly ValueLabel[],
  select = omitExtensions,
): CorrectionsQuery {
  const request = {
    path: `/corrections/${entry.name}`,
    parameters: { limit: MAX_CORRECTIONS, ...parameters },
  };
  const query = useQuery<readonly CorrectionEntry[]>(request);
  const corrections = useMemo(
    () => groupByRevision(entry, select(entry, query.data ?? []), labels),
    [entry, query.data, labels, select],
  );
  return { request, query, corrections };
}

interface ChangedValue extends Omit<CorrectedValue, 'period' | 'periodKey'> {
  readonly hint?: string;
}

/** A value before and after a correction, with all digits and the difference. */
export function ValueChange({
  old,
  new: current,
  unitInfo,
}: Pick<ChangedValue, 'old' | 'new' | 'unitInfo'>) {
  const pair = formatPair(old, current, unitInfo, true);
  const difference = formatDifference(old, current, unitInfo);
  return (
    <span class="value-change">
      <del>
        <span class="visually-hidden">was </span>
        {pair.old}
      </del>{' '}
      <span aria-hidden="true">→</span>{' '}
      <ins>
        <span class="visually-hidden">is </span>
        {pair.new}
      </ins>{' '}
      {getUnit(unitInfo)}
      {difference && <small class="muted"> ({difference})</small>}
    </span>
  );
}

export function ValueChangeList({ changes }: { readonly changes: readonly ChangedValue[] }) {
  return (
    <dl class="value-changes">
      {changes.map((change) => (
        <div key={change.key}>
          <dt title={change.hint}>{change.title}</dt>
          <dd>
            <ValueChange {...change} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A link to a revision, with when it was published. */
export function RevisionLink(props: Pick<RevisionEntry, 'revision' | 'publishedAt'>) {
  const { revision, publishedAt } = props;
  return (
    <>
      <ViewLink view="ledger" params={{ revision: String(revision) }}>
        Revision {revision}
      </ViewLink>{' '}
      <span class="muted">published {formatInstantLabel(publishedAt)}</span>
    </>
  );
}
