import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import type { Field } from '../../catalogue/model/field.ts';
import { getKeyFields } from '../../schema/key-fields.ts';
import { collectKeys, createKeyOrders } from '../../tabular/key-order.ts';
import { createTabularLayout } from '../../tabular/layout.ts';
import type { TerminalCell } from '../terminal/table.ts';
import type { QueryTable, QueryTableColumn, TimePoint } from './query-table.ts';

/** Records of a dataset as a table; what a series or one security has in common stands above it. */
export function buildDatasetTable(dataset: Dataset, records: readonly AnyRecord[]): QueryTable {
  const { columns, toRows } = createRowLayout(dataset, records);
  const rows = records.flatMap(toRows);
  const times = getTimePoints(dataset, records);
  const sheet = {
    attributes: [],
    columns,
    rows,
    rowNoun: 'record',
    ...(times && { timePoints: times }),
  };
  return times && rows.length > 1 ? hoistConstantColumns(sheet) : sheet;
}

/** Words that are the same in every row, such as the ISIN of one security, are said above it. */
function hoistConstantColumns(sheet: QueryTable): QueryTable {
  const { columns, rows } = sheet;
  const [first = []] = rows;
  const isSame = columns.map(
    ({ isNumeric }, index) => !isNumeric && rows.every((cells) => cells[index] === first[index]),
  );
  const rest = <T>(list: readonly T[]) => list.filter((_, at) => !isSame[at]);
  return {
    ...sheet,
    attributes: columns.flatMap(({ name }, at) => (isSame[at] ? [[name, first[at] ?? null]] : [])),
    columns: rest(columns),
    rows: rows.map(rest),
  };
}

/** How records of a dataset become rows of one table. */
export function createRowLayout(dataset: Dataset, records: readonly AnyRecord[]) {
  const orders = createKeyOrders(dataset);
  for (const record of records) collectKeys(orders, record);
  const form = createTabularLayout(dataset, orders);
  // What a list says beside its columns, such as its order, is for files that are loaded again.
  const places = form.columns.flatMap(({ name }, index) => (orders.has(name) ? [] : [index]));
  const keys = getKeyFields(dataset);
  const columns = places.map((at): QueryTableColumn => {
    const { name = '', type } = form.columns[at] ?? {};
    const { unit, kind } = findColumnField(dataset, name) ?? {};
    return {
      name,
      isNumeric: type === 'number' || type === 'integer',
      isKey: keys.includes(name),
      ...(unit !== undefined && { unit }),
      isZeroMissing: dataset.shape === 'quotes' && (kind === 'price' || kind === 'percent'),
    };
  });
  const rowsOf = (record: AnyRecord): TerminalCell[][] =>
    form.toRows(record).map((cells) => places.map((at) => cells[at] ?? null));
  return { columns, toRows: rowsOf };
}

/** The field that a column is about; behind a point stands the key of a list. */
function findColumnField({ fields }: Dataset, column: string): Field | undefined {
  const [name = '', ...key] = column.split('.');
  return key.length > 0 ? fields[name]?.itemFields?.value : fields[name];
}

/** A series is one in time; so are the quotes of one security, on the days that it has. */
function getTimePoints(
  { shape, period }: Dataset,
  records: readonly AnyRecord[],
): TimePoint[] | undefined {
  if (period) {
    return records.map((record) => {
      const label = String(record[period.field]);
      return { label, ordinal: period.kind.toOrdinal(label) ?? 0 };
    });
  }
  const symbols = new Set(records.map(({ symbol }) => String(symbol).toLowerCase()));
  if (shape !== 'quotes' || symbols.size !== 1) return undefined;
  return records.map(({ date }, index) => ({ label: String(date), ordinal: -index }));
}
