import { diffRecords, isNumericField } from '../../catalogue/model/diff-records.ts';
import type { RevisionRecord } from '../../client/generated.ts';
import type { DatasetEntry, FieldInfo, JsonRecord } from '../api/types.ts';
import { Button } from '../components/button.tsx';
import { createTextColumn, DataTable, type DataTableColumn } from '../components/data-table.tsx';
import { Panel, TruncatedList } from '../components/panel.tsx';
import { ValueChangeList } from '../corrections/corrections-panel.tsx';
import { getTitle, hasOnlyAddedPeriods } from '../corrections/revision-corrections.ts';
import { formatExact, formatNumber, getUnit } from '../formatting/numbers.ts';
import { updateParams } from '../routing/view-route.tsx';
import { RecordLink } from './record-link.tsx';

/** A revision as `/revisions/{n}` returns it, with the records of its dataset. */
export interface FullRevision extends Omit<RevisionRecord, 'changes'> {
  readonly changes: readonly {
    readonly change: 'corrected' | 'retired' | 'added';
    readonly old: JsonRecord | null;
    readonly new: JsonRecord | null;
  }[];
}

export const MAX_CHANGES = 10_000;

const INITIAL_RECORDS = 60;

interface RevisionChangesProps {
  readonly revision: FullRevision;
  readonly entry: DatasetEntry;
}

export function RevisionChanges(props: RevisionChangesProps) {
  return (
    <>
      {renderChanged(props, 'Corrected')}
      {renderChanged(props, 'Extended')}
      {renderRecords(props, 'Retired')}
      {renderRecords(props, 'Added')}
    </>
  );
}

/** Records with their changes; extended ones have no changes to published values. */
function renderChanged({ revision, entry }: RevisionChangesProps, title: 'Corrected' | 'Extended') {
  const changed = revision.changes.flatMap(({ change, old, new: current }) =>
    change === 'corrected' && old && current ? [{ old, new: current }] : [],
  );
  const records = changed.filter(
    (record) => hasOnlyAddedPeriods(record, entry) === (title === 'Extended'),
  );
  if (records.length === 0) return null;
  return (
    <Panel title={title}>
      <TruncatedList
        class="corrected-records"
        items={records}
        initialCount={INITIAL_RECORDS}
        renderItem={(change) => (
          <>
            <h3>
              <RecordLink entry={entry} record={change.new} />
            </h3>
            <RecordChanges entry={entry} {...change} />
          </>
        )}
      />
      {renderTruncationNote(revision, changed.length, revision.corrected)}
    </Panel>
  );
}

/** The first of the records that were added or retired, as a table. */
function renderRecords({ revision, entry }: RevisionChangesProps, title: 'Retired' | 'Added') {
  const kind = title === 'Retired' ? 'retired' : 'added';
  const total = revision[kind];
  const records = revision.changes.flatMap(({ change, old, new: current }) => {
    const record = current ?? old;
    return change === kind && record ? [record] : [];
  });
  if (total === 0) return null;
  return (
    <Panel title={title} class="records">
      <DataTable
        caption={`${title} records`}
        columns={createRecordColumns(entry)}
        rows={records}
        getRowKey={(record) => entry.key.map((name) => record[name]).join()}
      />
      {renderTruncationNote(revision, records.length, total)}
    </Panel>
  );
}

/** Says how many changes are missing, and how to see them. */
function renderTruncationNote({ changes, dataset }: FullRevision, count: number, total: number) {
  if (count >= total) return null;
  return (
    <p class="list-footer">
      The first {formatNumber(count, 0)} of {formatNumber(total, 0)}.{' '}
      {changes.length < MAX_CHANGES ? (
        <Button onClick={() => updateParams({ most: 'all' })}>
          Show up to {formatNumber(MAX_CHANGES, 0)}
        </Button>
      ) : (
        <>
          The whole dataset is at <code>/exports/{dataset}.csv</code>.
        </>
      )}
    </p>
  );
}

function createRecordColumns(entry: DatasetEntry): DataTableColumn<JsonRecord>[] {
  const keyFields = entry.key;
  const otherFields = entry.fields.filter(({ name }) => !keyFields.includes(name));
  return [
    createTextColumn('record', 'Record', (record) => <RecordLink entry={entry} record={record} />),
    ...otherFields.map((field) => ({
      name: field.name,
      title: field.name,
      unit: getUnit(field) || undefined,
      hint: field.meaning,
      isText: !isNumericField(field),
      renderCell: (record: JsonRecord) => formatCell(record[field.name], field),
    })),
  ];
}

/** The figures of a keyed list; the number of entries of other lists. */
function formatCell(value: unknown, field: FieldInfo): string {
  if (!Array.isArray(value)) return formatExact(value, field);
  const [key, figure] = field.fields ?? [];
  const isKeyed = key && figure && isNumericField(figure) && figure.kind !== 'numbers';
  if (!isKeyed) return `${formatNumber(value.length, 0)} entries`;
  return value
    .map((item) => `${item[key.name]} ${formatExact(item[figure.name], figure)} ${getUnit(figure)}`)
    .join(', ');
}

interface RecordChange {
  readonly old: JsonRecord;
  readonly new: JsonRecord;
}

const INITIAL_VALUES = 12;

/** The differences between two states of a record; folded away if there are many. */
export function RecordChanges(props: RecordChange & { entry: DatasetEntry }) {
  const { entry, old, new: current } = props;
  const changes = diffRecords(entry, old, current).map((difference) => {
    const { name, label: _, unitField, ...values } = difference;
    return { key: name, title: getTitle(difference), hint: name, unitInfo: unitField, ...values };
  });
  const folded = changes.slice(INITIAL_VALUES);
  if (changes.length === 0) return <p class="muted">Only the order of its entries changed.</p>;
  return (
    <>
      <ValueChangeList changes={changes.slice(0, INITIAL_VALUES)} />
      {folded.length > 0 && (
        <details>
          <summary>{folded.length} more of its values</summary>
          <ValueChangeList changes={folded} />
        </details>
      )}
    </>
  );
}
