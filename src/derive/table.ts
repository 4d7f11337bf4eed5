import type { AnyRecord, Dataset } from '../catalogue/dataset.ts';

/** How a dataset is stored, and what people read it through. */
export interface DatasetTable extends Table {
  /** The typed view, for people who want columns. */
  readonly view: string;
}

/** How records are stored: the few columns that select a record, beside its text. */
export interface Table {
  /** Records as they stand. */
  readonly now: string;
  /** Records that were corrected or retired, with the revisions between which they stood. */
  readonly past: string;
  readonly columns: readonly Column[];
  /** The columns that tell records apart, in the order of answers. */
  readonly key: readonly Ordered[];
  /** The column that says where a record is kept, among many machines; it follows from the key. */
  readonly home?: string;
  readonly indexes: Readonly<Record<string, readonly Ordered[]>>;
}

export interface Column {
  readonly name: string;
  readonly type: 'text' | 'integer';
  readonly of: (record: AnyRecord) => string | number;
}

/** A column in a key or an index; descending where answers show the newest first. */
export interface Ordered {
  readonly column: string;
  readonly descending?: true;
}

/** The table of a dataset. */
export function tableOf(dataset: Dataset): DatasetTable {
  // Every request asks for one: it is laid out once.
  const known = tables.get(dataset);
  if (known) return known;
  const view = dataset.name.replaceAll('-', '_');
  const names = { view, now: `${view}_now`, past: `${view}_past` };
  const table = { ...names, ...layouts[dataset.shape](dataset) };
  tables.set(dataset, table);
  return table;
}

const tables = new WeakMap<Dataset, DatasetTable>();

/** The values of a record's columns, in the table's order. */
export function valuesIn({ columns }: Table, record: AnyRecord): (string | number)[] {
  const values: (string | number)[] = [];
  for (const column of columns) values.push(column.of(record));
  return values;
}

/** What securities are priced with beyond their quotes; kept with its history, as records are. */
const securityTerms: Table = {
  now: 'security_terms_now',
  past: 'security_terms_past',
  columns: [{ name: 'symbol_key', type: 'text', of: ({ symbol }) => String(symbol) }],
  key: [{ column: 'symbol_key' }],
  indexes: {},
};

/** What a dataset keeps beside its records, if it does: published with them, served nowhere. */
export function tableBeside({ shape }: Dataset): Table | undefined {
  return shape === 'quotes' ? securityTerms : undefined;
}

/** Letter case is ignored where a security or a fund is looked up, for ASCII letters only. */
export function folded(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

type Layout = Pick<Table, 'columns' | 'key' | 'home' | 'indexes'>;

const newestDate: Ordered = { column: 'date', descending: true };
const symbol: Ordered = { column: 'symbol' };

const layouts: Record<Dataset['shape'], (dataset: Dataset) => Layout> = {
  quotes: () => ({
    columns: [
      verbatim('date'),
      verbatim('symbol'),
      foldedFrom('symbol', 'symbol_key'),
      foldedFrom('isin', 'isin_key'),
      verbatim('type'),
    ],
    key: [newestDate, symbol],
    home: 'symbol_key',
    indexes: {
      by_symbol: [{ column: 'symbol_key' }, newestDate, symbol],
      by_isin: [{ column: 'isin_key' }, newestDate, symbol],
      by_type: [{ column: 'type' }, newestDate, symbol],
    },
  }),
  fund: () => ({
    columns: [foldedFrom('fund_id', 'fund_key')],
    key: [{ column: 'fund_key' }],
    indexes: {},
  }),
  series: ({ period }) => ({
    columns: [
      {
        name: 'place',
        type: 'integer',
        of: (record) => period?.kind.place(String(record[period.field])) ?? Number.NaN,
      },
    ],
    key: [{ column: 'place', descending: true }],
    indexes: {},
  }),
};

function verbatim(field: string): Column {
  return { name: field, type: 'text', of: (record) => String(record[field]) };
}

function foldedFrom(field: string, name: string): Column {
  return { name, type: 'text', of: (record) => folded(String(record[field])) };
}
