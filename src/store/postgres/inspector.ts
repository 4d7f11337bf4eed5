import type { SQL } from 'bun';
import type { Dataset } from '../../catalogue/dataset.ts';
import type { Table } from '../../derive/table.ts';
import { tableBeside, tableOf } from '../../derive/table.ts';
import { storedRow, storedRows } from '../sql/inspect.ts';
import { wholeLedger } from '../sql/ledger.ts';
import type { Inspector, StoredRow } from '../store.ts';
import { ask, outOfReach, writingConnection } from './connection.ts';
import { missing } from './migrate.ts';
import { SNAPSHOT, take, walk } from './session.ts';

/** Looks into the database at an address. All that it gives is from one revision. */
export function postgresInspector(url: string, catalogue: readonly Dataset[]): Inspector {
  const pool = writingConnection(url);
  const connection = begun(pool);
  // Whoever asks first is told; nobody may ask.
  connection.catch(() => {});
  const rows = async function* (table: Table | undefined): AsyncGenerator<readonly StoredRow[]> {
    if (!table) return;
    const all = walk(await connection, { sql: storedRows(table), values: [] });
    for await (const batch of all) yield batch.map(storedRow);
  };
  return {
    structure: async () => (await missing(await connection, catalogue)).map(told),
    rows: (dataset) => rows(tableOf(dataset)),
    rowsBeside: (dataset) => rows(tableBeside(dataset)),
    ledger: async () => take(await connection, wholeLedger()),
    close: () => pool.close({ timeout: 0 }).catch(() => {}),
  };
}

async function begun(pool: SQL): Promise<SQL> {
  const connection = await pool.reserve().catch((cause) => {
    throw outOfReach(cause);
  });
  await ask(connection, { sql: `BEGIN ${SNAPSHOT}`, values: [] });
  return connection;
}

/** What is wrong where a statement would have to be run. */
function told(statement: string): string {
  return `the schema lacks: ${statement.replace(/\s+/g, ' ')}`;
}
