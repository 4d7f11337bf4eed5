import { SQL } from 'bun';
import type { Dataset } from '../../catalogue/dataset.ts';
import type { Table } from '../../derive/table.ts';
import { tableBeside, tableOf } from '../../derive/table.ts';
import { storedRow } from '../sql/inspect.ts';
import { wholeLedger } from '../sql/ledger.ts';
import type { Inspector, StoredRow } from '../store.ts';
import { StoreUnavailable } from '../store.ts';
import { ask, reserved, writingConnection } from './connection.ts';
import { strays } from './schema/structure.ts';
import { SNAPSHOT, take } from './session.ts';
import { storedIn } from './stored.ts';

/** Looks into the database at an address. All that it gives is from one revision. */
export function postgresInspector(url: string, catalogue: readonly Dataset[]): Inspector {
  const pool = writingConnection(url);
  const connection = begun(pool);
  // Whoever asks first is told; nobody may ask.
  connection.catch(() => {});
  const asking = async <T>(work: (connection: SQL) => Promise<T>): Promise<T> => {
    try {
      return await work(await connection);
    } catch (cause) {
      throw unreadable(cause);
    }
  };
  const rows = async function* (table: Table | undefined): AsyncGenerator<readonly StoredRow[]> {
    if (!table) return;
    try {
      const all = storedIn(await connection, table);
      for await (const batch of all) yield batch.map(storedRow);
    } catch (cause) {
      throw unreadable(cause);
    }
  };
  return {
    structure: () => asking((connection) => strays(connection, catalogue)),
    rows: (dataset) => rows(tableOf(dataset)),
    rowsBeside: (dataset) => rows(tableBeside(dataset)),
    ledger: () => asking((connection) => take(connection, wholeLedger())),
    close: () => pool.close({ timeout: 0 }).catch(() => {}),
  };
}

async function begun(pool: SQL): Promise<SQL> {
  const connection = await reserved(pool);
  await ask(connection, { sql: `BEGIN ${SNAPSHOT}`, values: [] });
  return connection;
}

/** Of a database that may be damaged in any way, no failure of PostgreSQL is a bug of ours. */
function unreadable(cause: unknown): unknown {
  return cause instanceof SQL.PostgresError
    ? new StoreUnavailable(cause.message, { cause })
    : cause;
}
