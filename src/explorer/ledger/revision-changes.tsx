import { isNumericField } from '../../catalogue/model/diff-records.ts';
import type { DatasetEntry, FieldInfo, JsonRecord, RevisionEntry } from '../api/types.ts';
import { DataTable, type TableColumn } from '../components/data-table.tsx';
import { Panel } from '../components/panel.tsx';
import { TruncatedList } from '../components/truncated-list.tsx';
import { formatExact, formatNumber, getUnit } from '../formatting/numbers.ts';
import { updateParams } from '../routing/view-route.tsx';
import { RecordChanges, RecordLink } from './record-link.tsx';

/** A revision as `/revisions/{n}` returns it. */
export interface FullRevision extends RevisionEntry {
  readonly report: unknown;
  /** Corrections and retirements first, then additions; the counts are those of all changes. */
  readonly changes: readonly RevisionChange[];
}

interface RevisionChange {
  readonly change: 'corrected' | 'retired' | 'added';
  readonly old: JsonRecord | null;
  readonly new: JsonRecord | null;
}

/** The numbers of changes that the visitor can choose to request. */
export const CHANGE_LIMITS = [100, 1_000, 10_000] as const;

const INITIAL_RECORDS = 60;

export function RevisionChanges(props: { revision: FullRevision; entry: DatasetEntry }) {
  const { revision, entry } = props;
  const { changes, corrected, retired, added } = revision;
  const corrections = changes.flatMap(({ change, old, new: current }) =>
    change === 'corrected' && old && current ? [{ old, new: current }] : [],
  );
  const retiredRecords = changes.flatMap(({ change, old }) =>
    change === 'retired' && old ? [old] : [],
  );
  const addedRecords = changes.flatMap(({ change, new: record }) =>
    change === 'added' && record ? [record] : [],
  );
  return (
    <>
      {corrected > 0 && (
        <Panel title="Corrected" lead="What changed in each record.">
          <TruncatedList
            class="corrected-records"
            items={corrections}
            initialCount={INITIAL_RECORDS}
            renderItem={(correction) => (
              <>
                <h3>
                  <RecordLink entry={entry} record={correction.new} />
                </h3>
                <RecordChanges entry={entry} {...correction} />
              </>
            )}
          />
          {renderTruncationNote(revision, corrections.length, corrected)}
        </Panel>
      )}
      {retired > 0 && (
        <Panel title="Retired" class="records" lead="Retired records, as last published.">
          {renderRecords(entry, retiredRecords, 'Retired records')}
          {renderTruncationNote(revision, retiredRecords.length, retired)}
        </Panel>
      )}
      {added > 0 && (
        <Panel title="Added" class="records" lead="Records that did not exist before.">
          {renderRecords(entry, addedRecords, 'Added records')}
          {renderTruncationNote(revision, addedRecords.length, added)}
        </Panel>
      )}
    </>
  );
}

/** Says how many changes are missing, and how to see them. */
function renderTruncationNote({ changes, dataset }: FullRevision, count: number, total: number) {
  if (count >= total) return null;
  const nextLimit = CHANGE_LIMITS.find((limit) => limit > changes.length);
  return (
    <p class="list-footer">
      The first {formatNumber(count, 0)} of {formatNumber(total, 0)}.{' '}
      {nextLimit === undefined ? (
        <>
          At most 10,000 changes are shown per revision; the whole dataset is at{' '}
          <code>/exports/{dataset}.csv</code>.
        </>
      ) : (
        <button type="button" onClick={() => updateParams({ most: String(nextLimit) })}>
          Show up to {formatNumber(nextLimit, 0)}
        </button>
      )}
    </p>
  );
}

interface RecordRow {
  readonly record: JsonRecord;
  readonly key: string;
}

function renderRecords(entry: DatasetEntry, records: readonly JsonRecord[], caption: string) {
  return (
    <DataTable
      caption={caption}
      columns={createRecordColumns(entry)}
      rows={records.map((record, index): RecordRow => ({ record, key: String(index) }))}
      getRowKey={({ key }) => key}
    />
  );
}

function createRecordColumns(entry: DatasetEntry): TableColumn<RecordRow>[] {
  const keyFields =
    entry.shape === 'quotes' ? ['symbol', 'date'] : ['fund_id', entry.period?.field];
  const otherFields = entry.fields.filter(({ name }) => !keyFields.includes(name));
  return [
    {
      name: 'record',
      title: 'Record',
      isText: true,
      renderCell: ({ record }) => <RecordLink entry={entry} record={record} />,
    },
    ...otherFields.map((field) => ({
      name: field.name,
      title: field.name,
      unit: getUnit(field) || undefined,
      hint: field.meaning,
      isText: !isNumericField(field),
      renderCell: ({ record }: RecordRow) => formatCell(record[field.name], field),
    })),
  ];
}

/** Of a keyed list its figures; of other lists how many entries there are. */
function formatCell(value: unknown, field: FieldInfo): string {
  if (!Array.isArray(value)) return formatExact(value, field);
  const [key, figure] = field.fields ?? [];
  const isKeyed = key && figure && isNumericField(figure) && figure.kind !== 'numbers';
  if (!isKeyed) return `${value.length} entries`;
  return value
    .map((item) => `${item[key.name]} ${formatExact(item[figure.name], figure)} ${getUnit(figure)}`)
    .join(', ');
}
