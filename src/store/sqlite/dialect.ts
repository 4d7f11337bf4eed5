import type { Dialect, TableDialect } from '../sql/dialect.ts';

export const sqliteDialect: Dialect = {
  findsKeysFirst: true,
  needsPlannerHints: false,
  isDistributed: false,
};

export const sqliteTableDialect: TableDialect = {
  engine: 'sqlite',
  text: 'TEXT',
  bytes: 'BLOB',
  randomBytes: 'randomblob(32)',
  // Without a rowid the records of one day are stored next to each other, as a snapshot reads them.
  createTable: (name, columns, key) => [
    {
      kind: 'table',
      name,
      sql: `CREATE TABLE ${name} (${columns}, PRIMARY KEY (${key})) WITHOUT ROWID`,
    },
  ],
  createIndex: (name, table, { searched, included }) => [
    {
      kind: 'index',
      name,
      sql: `CREATE INDEX ${name} ON ${table} (${[searched, ...included].join(', ')})`,
    },
  ],
  fieldExpression: (name) => `record ->> '$.${name}'`,
  storedFieldExpression: (name) => name,
  viewSource: (table) => table,
  uniqueKey: ({ key }) => key,
};
