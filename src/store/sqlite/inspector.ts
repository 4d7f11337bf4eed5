import { Database, SQLiteError } from 'bun:sqlite';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { StorageTable } from '../../schema/storage-table.ts';
import { StoreUnavailableError } from '../errors.ts';
import type { StoredRow } from '../rows.ts';
import { readLedger } from '../sql/ledger.ts';
import { compareSchemas, type SchemaObjects } from '../sql/schema.ts';
import { storedRowsSql, summaryRowsStatement, toStoredRow } from '../sql/stored-rows.ts';
import type { StoreInspector } from '../store.ts';
import { openReadOnly, runIntegrityCheck, withErrors } from './connection.ts';
import { migrateSchema } from './migrate-schema.ts';
import { runSteps, streamRows } from './session.ts';
import { findTokenFaults } from './token-store.ts';

/** Reads everything in one transaction, so that all of it is from one revision. */
export function createSqliteInspector(path: string, catalogue: readonly Dataset[]): StoreInspector {
  const database = openReadOnly(path);
  database.run('BEGIN');
  return {
    findStructureFaults: async () =>
      withErrors(
        () => [
          ...runIntegrityCheck(database),
          ...findSchemaFaults(database, catalogue),
          ...findTokenFaults(path),
        ],
        toUnreadableError,
      ),
    rows: (table) => streamStoredRows(database, table),
    summaryRows: async (table) =>
      withErrors(
        () => database.query(summaryRowsStatement(table).sql).values() as (string | number)[][],
        toUnreadableError,
      ),
    ledger: async () => withErrors(() => runSteps(database, readLedger()), toUnreadableError),
    close: () => {
      // Statements that are not collected yet would keep the connection, and with it its lock.
      if (database.inTransaction) database.run('ROLLBACK');
      database.close();
    },
  };
}

/** The database may be damaged in any way: no SQLite error is a bug of ours. */
function toUnreadableError(cause: unknown): unknown {
  return cause instanceof SQLiteError ? new StoreUnavailableError(cause.message, { cause }) : cause;
}

/** Tables, indexes and views that are missing or differ from those of a new database. */
export function findSchemaFaults(database: Database, catalogue: readonly Dataset[]): string[] {
  return compareSchemas(readSchema(database), buildExpectedSchema(catalogue));
}

function buildExpectedSchema(catalogue: readonly Dataset[]): SchemaObjects {
  using database = new Database(':memory:');
  migrateSchema(database, catalogue);
  return readSchema(database);
}

function readSchema(database: Database): SchemaObjects {
  const sql = "SELECT type || ' ' || name, tbl_name || ': ' || ifnull(sql, '') FROM sqlite_schema";
  const entries = database.query<unknown, []>(sql).values() as [string, string][];
  return new Map(entries.map(([name, text]) => [name, text.replace(/\s+/g, ' ')]));
}

async function* streamStoredRows(
  database: Database,
  table: StorageTable,
): AsyncGenerator<readonly StoredRow[]> {
  try {
    for await (const batch of streamRows(database, { sql: storedRowsSql(table) }))
      yield batch.map(toStoredRow);
  } catch (cause) {
    throw toUnreadableError(cause);
  }
}
