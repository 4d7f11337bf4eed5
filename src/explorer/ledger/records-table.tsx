import { isNumericField } from '../../catalogue/model/diff-records.ts';
import type { DatasetEntry, FieldInfo, JsonRecord } from '../api/types.ts';
import { DataTable, type TableColumn } from '../components/data-table.tsx';
import { getUnit } from '../formatting/numbers.ts';
import { formatExact } from '../formatting/value-pair.ts';
import { RecordLink } from './record-link.tsx';

interface RecordsTableProps {
  readonly entry: DatasetEntry;
  readonly records: readonly JsonRecord[];
  readonly caption: string;
}

interface RecordRow {
  readonly record: JsonRecord;
  readonly key: string;
}

/** Whole records of a dataset as a table. */
export function RecordsTable({ entry, records, caption }: RecordsTableProps) {
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
