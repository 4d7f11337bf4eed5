import type { Dialect, TableDialect } from '../sql/dialect.ts';

/** How SQLite is asked best. */
export const sqliteDialect: Dialect = {
  findsKeysFirst: true,
  needsPlannerHints: false,
  isDistributed: false,
};

/** How SQLite makes tables. */
export const sqliteTableDialect: TableDialect = {
  text: 'TEXT',
  bytes: 'BLOB',
  randomBytes: 'randomblob(32)',
  // Without a rowid the records of one day lie side by side, as a snapshot reads them.
  createTable: (name, columns, key) => [
    {
      kind: 'table',
      name,
      sql: `CREATE TABLE ${name} (${columns}, PRIMARY KEY (${key})) WITHOUT ROWID`,
    },
  ],
  fieldExpression: (name) => `record ->> '$.${name}'`,
  uniqueKey: ({ key }) => key,
};
