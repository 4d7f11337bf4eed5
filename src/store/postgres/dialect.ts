import type { Dialect, TableDialect } from '../sql/dialect.ts';

/** How one PostgreSQL server is asked best. */
export const singleServerDialect: Dialect = {
  findsKeysFirst: false,
  needsPlannerHints: true,
  isDistributed: false,
};

/** How a cluster is asked. */
export const distributedDialect: Dialect = {
  findsKeysFirst: false,
  needsPlannerHints: false,
  isDistributed: true,
};

/** How PostgreSQL makes tables. */
export const postgresTableDialect: TableDialect = {
  // Bytes have one order everywhere; a locale's may change with the machine's libraries.
  text: 'TEXT COLLATE "C"',
  bytes: 'BYTEA',
  randomBytes: "decode(replace(concat(gen_random_uuid(), gen_random_uuid()), '-', ''), 'hex')",
  // A constraint knows no descending columns; an index does, and keeps rows apart as well.
  createTable: (name, columns, key) => [
    { kind: 'table', name, sql: `CREATE TABLE ${name} (${columns})` },
    {
      kind: 'index',
      name: `${name}_key`,
      sql: `CREATE UNIQUE INDEX ${name}_key ON ${name} (${key})`,
    },
  ],
  fieldExpression: (name, { schema }) =>
    schema.type === 'array'
      ? `record::json -> '${name}'`
      : `(record::json ->> '${name}')${VIEW_COLUMN_CASTS[String(schema.format ?? schema.type)] ?? ''}`,
  // In a cluster only rows of one home can be told apart by an index.
  uniqueKey: ({ key, distributionColumn }) =>
    distributionColumn === undefined ? key : [...key, { column: distributionColumn }],
};

/** Types of columns by formats and types of fields; what is not listed is text. */
const VIEW_COLUMN_CASTS: Readonly<Record<string, string>> = {
  number: '::double precision',
  integer: '::bigint',
  date: '::date',
};
