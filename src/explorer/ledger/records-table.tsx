import { isNumericField } from '../../catalogue/model/diff-records.ts';
import type { DatasetEntry, FieldInfo, JsonRecord } from '../api/types.ts';
import { DataTable, type TableColumn } from '../components/data-table.tsx';
import { getUnit } from '../formatting/numbers.ts';
import { formatExact } from '../formatting/value-pair.ts';
import { Link } from '../routing/link.tsx';
import { getRecordSubject } from './record-subject.ts';

interface RecordsTableProps {
  readonly entry: DatasetEntry;
  readonly records: readonly JsonRecord[];
  readonly caption: string;
}

/** Whole records of a dataset as a table. */
export function RecordsTable({ entry, records, caption }: RecordsTableProps) {
  const rows = records.map((record, index) => ({ record, key: String(index) }));
  return (
    <DataTable
      caption={caption}
      columns={createRecordColumns(entry)}
      rows={rows}
      getRowKey={({ key }) => key}
    />
  );
}

interface RecordRow {
  readonly record: JsonRecord;
  readonly key: string;
}

function createRecordColumns(entry: DatasetEntry): TableColumn<RecordRow>[] {
  const told = new Set(
    entry.shape === 'quotes' ? ['symbol', 'date'] : ['fund_id', entry.period?.field],
  );
  const rest = entry.fields.filter(({ name }) => !told.has(name));
  return [
    {
      name: 'record',
      title: 'Record',
      isText: true,
      renderCell: ({ record }) => {
        const { label, view, params } = getRecordSubject(entry, record);
        return (
          <Link view={view} params={params}>
            {label}
          </Link>
        );
      },
    },
    ...rest.map(createFieldColumn),
  ];
}

function createFieldColumn(field: FieldInfo): TableColumn<RecordRow> {
  return {
    name: field.name,
    title: field.name,
    unit: getUnit(field) || undefined,
    hint: field.meaning,
    isText: !isNumericField(field),
    renderCell: ({ record }) => formatCell(record[field.name], field),
  };
}

/** Of a list its figures by key, in few words; of rows and periods how many there are. */
function formatCell(value: unknown, field: FieldInfo): string {
  if (!Array.isArray(value)) return formatExact(value, field);
  const [key, figure] = field.fields ?? [];
  const isPair = key && figure && isNumericField(figure) && figure.kind !== 'numbers';
  if (!isPair) return `${value.length} entries`;
  return value
    .map((each) => `${each[key.name]} ${formatExact(each[figure.name], figure)} ${getUnit(figure)}`)
    .join(', ');
}
