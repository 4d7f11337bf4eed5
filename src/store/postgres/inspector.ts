import { SQL } from 'bun';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { getAuxiliaryTable } from '../../schema/auxiliary-table.ts';
import type { StorageTable } from '../../schema/storage-table.ts';
import { getStorageTable } from '../../schema/storage-table.ts';
import { StoreUnavailableError } from '../errors.ts';
import type { StoredRow, StoreInspector } from '../inspector.ts';
import { readLedger } from '../sql/ledger.ts';
import { toStoredRow } from '../sql/stored-rows.ts';
import { createWriteConnection, query, reserveConnection } from './connection.ts';
import { findSchemaDifferences } from './schema/compare-schema.ts';
import { runSteps, SNAPSHOT_ISOLATION } from './session.ts';
import { streamStoredRows } from './stored-rows.ts';

/** Looks into the database at an address. All that it gives is from one revision. */
export function createPostgresInspector(
  url: string,
  catalogue: readonly Dataset[],
): StoreInspector {
  const pool = createWriteConnection(url);
  const connection = beginSnapshot(pool);
  // Whoever asks first is told; nobody may ask.
  connection.catch(() => {});
  const asking = async <T>(callback: (connection: SQL) => Promise<T>): Promise<T> => {
    try {
      return await callback(await connection);
    } catch (cause) {
      throw toUnreadableError(cause);
    }
  };
  const rows = async function* (
    table: StorageTable | undefined,
  ): AsyncGenerator<readonly StoredRow[]> {
    if (!table) return;
    try {
      const all = streamStoredRows(await connection, table);
      for await (const batch of all) yield batch.map(toStoredRow);
    } catch (cause) {
      throw toUnreadableError(cause);
    }
  };
  return {
    findStructureFaults: () => asking((connection) => findSchemaDifferences(connection, catalogue)),
    rows: (dataset) => rows(getStorageTable(dataset)),
    auxiliaryRows: (dataset) => rows(getAuxiliaryTable(dataset)),
    ledger: () => asking((connection) => runSteps(connection, readLedger())),
    close: () => pool.close({ timeout: 0 }).catch(() => {}),
  };
}

async function beginSnapshot(pool: SQL): Promise<SQL> {
  const connection = await reserveConnection(pool);
  await query(connection, { sql: `BEGIN ${SNAPSHOT_ISOLATION}`, values: [] });
  return connection;
}

/** Of a database that may be damaged in any way, no failure of PostgreSQL is a bug of ours. */
function toUnreadableError(cause: unknown): unknown {
  return cause instanceof SQL.PostgresError
    ? new StoreUnavailableError(cause.message, { cause })
    : cause;
}
