import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import type { Field } from '../../catalogue/model/field.ts';
import { getKeyFields } from '../../schema/key-fields.ts';
import { collectKeys, createKeyOrders } from '../../tabular/key-order.ts';
import { createTabularLayout } from '../../tabular/layout.ts';
import type { TerminalCell } from '../terminal/table.ts';
import type { QueryTable, QueryTableColumn, TimePoint } from './query-table.ts';

export function buildDatasetTable(dataset: Dataset, records: readonly AnyRecord[]): QueryTable {
  const { columns, toRows } = createRowLayout(dataset, records);
  const rows = records.flatMap(toRows);
  const timePoints = getTimePoints(dataset, records);
  const table = { attributes: [], columns, rows, rowNoun: 'record' };
  if (!timePoints) return table;
  return { ...(rows.length > 1 ? hoistConstantColumns(table) : table), timePoints };
}

/** Turns text columns with one value, such as the ISIN of a security, into attributes. */
function hoistConstantColumns(table: QueryTable): QueryTable {
  const { columns, rows } = table;
  const [first = []] = rows;
  const isConstant = columns.map(
    ({ isNumeric }, index) => !isNumeric && rows.every((cells) => cells[index] === first[index]),
  );
  const omitConstants = <T>(list: readonly T[]) => list.filter((_, index) => !isConstant[index]);
  return {
    ...table,
    attributes: columns.flatMap(({ name }, index) =>
      isConstant[index] ? [[name, first[index] ?? null]] : [],
    ),
    columns: omitConstants(columns),
    rows: rows.map(omitConstants),
  };
}

/** The columns of records of a dataset, and their conversion to rows. */
export function createRowLayout(dataset: Dataset, records: readonly AnyRecord[]) {
  const orders = createKeyOrders(dataset);
  for (const record of records) collectKeys(orders, record);
  const layout = createTabularLayout(dataset, orders);
  // The columns with the order of a list are only needed in files that are loaded again.
  const indexes = layout.columns.flatMap(({ name }, index) => (orders.has(name) ? [] : [index]));
  const keys = getKeyFields(dataset);
  const columns = indexes.map((index): QueryTableColumn => {
    const { name = '', type } = layout.columns[index] ?? {};
    const { unit, kind } = findColumnField(dataset, name) ?? {};
    return {
      name,
      isNumeric: type === 'number' || type === 'integer',
      isKey: keys.includes(name),
      ...(unit !== undefined && { unit }),
      isZeroMissing: dataset.shape === 'quotes' && (kind === 'price' || kind === 'percent'),
    };
  });
  const toRows = (record: AnyRecord): TerminalCell[][] =>
    layout.toRows(record).map((cells) => indexes.map((index) => cells[index] ?? null));
  return { columns, toRows };
}

/** The field of a column; that of a keyed list is named `field.key`. */
function findColumnField({ fields }: Dataset, column: string): Field | undefined {
  const [name = '', ...key] = column.split('.');
  return key.length > 0 ? fields[name]?.itemFields?.value : fields[name];
}

/** The times of a series, or of the quotes of one security; undefined for other records. */
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
