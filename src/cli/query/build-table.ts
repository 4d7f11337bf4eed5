import { fundAllocation } from '../../catalogue/datasets/fund-allocation.ts';
import { catalogue as shippedDatasets } from '../../catalogue/index.ts';
import type { AnyRecord, Dataset, DatasetRecord } from '../../catalogue/model/dataset.ts';
import type { Field } from '../../catalogue/model/field.ts';
import type { LoadReport } from '../../publish/load/load-report.ts';
import { getKeyFields } from '../../schema/key-fields.ts';
import { isPlainObject } from '../../shared/is-plain-object.ts';
import { collectKeyOrders } from '../../tabular/key-order.ts';
import { createTabularLayout } from '../../tabular/layout.ts';
import { formatReport } from '../format.ts';
import type { TerminalCell, TerminalColumn } from '../terminal/table.ts';
import type { QueryTarget } from './query-target.ts';

/** A response as a table for people. */
export interface QueryTable {
  /** Names and values above the table. */
  readonly attributes: readonly (readonly [name: string, value: TerminalCell])[];
  /** Lines between the attributes and the table. */
  readonly notes?: readonly string[];
  readonly columns: readonly QueryTableColumn[];
  readonly rows: readonly (readonly TerminalCell[])[];
  readonly rowNoun: string;
  /** The time of each row, if each numeric column is a time series. */
  readonly timePoints?: readonly TimePoint[];
}

export interface QueryTableColumn extends TerminalColumn {
  /** Whether 0 means no value: a price without an order, a yield that was not computed. */
  readonly isZeroMissing?: boolean;
}

/** A point in time: consecutive periods have consecutive ordinals. */
export interface TimePoint {
  readonly label: string;
  readonly ordinal: number;
  /** The values of the dimensions, where each combination of them is a time series. */
  readonly series?: string;
}

export function buildTable(
  { dataset, changesDataset }: Pick<QueryTarget, 'dataset' | 'changesDataset'>,
  data: unknown,
): QueryTable {
  if (changesDataset) {
    const versions = data as readonly RecordVersion[];
    return { attributes: [], ...buildVersionTable(changesDataset, versions) };
  }
  if (dataset?.shape === 'fund') return buildFundTable(data);
  if (dataset) return buildDatasetTable(dataset, data as readonly AnyRecord[]);
  const { changes } = data as AnyRecord;
  return Array.isArray(changes) ? buildRevisionTable(data as AnyRecord) : buildGenericTable(data);
}

/** A row for each period, a column for each asset class. */
function buildFundTable(data: unknown): QueryTable {
  const { periods, rows, ...attributes } = data as DatasetRecord<typeof fundAllocation>;
  const { unit } = fundAllocation.fields.rows.itemFields?.values ?? {};
  return {
    attributes: Object.entries(attributes),
    columns: [
      { name: 'period', isKey: true },
      { name: 'date' },
      ...rows.map(({ label }) => ({ name: label, isNumeric: true, ...(unit && { unit }) })),
    ],
    rows: periods.map(({ label, date }, index) => [
      label,
      date,
      ...rows.map(({ values }) => values[index] ?? null),
    ]),
    rowNoun: 'period',
    timePoints: periods.map(({ label }, index) => ({ label, ordinal: -index })),
  };
}

function buildDatasetTable(dataset: Dataset, records: readonly AnyRecord[]): QueryTable {
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
function createRowLayout(dataset: Dataset, records: readonly AnyRecord[]) {
  const orders = collectKeyOrders(dataset, records);
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
function getTimePoints(dataset: Dataset, records: readonly AnyRecord[]): TimePoint[] | undefined {
  const { shape, period, declaration } = dataset;
  if (period) {
    const { field, kind } = period;
    const labels = records.map((record) => String(record[field]));
    // Days without records, such as weekends, are no gaps.
    const days = kind.hasHolidays ? [...new Set(labels)].sort() : undefined;
    const ranks = days && new Map(days.map((label, index) => [label, index]));
    return labels.map((label, index) => ({
      label,
      ordinal: (ranks ? ranks.get(label) : kind.toOrdinal(label)) ?? 0,
      series: (declaration?.dimensions ?? []).map((each) => records[index]?.[each.field]).join(' '),
    }));
  }
  const symbols = new Set(records.map(({ symbol }) => String(symbol).toLowerCase()));
  if (shape !== 'quotes' || symbols.size !== 1) return undefined;
  return records.map(({ date }, index) => ({ label: String(date), ordinal: -index }));
}

/** A revision, the report of its load, and the old and new versions of its records. */
function buildRevisionTable({ changes, report, ...entry }: AnyRecord): QueryTable {
  const attributes = flattenObject(entry);
  const notes = formatReport(report as Partial<LoadReport>);
  const dataset = shippedDatasets.find(({ name }) => name === entry.dataset);
  type Change = { change: string; old: AnyRecord | null; new: AnyRecord | null };
  const versions = (changes as readonly Change[]).flatMap(({ change, old, new: current }) => {
    const isCorrection = old !== null && current !== null;
    return [
      ...(old ? [{ change: isCorrection ? `${change} from` : change, record: old }] : []),
      ...(current ? [{ change: isCorrection ? `${change} to` : change, record: current }] : []),
    ];
  });
  if (!dataset) {
    const rows = versions.map(({ change, record }) => ({ change, ...record }));
    return { ...buildGenericTable(rows), attributes, notes };
  }
  return { attributes, notes, ...buildVersionTable(dataset, versions) };
}

/** A record, and what happened to it. */
interface RecordVersion {
  readonly change: string;
  readonly record: AnyRecord;
}

function buildVersionTable(dataset: Dataset, versions: readonly RecordVersion[]) {
  const records = versions.map(({ record }) => record);
  const { columns, toRows } = createRowLayout(dataset, records);
  return {
    columns: [{ name: 'change', isKey: true }, ...columns],
    rows: versions.flatMap(({ change, record }) =>
      toRows(record).map((cells) => [change, ...cells]),
    ),
    rowNoun: 'row',
  };
}

/** Any data as a table: a list as rows, an object as attributes. */
function buildGenericTable(data: unknown): QueryTable {
  const rowNoun = 'record';
  if (!Array.isArray(data))
    return { attributes: flattenObject(data as AnyRecord), columns: [], rows: [], rowNoun };
  const records = data.flatMap(expandPoints).map((item) => new Map(flattenObject(item)));
  const paths = [...new Set(records.flatMap((record) => [...record.keys()]))];
  // A field that is an object in some records and null in others has the columns of the object.
  const names = new Set(
    paths.flatMap((path) => {
      const nested = paths.filter((other) => other.startsWith(`${path}.`));
      return nested.length > 0 ? nested : [path];
    }),
  );
  const rows = records.map((record) => [...names].map((name) => record.get(name) ?? null));
  const columns = [...names].map((name, index) => ({
    name,
    isKey: index === 0,
    isNumeric: hasOnlyNumbers(rows.flatMap((cells) => cells[index] ?? [])),
  }));
  return { attributes: [], columns, rows, rowNoun };
}

/** A curve has a row for each of its points, as in CSV. */
function expandPoints(item: AnyRecord): readonly AnyRecord[] {
  const { points, parameters, leftOut, usedSymbols, fit, reason, ...curve } = item;
  if (!Array.isArray(points)) return [item];
  return points.map((point: AnyRecord) => ({ ...curve, ...point, fit }));
}

const hasOnlyNumbers = (cells: readonly TerminalCell[]) =>
  cells.length > 0 && cells.every((cell) => typeof cell === 'number');

/** The values of an object; nested ones are named `outer.inner`. */
function flattenObject(object: AnyRecord, prefix = ''): [name: string, value: TerminalCell][] {
  return Object.entries(object).flatMap(([name, value]): [string, TerminalCell][] => {
    if (isPlainObject(value)) return flattenObject(value, `${prefix}${name}.`);
    const cell = Array.isArray(value) ? formatList(value) : (value as TerminalCell);
    return [[`${prefix}${name}`, cell]];
  });
}

/** A list in one cell, as text if its items are simple, else as JSON. */
function formatList(list: readonly unknown[]): TerminalCell {
  if (list.length === 0) return null;
  const texts = list.flatMap(formatListItem);
  return texts.length === list.length ? texts.join(', ') : JSON.stringify(list);
}

/** The text of an item: its name, or its values unless they are nested. */
function formatListItem(item: unknown): string[] {
  if (typeof item !== 'object' || item === null) return [String(item)];
  if ('name' in item) return [String(item.name)];
  const values = Object.values(item);
  return values.some((value) => typeof value === 'object') ? [] : [values.join(' ')];
}
