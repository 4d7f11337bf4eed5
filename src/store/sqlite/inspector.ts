import { Database, SQLiteError } from 'bun:sqlite';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { getAuxiliaryTable } from '../../schema/auxiliary-table.ts';
import type { StorageTable } from '../../schema/storage-table.ts';
import { getStorageTable } from '../../schema/storage-table.ts';
import { toBatches } from '../batches.ts';
import { StoreUnavailableError } from '../errors.ts';
import type { StoredRow, StoreInspector } from '../inspector.ts';
import { readLedger } from '../sql/ledger.ts';
import { getMigrations, getSchemaDefinitions } from '../sql/schema.ts';
import { storedRowsSql, toStoredRow } from '../sql/stored-rows.ts';
import { openReadOnly } from './connection.ts';
import { sqliteTableDialect } from './dialect.ts';
import { runSteps } from './session.ts';

/** Looks into the database at that path. All that it gives is from one revision. */
export function createSqliteInspector(path: string, catalogue: readonly Dataset[]): StoreInspector {
  const database = openReadOnly(path);
  database.run('BEGIN');
  return {
    findStructureFaults: async () =>
      withReadErrors(() => [
        ...runIntegrityCheck(database),
        ...findSchemaDifferences(database, catalogue),
      ]),
    rows: (dataset) => streamStoredRows(database, getStorageTable(dataset)),
    auxiliaryRows: (dataset) => streamStoredRows(database, getAuxiliaryTable(dataset)),
    ledger: async () => withReadErrors(() => runSteps(database, readLedger())),
    close: () => database.close(),
  };
}

function withReadErrors<T>(operation: () => T): T {
  try {
    return operation();
  } catch (cause) {
    throw toUnreadableError(cause);
  }
}

/** Of a database that may be damaged in any way, no failure of SQLite is a bug of ours. */
function toUnreadableError(cause: unknown): unknown {
  return cause instanceof SQLiteError ? new StoreUnavailableError(cause.message, { cause }) : cause;
}

/** What SQLite itself finds: pages that are lost or used twice, indexes that miss a row. */
function runIntegrityCheck(database: Database): string[] {
  return database
    .query<{ integrity_check: string }, []>('PRAGMA integrity_check')
    .all()
    .flatMap(({ integrity_check }) => integrity_check.split('\n'))
    .filter((line) => line !== 'ok');
}

/** Tables, indexes and views that are not as a new database has them. */
function findSchemaDifferences(database: Database, catalogue: readonly Dataset[]): string[] {
  using made = new Database(':memory:');
  for (const step of getMigrations(sqliteTableDialect)) made.run(step);
  for (const dataset of catalogue) {
    for (const { sql } of getSchemaDefinitions(dataset, sqliteTableDialect)) made.run(sql);
  }
  const found = readSchema(database);
  return [...readSchema(made)].flatMap(([name, definition]) => {
    if (found.get(name) === definition) return [];
    return [found.has(name) ? `${name} is not as made` : `${name} is missing`];
  });
}

/** What a database has, by name, each with the text that tells it from anything else. */
function readSchema(database: Database): ReadonlyMap<string, string> {
  const sql = "SELECT type || ' ' || name, tbl_name || ': ' || ifnull(sql, '') FROM sqlite_schema";
  const entries = database.query<unknown, []>(sql).values() as [string, string][];
  // How a definition was broken into lines says nothing about what it made.
  return new Map(entries.map(([name, text]) => [name, text.replace(/\s+/g, ' ')]));
}

async function* streamStoredRows(
  database: Database,
  table: StorageTable | undefined,
): AsyncGenerator<readonly StoredRow[]> {
  if (!table) return;
  try {
    for (const batch of toBatches(database.prepare<object, []>(storedRowsSql(table)).iterate())) {
      yield batch.map(toStoredRow);
    }
  } catch (cause) {
    throw toUnreadableError(cause);
  }
}
