import { useMemo } from 'preact/hooks';
import { useExplorer } from '../api/explorer-context.ts';
import type { CorrectionEntry, DatasetEntry, RevisionEntry } from '../api/types.ts';
import { useQueries } from '../api/use-query.ts';
import { Panel, TruncatedList } from '../components/panel.tsx';
import { RevisionLink } from '../corrections/corrections-panel.tsx';
import { hasOnlyAddedPeriods } from '../corrections/revision-corrections.ts';
import { formatNumber } from '../formatting/numbers.ts';
import { type CorrectionCounts, countExtensions } from './count-extensions.ts';
import { RecordLink } from './record-link.tsx';
import { RecordChanges } from './revision-changes.tsx';

/** The number of corrections examined of each dataset; older ones are not distinguished. */
const MAX_CORRECTIONS = 200;
/** As many datasets are examined, those that were corrected last. */
const MAX_DATASETS = 12;

/** What is known of the corrections of listed revisions. */
export interface LedgerCorrections {
  readonly counts: ReadonlyMap<number, CorrectionCounts>;
  /** Without records that only gained periods. */
  readonly byRevision: ReadonlyMap<number, readonly CorrectionEntry[]>;
}

/** The newest corrections of each dataset, up to the newest of the revisions. */
export function useLedgerCorrections(revisions: readonly RevisionEntry[]) {
  const { catalogue } = useExplorer();
  const changed = revisions.filter(({ corrected, retired }) => corrected + retired > 0);
  const names = [...new Set(changed.map(({ dataset }) => dataset))].slice(0, MAX_DATASETS);
  const entries = names.flatMap((name) => catalogue.filter((entry) => entry.name === name));
  const before = (changed[0]?.revision ?? 0) + 1;
  const query = useQueries<readonly CorrectionEntry[]>(
    entries.map(({ name }) => ({
      path: `/corrections/${name}`,
      parameters: { before, limit: MAX_CORRECTIONS },
    })),
  );
  const corrections = useMemo(
    () => describeCorrections(entries, revisions, query.data ?? []),
    [query.data, revisions[0], revisions.length],
  );
  return { query, corrections };
}

function describeCorrections(
  entries: readonly DatasetEntry[],
  revisions: readonly RevisionEntry[],
  data: readonly (readonly CorrectionEntry[])[],
): LedgerCorrections {
  const counts = entries.flatMap((entry, index) => [
    ...countExtensions(entry, revisions, data[index] ?? []),
  ]);
  const corrections = entries.flatMap((entry, index) =>
    (data[index] ?? []).filter((each) => !hasOnlyAddedPeriods(each, entry)),
  );
  const byRevision = Map.groupBy(corrections, ({ revision }) => revision);
  return { counts: new Map(counts), byRevision };
}

interface CorrectedRecordsPanelProps {
  readonly title: string;
  readonly revisions: readonly RevisionEntry[];
  readonly corrections: LedgerCorrections;
  /** How many records are listed. */
  readonly max?: number | undefined;
}

const INITIAL_RECORDS = 60;

/** The records that revisions corrected or retired, with old and new values. */
export function CorrectedRecordsPanel(props: CorrectedRecordsPanelProps) {
  const { title, revisions, corrections, max } = props;
  const { catalogue } = useExplorer();
  const records = revisions.flatMap((revision) => {
    const entry = catalogue.find(({ name }) => name === revision.dataset);
    const own = corrections.byRevision.get(revision.revision) ?? [];
    return own.flatMap((each) => (entry ? { ...each, entry, published: revision } : []));
  });
  if (records.length === 0) return null;
  return (
    <Panel title={title}>
      <TruncatedList
        class={max === 1 ? undefined : 'corrected-records'}
        items={records.slice(0, max)}
        initialCount={INITIAL_RECORDS}
        renderItem={({ entry, old, new: current, published }) => (
          <>
            <p>
              <b>{entry.title}</b>, <RecordLink entry={entry} record={old} />
              {!current && ': retired'}
            </p>
            {current && <RecordChanges entry={entry} old={old} new={current} />}
            <p class="muted">
              {published.corrected + published.retired > 1 &&
                `One of ${formatNumber(published.corrected + published.retired, 0)} records in `}
              <RevisionLink {...published} />
            </p>
          </>
        )}
      />
    </Panel>
  );
}
