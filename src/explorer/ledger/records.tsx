import { Link } from '../address/link.tsx';
import { exactly } from '../differences/writing.ts';
import { isFigure, unitOf } from '../figures/figures.ts';
import { type Column, Table } from '../parts/table.tsx';
import type { AnyRecord, Entry, FieldEntry } from '../service/catalogue.ts';
import { subjectOf } from './subject.ts';

interface RecordsProps {
  readonly entry: Entry;
  readonly records: readonly AnyRecord[];
  readonly caption: string;
}

/** Whole records of a dataset as a table. */
export function Records({ entry, records, caption }: RecordsProps) {
  const rows = records.map((record, place) => ({ record, key: String(place) }));
  return (
    <Table caption={caption} columns={columnsOf(entry)} rows={rows} keyOf={({ key }) => key} />
  );
}

interface Row {
  readonly record: AnyRecord;
  readonly key: string;
}

function columnsOf(entry: Entry): Column<Row>[] {
  const told = new Set(
    entry.shape === 'quotes' ? ['symbol', 'date'] : ['fund_id', entry.period?.field],
  );
  const rest = entry.fields.filter(({ name }) => !told.has(name));
  return [
    {
      name: 'record',
      title: 'Record',
      isText: true,
      cell: ({ record }) => {
        const { words, view, at } = subjectOf(entry, record);
        return (
          <Link to={view} at={at}>
            {words}
          </Link>
        );
      },
    },
    ...rest.map(columnOf),
  ];
}

function columnOf(field: FieldEntry): Column<Row> {
  return {
    name: field.name,
    title: field.name,
    unit: unitOf(field) || undefined,
    hint: field.meaning,
    isText: !isFigure(field),
    cell: ({ record }) => cellOf(record[field.name], field),
  };
}

/** Of a list its figures by key, in few words; of rows and periods how many there are. */
function cellOf(value: unknown, field: FieldEntry): string {
  if (!Array.isArray(value)) return exactly(value, field);
  const [key, figure] = field.fields ?? [];
  const isPair = key && figure && isFigure(figure) && figure.kind !== 'numbers';
  if (!isPair) return `${value.length} entries`;
  return value
    .map((each) => `${each[key.name]} ${exactly(each[figure.name], figure)} ${unitOf(figure)}`)
    .join(', ');
}
