import type { SQL } from 'bun';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { listServerUrls } from '../../shared/postgres-url.ts';
import { StoreBusyError, StoreUnusableError } from '../errors.ts';
import { findNewestRevision } from '../sql/ledger.ts';
import { listStoredTables, TOKENS_TABLE } from '../sql/stored-tables.ts';
import type { TableReader, TableRow, TableWriter } from '../table-copy.ts';
import { isDistributed, SET_SEQUENTIAL_MODE } from './citus/distribute.ts';
import { closeImmediately, createWriteConnection, reserveConnection } from './connection-pool.ts';
import { execute, type SqlExecutor } from './query.ts';
import {
  findPrimaryFirst,
  migratePostgres,
  prepareSchema,
  withConnection,
} from './schema/prepare-schema.ts';
import { findSchemaVersion } from './schema/schema-changes.ts';
import {
  commitTransaction,
  runSteps,
  SNAPSHOT_ISOLATION,
  streamRows,
  tryAcquireWriteLock,
} from './session.ts';

/** Reads the tables of a database in one transaction, while others read and write it. */
export async function openPostgresTables(
  url: string,
  catalogue: readonly Dataset[],
): Promise<TableReader> {
  const urls = await findPrimaryFirst(listServerUrls(url));
  await prepareSchema(urls, catalogue, { preparation: 'none' });
  return withReserved(urls[0] ?? '', async (connection, close) => {
    // A snapshot of a cluster would lack shards that are moved: there, nothing may be published.
    const isCluster = await isDistributed(connection);
    await execute(connection, `BEGIN ${isCluster ? 'READ ONLY' : SNAPSHOT_ISOLATION}`);
    if (isCluster) await acquireWriteLock(connection);
    return {
      rows: (table) => readRows(connection, table),
      newestRevision: () =>
        withReserved(urls[0] ?? '', async (other, closeOther) =>
          runSteps(other, findNewestRevision()).finally(closeOther),
        ),
      close: async () => close(),
    };
  });
}

/** Fills an empty database in one transaction; creates its tables before, where there are none. */
export async function createPostgresTables(
  url: string,
  catalogue: readonly Dataset[],
): Promise<TableWriter> {
  const [primary = ''] = await findPrimaryFirst(listServerUrls(url));
  // A database with data is not even migrated.
  const assertUnused = async (connection: SqlExecutor) => {
    if ((await findSchemaVersion(connection)) > 0)
      await assertEmpty(connection, ['revisions', TOKENS_TABLE]);
  };
  await withConnection(primary, assertUnused, 'move to it');
  await migratePostgres(url, catalogue, {});
  return withReserved(primary, async (connection, close) => {
    await execute(connection, 'BEGIN');
    await acquireWriteLock(connection);
    if (await isDistributed(connection)) await execute(connection, SET_SEQUENTIAL_MODE);
    const tables = listStoredTables(catalogue).filter((table) => table !== 'secrets');
    await assertEmpty(connection, tables);
    await execute(connection, 'DELETE FROM secrets');
    return {
      insert: (table, rows) => insertRows(connection, table, rows),
      rows: (table) => readRows(connection, table),
      keep: () => commitTransaction(connection),
      close: async () => close(),
    };
  });
}

/** Reserves a connection for a transaction, and closes it where that cannot begin. */
async function withReserved<T>(
  url: string,
  begin: (connection: SQL, close: () => void) => Promise<T>,
): Promise<T> {
  const pool = createWriteConnection(url);
  const close = () => closeImmediately(pool);
  try {
    return await begin(await reserveConnection(pool), close);
  } catch (cause) {
    close();
    throw cause;
  }
}

async function acquireWriteLock(connection: SqlExecutor): Promise<void> {
  if (!(await tryAcquireWriteLock(connection)))
    throw new StoreBusyError('another publisher holds the database');
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

async function insertRows(
  connection: SqlExecutor,
  table: string,
  rows: readonly TableRow[],
): Promise<void> {
  const sql = `INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1::text::json)`;
  await execute(connection, sql, [JSON.stringify(rows.map(encodeBytes))]);
}

/** The text of bytes that PostgreSQL reads. */
function encodeBytes(row: TableRow): object {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value,
  ]);
  return Object.fromEntries(entries);
}

async function* readRows(
  connection: SqlExecutor,
  table: string,
): AsyncGenerator<readonly TableRow[]> {
  for await (const rows of streamRows(connection, { sql: `SELECT * FROM ${table}` }))
    yield rows as readonly TableRow[];
}
