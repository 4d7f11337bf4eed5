import { Database, SQLiteError } from 'bun:sqlite';
import type { Dataset } from '../../catalogue/dataset.ts';
import type { Table } from '../../derive/table.ts';
import { tableBeside, tableOf } from '../../derive/table.ts';
import { batched } from '../batches.ts';
import { storedRow, storedRows } from '../sql/inspect.ts';
import { wholeLedger } from '../sql/ledger.ts';
import { definitionsOf, migrationsIn } from '../sql/schema.ts';
import type { Inspector, StoredRow } from '../store.ts';
import { StoreUnavailable } from '../store.ts';
import { readOnly } from './connection.ts';
import { sqliteTables } from './dialect.ts';
import { take } from './session.ts';

/** Looks into the database at that path. All that it gives is from one revision. */
export function sqliteInspector(path: string, catalogue: readonly Dataset[]): Inspector {
  const database = readOnly(path);
  database.run('BEGIN');
  return {
    structure: async () => asking(() => [...damage(database), ...strays(database, catalogue)]),
    rows: (dataset) => rows(database, tableOf(dataset)),
    rowsBeside: (dataset) => rows(database, tableBeside(dataset)),
    ledger: async () => asking(() => take(database, wholeLedger())),
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
  for (const step of migrationsIn(sqliteTables)) made.run(step);
  for (const dataset of catalogue) {
    for (const { sql } of definitionsOf(dataset, sqliteTables)) made.run(sql);
  }
  const found = schemaOf(database);
  return [...schemaOf(made)].flatMap(([name, definition]) => {
    if (found.get(name) === definition) return [];
    return [found.has(name) ? `${name} is not as made` : `${name} is missing`];
  });
}

/** What a database has, by name, each with the text that tells it from anything else. */
function schemaOf(database: Database): ReadonlyMap<string, string> {
  const sql = "SELECT type || ' ' || name, tbl_name || ': ' || ifnull(sql, '') FROM sqlite_schema";
  const entries = database.query<unknown, []>(sql).values() as [string, string][];
  // How a definition was broken into lines says nothing about what it made.
  return new Map(entries.map(([name, text]) => [name, text.replace(/\s+/g, ' ')]));
}

async function* rows(
  database: Database,
  table: Table | undefined,
): AsyncGenerator<readonly StoredRow[]> {
  if (!table) return;
  try {
    for (const batch of batched(database.prepare<object, []>(storedRows(table)).iterate())) {
      yield batch.map(storedRow);
    }
  } catch (cause) {
    throw unreadable(cause);
  }
}
