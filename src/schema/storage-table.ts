import type { AnyRecord, Dataset } from '../catalogue/model/dataset.ts';
import { NORMAL_STATUS, type ObservationStatus } from '../catalogue/model/observation-status.ts';

interface DatasetStorageTable extends StorageTable {
  /** The view with a typed column for each field, for people to query. */
  readonly view: string;
  /** The tables as created, with the columns of all datasets that share them. */
  readonly tables: TablePair;
}

/** A table of current records and one of their history, for one dataset or several. */
export interface TablePair {
  readonly currentTable: string;
  /** Corrected or retired records, with the revisions in which they were current. */
  readonly historyTable: string;
  readonly columns: readonly TableColumn[];
  /** The column that tells apart the datasets that share the tables; every index begins with it. */
  readonly datasetColumn?: string;
  /** The columns that identify a record of a dataset, in the order of responses. */
  readonly key: readonly OrderedColumn[];
  /** The column by which a cluster distributes records; derived from the key. */
  readonly distributionColumn?: string;
  readonly indexes: Readonly<Record<string, TableIndex>>;
  /** Indexes of the history alone, without trailing revision columns. */
  readonly historyIndexes?: Readonly<Record<string, TableIndex>>;
}

export interface TableColumn {
  readonly name: string;
  readonly type: 'text' | 'integer';
  /** The value of rows that have none. */
  readonly defaultText?: string;
}

/** How the records of a dataset are stored: their JSON text, and the columns that select a record. */
export interface StorageTable extends Omit<TablePair, 'indexes' | 'historyIndexes'> {
  readonly columns: readonly StorageColumn[];
  /** Columns with the same value in all rows of the dataset, which find them in shared tables. */
  readonly fixed: readonly FixedColumn[];
  /** The other key columns of shared tables, empty in all rows of the dataset. */
  readonly unusedKey?: readonly FixedColumn[];
  /** Whether the last column is the observation status, which is no part of the record. */
  readonly hasStatus?: true;
  readonly getDistributionValue?: (key: RecordKey) => string;
}

type RecordKey = readonly (string | number)[];

interface FixedColumn {
  readonly name: string;
  /** A name of a dataset, which needs no quoting in SQL. */
  readonly value: string;
}

/** An index of both tables, in which a record's revisions follow the columns. */
export interface TableIndex {
  readonly columns: readonly OrderedColumn[];
  /** Whether current records are indexed without their revision, which each correction changes. */
  readonly omitsRevision?: true;
  /** Columns stored in the index but not searched, so that reading them needs no table row. */
  readonly included?: readonly string[];
  /**
   * The column whose length decides whether an entry has room for the included columns, on an engine that
   * limits the size of entries; without it, that engine includes none.
   */
  readonly lengthColumn?: string;
}

interface StorageColumn extends TableColumn {
  readonly getValue: (record: AnyRecord, status?: string) => string | number;
}

export interface OrderedColumn {
  readonly column: string;
  readonly isDescending?: true;
}

/** The table of a dataset, memoized because every request needs it. */
export function getStorageTable(dataset: Dataset): DatasetStorageTable {
  const cached = tableCache.get(dataset);
  if (cached) return cached;
  const table = buildStorageTable(dataset, dataset.name.replaceAll('-', '_'));
  tableCache.set(dataset, table);
  return table;
}

function buildStorageTable(dataset: Dataset, view: string): DatasetStorageTable {
  return { ...BUILD_BY_SHAPE[dataset.shape](dataset, view), view };
}

const BUILD_BY_SHAPE: Record<
  Dataset['shape'],
  (dataset: Dataset, view: string) => Omit<DatasetStorageTable, 'view'>
> = {
  quotes: (_, view) => buildQuoteTable(view),
  series: buildObservationTable,
  fund: buildRecordTable,
  reference: buildRecordTable,
};

/** The pairs of tables of some datasets, each once. */
export function listTablePairs(datasets: readonly Dataset[]): TablePair[] {
  return [...new Set(datasets.map((dataset) => getStorageTable(dataset).tables))];
}

/** The tables of a dataset by name; those of series for a declared dataset. */
export function findTablePair(shipped: readonly Dataset[], name: string): TablePair {
  const dataset = shipped.find((each) => each.name === name);
  return dataset ? getStorageTable(dataset).tables : OBSERVATIONS;
}

const tableCache = new WeakMap<Dataset, DatasetStorageTable>();

/** The values of a record's columns, in the table's order. */
export function getColumnValues(
  { columns }: StorageTable,
  record: AnyRecord,
  status?: ObservationStatus,
): (string | number)[] {
  const values: (string | number)[] = [];
  for (const column of columns) values.push(column.getValue(record, status));
  return values;
}

/** The status of a row of a table, given the values of its columns. */
export function getStatus(
  { hasStatus }: StorageTable,
  values: readonly (string | number)[],
): string {
  return hasStatus ? String(values.at(-1)) : NORMAL_STATUS;
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

const BY_NEWEST_DATE: OrderedColumn = { column: 'date', isDescending: true };
const BY_SYMBOL: OrderedColumn = { column: 'symbol' };
/**
 * The same order read backwards. Each security gets one quote a day: appending at the end of its quotes
 * leaves pages nearly full, but they would be half empty if the newest quote came first.
 */
const OLDEST_FIRST: readonly OrderedColumn[] = [
  { column: 'date' },
  { column: 'symbol', isDescending: true },
];

function buildQuoteTable(name: string): Omit<DatasetStorageTable, 'view'> {
  const columns = [
    createFieldColumn('date'),
    createFieldColumn('symbol'),
    createFoldedColumn('symbol', 'symbol_key'),
    createFoldedColumn('isin', 'isin_key'),
    createFieldColumn('type'),
  ];
  const tables: TablePair = {
    currentTable: `${name}_now`,
    historyTable: `${name}_past`,
    columns,
    key: [BY_NEWEST_DATE, BY_SYMBOL],
    distributionColumn: 'symbol_key',
    indexes: {
      // With the record included, the history of a security is one sequential read.
      by_symbol: {
        columns: [{ column: 'symbol_key' }, ...OLDEST_FIRST],
        included: ['isin_key', 'type', 'record'],
        lengthColumn: 'symbol_key',
      },
      // Used only for an ISIN of several symbols.
      by_isin: { columns: [{ column: 'isin_key' }, ...OLDEST_FIRST], omitsRevision: true },
      by_type: { columns: [{ column: 'type' }, BY_NEWEST_DATE, BY_SYMBOL] },
    },
    // Finds whether any quote of a day was superseded after a revision.
    historyIndexes: { by_date: { columns: [BY_NEWEST_DATE, { column: 'until' }] } },
  };
  const getDistributionValue = ([, symbol]: RecordKey) => foldAsciiCase(String(symbol));
  return { ...tables, columns, fixed: [], getDistributionValue, tables };
}

const BY_NEWEST_PERIOD: OrderedColumn = { column: 'place', isDescending: true };
const MAX_DIMENSIONS = 8;
const DIMENSIONS = nameColumns('dimension', MAX_DIMENSIONS);

/** No dataset name contains it. Two series with the same key are merely on the same node. */
const SERIES_KEY_SEPARATOR = '|';
/** Indexes have each dimension value and this key, and limited room: longer keys are digests. */
const MAX_SERIES_KEY_BYTES = 200;
const STATUS_COLUMN = { name: 'status', type: 'text' } as const;

/** The tables of all series: a row for each period and combination of dimension values. */
const OBSERVATIONS: TablePair = {
  currentTable: 'observations_now',
  historyTable: 'observations_past',
  columns: [
    { name: 'dataset', type: 'text' },
    { name: 'place', type: 'integer' },
    ...DIMENSIONS.map(createKeyColumn),
    { name: 'series_key', type: 'text' },
    { ...STATUS_COLUMN, defaultText: NORMAL_STATUS },
  ],
  datasetColumn: 'dataset',
  key: [BY_NEWEST_PERIOD, ...DIMENSIONS],
  distributionColumn: 'series_key',
  indexes: {
    by_series: { columns: [...DIMENSIONS, { column: 'place' }], included: ['status', 'record'] },
  },
};

/** A series without dimensions has one row for each period, on one node of a cluster. */
function buildObservationTable({
  name,
  period,
  declaration,
  fields,
}: Dataset): Omit<DatasetStorageTable, 'view'> {
  const dimensions = declaration?.dimensions ?? [];
  const toSeriesKey = (values: readonly unknown[]) => {
    const key = [name, ...values].join(SERIES_KEY_SEPARATOR);
    if (Buffer.byteLength(key) <= MAX_SERIES_KEY_BYTES) return key;
    return `${name}${SERIES_KEY_SEPARATOR}${new Bun.CryptoHasher('sha256').update(key).digest('hex')}`;
  };
  const place: StorageColumn = {
    name: 'place',
    type: 'integer',
    getValue: (record) => period?.kind.toOrdinal(String(record[period.field])) ?? Number.NaN,
  };
  return {
    ...OBSERVATIONS,
    columns: [
      place,
      ...fillKeyColumns(
        DIMENSIONS,
        dimensions.map(({ field }) => createFieldColumn(field)),
      ),
      {
        name: 'series_key',
        type: 'text',
        getValue: (record) => toSeriesKey(dimensions.map(({ field }) => record[field])),
      },
      // If records contain their status, the column has none.
      {
        ...STATUS_COLUMN,
        getValue: (_, status) => (fields.status ? NORMAL_STATUS : (status ?? NORMAL_STATUS)),
      },
    ],
    hasStatus: true,
    ...shareTables(OBSERVATIONS, name, DIMENSIONS, dimensions.length),
    key: [BY_NEWEST_PERIOD, ...DIMENSIONS.slice(0, dimensions.length)],
    getDistributionValue: ([, ...values]) => toSeriesKey(values),
  };
}

const KEYS = nameColumns('key', 2);

/** The tables of all other records; on each node of a cluster. */
const RECORDS: TablePair = {
  currentTable: 'records_now',
  historyTable: 'records_past',
  columns: [{ name: 'dataset', type: 'text' }, ...KEYS.map(createKeyColumn)],
  datasetColumn: 'dataset',
  key: KEYS,
  indexes: {},
};

/** Records identified by their first field, ignoring letter case, or by two fields. */
function buildRecordTable({
  name,
  fields,
  keyFields = Object.keys(fields).slice(0, 1),
}: Dataset): Omit<DatasetStorageTable, 'view'> {
  const [identifier = '', ...others] = keyFields;
  const values = [createFoldedColumn(identifier, ''), ...others.map(createFieldColumn)];
  return {
    ...RECORDS,
    columns: fillKeyColumns(KEYS, values),
    key: KEYS.slice(0, values.length),
    ...shareTables(RECORDS, name, KEYS, values.length),
  };
}

/** How the rows of a dataset are identified in tables that it shares, by the columns of its key. */
function shareTables(
  tables: TablePair,
  dataset: string,
  key: readonly OrderedColumn[],
  usedColumns: number,
) {
  const unusedKey = key.slice(usedColumns).map(({ column }) => ({ name: column, value: '' }));
  return { tables, fixed: [{ name: 'dataset', value: dataset }], unusedKey };
}

/** The columns of a key with their values, empty in those that a dataset does not use. */
function fillKeyColumns(
  key: readonly OrderedColumn[],
  values: readonly Pick<StorageColumn, 'getValue'>[],
): StorageColumn[] {
  return key.map(({ column }, index) => {
    const { getValue = () => '' } = values[index] ?? {};
    return { name: column, type: 'text', getValue };
  });
}

function nameColumns(name: string, count: number): OrderedColumn[] {
  return Array.from({ length: count }, (_, index) => ({ column: `${name}${index + 1}` }));
}

function createKeyColumn({ column }: OrderedColumn): TableColumn {
  return { name: column, type: 'text', defaultText: '' };
}

function createFieldColumn(field: string): StorageColumn {
  return { name: field, type: 'text', getValue: (record) => String(record[field]) };
}

function createFoldedColumn(field: string, name: string): StorageColumn {
  return { name, type: 'text', getValue: (record) => foldAsciiCase(String(record[field])) };
}

/** Securities and funds are looked up case-insensitively, for ASCII letters only. */
export function foldAsciiCase(text: string): string {
  // Most are in capitals already.
  return /[a-z]/.test(text) ? text.replace(/[a-z]+/g, (letters) => letters.toUpperCase()) : text;
}
