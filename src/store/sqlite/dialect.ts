import { createTableSql, type Dialect, defineIndex, type TableDialect } from '../sql/dialect.ts';

export const sqliteDialect: Dialect = {
  findsKeysFirst: true,
  needsPlannerHints: false,
  isDistributed: false,
};

const TYPES = { text: 'TEXT', bytes: 'BLOB' };

export const sqliteTableDialect: TableDialect = {
  engine: 'sqlite',
  ...TYPES,
  randomBytes: 'randomblob(32)',
  // Without a rowid the records of one day are stored next to each other, as a snapshot reads them.
  createTable: (name, columns, key) => [
    {
      kind: 'table',
      name,
      columns,
      sql: `${createTableSql(name, columns, TYPES, `PRIMARY KEY (${key})`)} WITHOUT ROWID`,
    },
  ],
  createIndex: (name, table, { searched, included }) => [
    defineIndex(name, table, `(${[searched, ...included].join(', ')})`),
  ],
  fieldExpression: (name) => `record ->> '$.${name}'`,
  storedFieldExpression: (name) => name,
  viewSource: (table) => table,
  uniqueKey: ({ key }) => key,
};
