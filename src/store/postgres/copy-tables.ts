import type { SQL } from 'bun';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { StoreUnusableError } from '../errors.ts';
import { toBatches } from '../rows.ts';
import type { SqlRows } from '../sql/query-steps.ts';
import { listStoredTables, SECRETS_TABLE, TOKENS_TABLE } from '../sql/stored-tables.ts';
import type { TableReader, TableRow, TableWriter } from '../table-copy.ts';
import { isDistributed, SET_SEQUENTIAL_MODE } from './citus/distribute.ts';
import {
  closeImmediately,
  closeOnError,
  createWriteConnection,
  reserveConnection,
} from './connection-pool.ts';
import { throwStoreError } from './errors.ts';
import { execute, type SqlExecutor } from './query.ts';
import { findPrimaryFirst, migratePostgres, withConnection } from './schema/prepare-schema.ts';
import { findSchemaVersion } from './schema/schema-changes.ts';
import { acquireWriteLock, commitTransaction, SNAPSHOT_ISOLATION, streamRows } from './session.ts';

/** Reads the tables of a database, all but tokens in one transaction, while others write it. */
export async function openPostgresTables(url: string): Promise<TableReader> {
  const [primary = ''] = await findPrimaryFirst(url);
  const tables = await beginTransaction(primary, async (connection) => {
    // A snapshot of a cluster would lack shards that are moved: there, nothing may be published.
    const isCluster = await isDistributed(connection);
    await execute(connection, `BEGIN ${isCluster ? 'READ ONLY' : SNAPSHOT_ISOLATION}`);
    if (isCluster) await acquireWriteLock(connection);
  });
  return {
    rows: (table) => (table === TOKENS_TABLE ? readTokens(primary) : tables.rows(table)),
    close: tables.close,
  };
}

/** Reads tokens outside of the snapshot, which does not show those that were revoked since. */
async function* readTokens(url: string): AsyncGenerator<SqlRows> {
  const sql = `SELECT * FROM ${TOKENS_TABLE}`;
  yield* toBatches(await withConnection(url, (connection) => execute(connection, sql)));
}

/** Fills an empty database in one transaction; creates its tables before, if there are none. */
export async function createPostgresTables(
  url: string,
  catalogue: readonly Dataset[],
): Promise<TableWriter> {
  const [primary = ''] = await findPrimaryFirst(url);
  // A database with data is not even migrated.
  const assertUnused = async (connection: SqlExecutor) => {
    if ((await findSchemaVersion(connection)) > 0)
      await assertEmpty(connection, ['revisions', TOKENS_TABLE]);
  };
  await withConnection(primary, assertUnused, 'move to it');
  await migratePostgres(url, catalogue, {});
  return beginTransaction(primary, async (connection) => {
    await execute(connection, 'BEGIN');
    await acquireWriteLock(connection);
    if (await isDistributed(connection)) await execute(connection, SET_SEQUENTIAL_MODE);
    const tables = listStoredTables(catalogue).filter((table) => table !== SECRETS_TABLE);
    await assertEmpty(connection, tables);
    await execute(connection, 'DELETE FROM secrets');
  });
}

/** The tables as one connection sees them, after `begin` has begun its transaction. */
async function beginTransaction(
  url: string,
  begin: (connection: SQL) => Promise<void>,
): Promise<TableWriter> {
  const pool = createWriteConnection(url);
  const close = () => closeImmediately(pool);
  return closeOnError(close, async () => {
    const connection = await reserveConnection(pool);
    await begin(connection);
    return {
      insert: (table, rows) => insertRows(connection, table, rows),
      rows: (table) => streamRows(connection, { sql: `SELECT * FROM ${table}` }),
      commit: () => commitTransaction(connection),
      close,
    };
  });
}

async function assertEmpty(connection: SqlExecutor, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    const [row] = await execute(connection, `SELECT 1 AS one FROM ${table} LIMIT 1`);
    if (row)
      throw new StoreUnusableError(
        `it has data already, in the table ${table}; name a database that is empty`,
      );
  }
}

async function insertRows(connection: SQL, table: string, rows: readonly TableRow[]) {
  await connection`INSERT INTO ${connection(table)} ${connection(rows)}`.catch(throwStoreError);
}
