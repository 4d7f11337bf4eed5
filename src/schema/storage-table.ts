import type { AnyRecord, Dataset } from '../catalogue/model/dataset.ts';
import { foldAsciiCase } from './fold-ascii-case.ts';

interface DatasetStorageTable extends StorageTable {
  /** The view with a typed column for each field, for people. */
  readonly view: string;
}

/** How records are stored: their JSON text, and the columns that select a record. */
export interface StorageTable {
  readonly currentTable: string;
  /** Corrected or retired records, with the revisions in which they were current. */
  readonly historyTable: string;
  readonly columns: readonly StorageColumn[];
  /** The columns that identify a record, in the order of responses. */
  readonly key: readonly OrderedColumn[];
  /** The column by which a cluster distributes records; it follows from the key. */
  readonly distributionColumn?: string;
  readonly indexes: Readonly<Record<string, TableIndex>>;
  /** Indexes of the history alone, which revisions do not follow. */
  readonly historyIndexes?: Readonly<Record<string, TableIndex>>;
}

/** An index of both tables, in which the revisions of a record follow the columns. */
export interface TableIndex {
  readonly columns: readonly OrderedColumn[];
  /** Whether current records are indexed without their revision, which each correction changes. */
  readonly omitsRevision?: true;
  /** Columns that are stored in it but not searched, so that reading them needs no table row. */
  readonly included?: readonly string[];
}

interface StorageColumn {
  readonly name: string;
  readonly type: 'text' | 'integer';
  readonly getValue: (record: AnyRecord) => string | number;
}

export interface OrderedColumn {
  readonly column: string;
  readonly isDescending?: true;
}

/** The table of a dataset, memoized because every request needs it. */
export function getStorageTable(dataset: Dataset): DatasetStorageTable {
  const cached = tableCache.get(dataset);
  if (cached) return cached;
  const view = dataset.name.replaceAll('-', '_');
  const names = { view, currentTable: `${view}_now`, historyTable: `${view}_past` };
  const table = { ...names, ...LAYOUT_BY_SHAPE[dataset.shape](dataset) };
  tableCache.set(dataset, table);
  return table;
}

const tableCache = new WeakMap<Dataset, DatasetStorageTable>();

/** The values of a record's columns, in the table's order. */
export function getColumnValues({ columns }: StorageTable, record: AnyRecord): (string | number)[] {
  const values: (string | number)[] = [];
  for (const column of columns) values.push(column.getValue(record));
  return values;
}

/** The values of the key columns, in the order of the key. */
export function getKeyValues(
  { key, columns }: StorageTable,
  record: AnyRecord,
): (string | number)[] {
  return key.map(
    ({ column }) => columns.find(({ name }) => name === column)?.getValue(record) ?? '',
  );
}

type TableLayout = Pick<
  StorageTable,
  'columns' | 'key' | 'distributionColumn' | 'indexes' | 'historyIndexes'
>;

const BY_NEWEST_DATE: OrderedColumn = { column: 'date', isDescending: true };
const BY_SYMBOL: OrderedColumn = { column: 'symbol' };
/**
 * The same order read backwards. Each security gets one quote a day: appended at the end of its
 * quotes they leave pages nearly full, but half empty where the newest one comes first.
 */
const OLDEST_FIRST: readonly OrderedColumn[] = [
  { column: 'date' },
  { column: 'symbol', isDescending: true },
];

const LAYOUT_BY_SHAPE: Record<Dataset['shape'], (dataset: Dataset) => TableLayout> = {
  quotes: () => ({
    columns: [
      createFieldColumn('date'),
      createFieldColumn('symbol'),
      createFoldedColumn('symbol', 'symbol_key'),
      createFoldedColumn('isin', 'isin_key'),
      createFieldColumn('type'),
    ],
    key: [BY_NEWEST_DATE, BY_SYMBOL],
    distributionColumn: 'symbol_key',
    indexes: {
      // With the record, the history of a security is one sequential read.
      by_symbol: {
        columns: [{ column: 'symbol_key' }, ...OLDEST_FIRST],
        included: ['isin_key', 'type', 'record'],
      },
      // Only an ISIN of several symbols is looked up in it.
      by_isin: { columns: [{ column: 'isin_key' }, ...OLDEST_FIRST], omitsRevision: true },
      by_type: { columns: [{ column: 'type' }, BY_NEWEST_DATE, BY_SYMBOL] },
    },
    // Whether any quote of a day was superseded after a revision.
    historyIndexes: { by_date: { columns: [BY_NEWEST_DATE, { column: 'until' }] } },
  }),
  fund: createIdentifierLayout,
  reference: createIdentifierLayout,
  series: ({ period }) => ({
    columns: [
      {
        name: 'place',
        type: 'integer',
        getValue: (record) => period?.kind.toOrdinal(String(record[period.field])) ?? Number.NaN,
      },
    ],
    key: [{ column: 'place', isDescending: true }],
    indexes: {},
  }),
};

/** Records that are identified by their first field, in any letter case. */
function createIdentifierLayout({ fields }: Dataset): TableLayout {
  const [field = ''] = Object.keys(fields);
  const column = `${field.replace(/_id$/, '')}_key`;
  return { columns: [createFoldedColumn(field, column)], key: [{ column }], indexes: {} };
}

function createFieldColumn(field: string): StorageColumn {
  return { name: field, type: 'text', getValue: (record) => String(record[field]) };
}

function createFoldedColumn(field: string, name: string): StorageColumn {
  return { name, type: 'text', getValue: (record) => foldAsciiCase(String(record[field])) };
}
