import { Database, SQLiteError } from 'bun:sqlite';
import type { Dataset } from '../../catalogue/dataset.ts';
import type { Table } from '../../derive/table.ts';
import { tableBeside, tableOf } from '../../derive/table.ts';
import { definitionsOf, migrations } from '../schema.ts';
import { orderedList } from '../statements.ts';
import type { Inspector, Row, StoredRow } from '../store.ts';
import { StoreUnavailable } from '../store.ts';
import { batched } from './batches.ts';
import { readOnly } from './connection.ts';
import { wholeLedger } from './ledger.ts';

/** Looks into the database at that path. All that it gives is from one revision. */
export function sqliteInspector(path: string, catalogue: readonly Dataset[]): Inspector {
  const database = readOnly(path);
  database.run('BEGIN');
  return {
    structure: async () => asking(() => [...damage(database), ...strays(database, catalogue)]),
    rows: (dataset) => rows(database, tableOf(dataset)),
    rowsBeside: (dataset) => rows(database, tableBeside(dataset)),
    ledger: async () => asking(() => wholeLedger(database)),
    close: () => database.close(),
  };
}

function asking<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw unreadable(cause);
  }
}

/** Of a database that may be damaged in any way, no failure of SQLite is a bug of ours. */
function unreadable(cause: unknown): unknown {
  return cause instanceof SQLiteError ? new StoreUnavailable(cause.message, { cause }) : cause;
}

/** What SQLite itself finds: pages that are lost or used twice, indexes that miss a row. */
function damage(database: Database): string[] {
  return database
    .query<{ integrity_check: string }, []>('PRAGMA integrity_check')
    .all()
    .flatMap(({ integrity_check }) => integrity_check.split('\n'))
    .filter((line) => line !== 'ok');
}

/** Tables, indexes and views that are not as a new database has them. */
function strays(database: Database, catalogue: readonly Dataset[]): string[] {
  using made = new Database(':memory:');
  for (const step of migrations) made.run(step);
  for (const { sql } of catalogue.flatMap(definitionsOf)) made.run(sql);
  const found = schemaOf(database);
  return [...schemaOf(made)].flatMap(([name, definition]) => {
    if (found.get(name) === definition) return [];
    return [found.has(name) ? `${name} is not as made` : `${name} is missing`];
  });
}

/** What a database has, by name, each with the text that tells it from anything else. */
function schemaOf(database: Database): ReadonlyMap<string, string> {
  const sql = "SELECT type || ' ' || name, tbl_name || ': ' || ifnull(sql, '') FROM sqlite_schema";
  return new Map(database.query<unknown, []>(sql).values() as [string, string][]);
}

async function* rows(
  database: Database,
  table: Table | undefined,
): AsyncGenerator<readonly StoredRow[]> {
  if (!table) return;
  const { now, past, columns, key } = table;
  const stored = [...columns.map(({ name }) => name), 'record', 'since'].join(', ');
  const sql = `SELECT ${stored}, NULL AS until FROM ${now} UNION ALL
    SELECT ${stored}, until FROM ${past} ORDER BY ${orderedList([...key, { column: 'since' }])}`;
  try {
    for (const batch of batched(database.prepare<Stored, []>(sql).iterate())) {
      yield batch.map(storedRow);
    }
  } catch (cause) {
    throw unreadable(cause);
  }
}

function storedRow({ record, since, until, ...selecting }: Stored): StoredRow {
  const columns = Object.values(selecting) as Row['columns'];
  // What is damaged may be of another type than what was stored.
  return { columns, text: String(record), since, until };
}

/** A row as SQLite gives it: the columns that select it, and what is stored with them. */
type Stored = {
  readonly record: string;
  readonly since: number;
  readonly until: number | null;
} & Readonly<Record<string, unknown>>;
