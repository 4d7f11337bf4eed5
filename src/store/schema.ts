import type { Dataset } from '../catalogue/dataset.ts';
import type { Ordered, Table } from '../derive/table.ts';
import { tableOf } from '../derive/table.ts';

/**
 * The steps that make the tables which no dataset owns. A database counts how many it has had;
 * steps are only ever added at the end.
 */
export const migrations: readonly string[] = [
  `CREATE TABLE revisions (
    revision INTEGER PRIMARY KEY,
    dataset TEXT NOT NULL,
    published_at TEXT NOT NULL,
    source TEXT NOT NULL,
    author TEXT NOT NULL,
    sample INTEGER NOT NULL,
    added INTEGER NOT NULL,
    corrected INTEGER NOT NULL,
    retired INTEGER NOT NULL,
    unchanged INTEGER NOT NULL
  )`,
  `CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    digest TEXT NOT NULL UNIQUE,
    scopes TEXT NOT NULL,
    rate TEXT,
    created_at TEXT NOT NULL,
    expires_at TEXT,
    revoked_at TEXT,
    last_used_at TEXT
  )`,
];

/** Something that a dataset has in the database. */
export interface Definition {
  readonly kind: 'table' | 'index' | 'view';
  readonly name: string;
  readonly sql: string;
}

/** The tables, indexes and view of one dataset. */
export function definitionsOf(dataset: Dataset): Definition[] {
  const table = tableOf(dataset);
  return [...tables(table), ...indexes(table), view(dataset, table)];
}

function tables({ now, past, columns, key }: Table): Definition[] {
  const selecting = columns.map(({ name, type }) => `${name} ${type.toUpperCase()} NOT NULL`);
  const stored = [...selecting, 'record TEXT NOT NULL', 'since INTEGER NOT NULL'].join(', ');
  // Without a rowid the records of one day lie side by side, as a snapshot reads them.
  const nowSql = `CREATE TABLE ${now} (${stored}, PRIMARY KEY (${list(key)})) WITHOUT ROWID`;
  const pastSql = `CREATE TABLE ${past} (${stored}, until INTEGER NOT NULL,
    PRIMARY KEY (${list(key)}, since)) WITHOUT ROWID`;
  return [
    { kind: 'table', name: now, sql: nowSql },
    { kind: 'table', name: past, sql: pastSql },
  ];
}

function indexes({ now, indexes }: Table): Definition[] {
  return Object.entries(indexes).map(([suffix, columns]) => {
    const name = `${now}_${suffix}`;
    return { kind: 'index', name, sql: `CREATE INDEX ${name} ON ${now} (${list(columns)})` };
  });
}

function view({ fields }: Dataset, { view, now }: Table): Definition {
  const columns = Object.keys(fields).map((name) => `record ->> '$.${name}' AS "${name}"`);
  const sql = `CREATE VIEW ${view} AS SELECT ${columns.join(', ')}, since AS revision FROM ${now}`;
  return { kind: 'view', name: view, sql };
}

function list(columns: readonly Ordered[]): string {
  return columns
    .map(({ column, descending }) => (descending ? `${column} DESC` : column))
    .join(', ');
}
