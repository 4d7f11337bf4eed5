import type { Dialect, TableDialect } from '../sql/dialect.ts';

export const singleServerDialect: Dialect = {
  findsKeysFirst: false,
  needsPlannerHints: true,
  isDistributed: false,
};

export const distributedDialect: Dialect = {
  findsKeysFirst: false,
  needsPlannerHints: false,
  isDistributed: true,
};

export const postgresTableDialect: TableDialect = {
  engine: 'postgres',
  // The order of bytes is the same everywhere; that of a locale depends on the system's libraries.
  text: 'TEXT COLLATE "C"',
  bytes: 'BYTEA',
  randomBytes: "decode(replace(concat(gen_random_uuid(), gen_random_uuid()), '-', ''), 'hex')",
  // A primary key cannot have descending columns; a unique index can.
  createTable: (name, columns, key) => [
    { kind: 'table', name, sql: `CREATE TABLE ${name} (${columns})` },
    {
      kind: 'index',
      name: `${name}_key`,
      sql: `CREATE UNIQUE INDEX ${name}_key ON ${name} (${key})`,
    },
  ],
  indexColumns: (columns, included) =>
    included.length === 0 ? `(${columns})` : `(${columns}) INCLUDE (${included.join(', ')})`,
  fieldExpression: (name, { schema }) =>
    schema.type === 'array'
      ? `record::json -> '${name}'`
      : `(record::json ->> '${name}')${VIEW_COLUMN_CASTS[String(schema.format ?? schema.type)] ?? ''}`,
  // In a cluster a unique index must have the distribution column.
  uniqueKey: ({ key, distributionColumn }) =>
    distributionColumn === undefined ? key : [...key, { column: distributionColumn }],
};

/** By format or type of a field; others are text. */
const VIEW_COLUMN_CASTS: Readonly<Record<string, string>> = {
  number: '::double precision',
  integer: '::bigint',
  date: '::date',
};
