import { createTableSql, type Dialect, defineIndex, type TableDialect } from '../sql/dialect.ts';

/**
 * An index has rows of at most 2,704 bytes. A row has a symbol three times and an ISIN twice, each of
 * up to 800 bytes, and about 500 bytes of other values.
 */
const MAX_COVERED_SYMBOL_BYTES = 100;

/**
 * An index alone can be read only if the table's pages are known to be visible to all, which a
 * vacuum finds out. By default it comes when a fifth of a table is new: here after each day's quotes.
 */
const AUTOVACUUM_SETTINGS =
  'autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 200';

export const singleServerDialect: Dialect = {
  findsKeysFirst: false,
  needsPlannerHints: true,
  isDistributed: false,
  maxCoveredSymbolBytes: MAX_COVERED_SYMBOL_BYTES,
};

export const distributedDialect: Dialect = {
  ...singleServerDialect,
  needsPlannerHints: false,
  isDistributed: true,
};

// The order of bytes is the same everywhere; that of a locale depends on the system's libraries.
const TYPES = { text: 'TEXT COLLATE "C"', bytes: 'BYTEA' };

export const postgresTableDialect: TableDialect = {
  engine: 'postgres',
  ...TYPES,
  randomBytes: "decode(replace(concat(gen_random_uuid(), gen_random_uuid()), '-', ''), 'hex')",
  // A primary key cannot have descending columns; a unique index can.
  createTable: (name, columns, key) => [
    {
      kind: 'table',
      name,
      columns,
      sql: `${createTableSql(name, columns, TYPES)} WITH (${AUTOVACUUM_SETTINGS})`,
    },
    defineIndex(`${name}_key`, name, `(${key})`, 'UNIQUE '),
  ],
  createIndex: (name, table, { searched, included, lengthColumn }) => {
    const define = (suffix: string, rest: string) =>
      defineIndex(name + suffix, table, `(${searched})${rest}`);
    if (lengthColumn === undefined) return [define('', '')];
    const length = `octet_length(${lengthColumn})`;
    return [
      define(
        '',
        ` INCLUDE (${included.join(', ')}) WHERE ${length} <= ${MAX_COVERED_SYMBOL_BYTES}`,
      ),
      define('_long', ` WHERE ${length} > ${MAX_COVERED_SYMBOL_BYTES}`),
    ];
  },
  fieldExpression: (name, { schema }) =>
    schema.type === 'array'
      ? `record::json -> '${name}'`
      : `(record::json ->> '${name}')${VIEW_COLUMN_CASTS.get(String(schema.format ?? schema.type)) ?? ''}`,
  storedFieldExpression: (name, { schema }) => (schema.format === 'date' ? 'day' : name),
  // No index on a text is searched by a date: the few days that there are say which texts to search.
  viewSource: (table, daysTable) =>
    daysTable === undefined
      ? table
      : `${table} LEFT JOIN (SELECT date, date::date AS day FROM ${daysTable} GROUP BY date) AS days USING (date)`,
  // In a cluster a unique index must have the distribution column.
  uniqueKey: ({ key, distributionColumn }) =>
    distributionColumn === undefined ? key : [...key, { column: distributionColumn }],
};

/** By format or type of a field; others are text. */
const VIEW_COLUMN_CASTS = new Map([
  ['number', '::double precision'],
  ['integer', '::bigint'],
  ['date', '::date'],
  ['boolean', '::boolean'],
]);
