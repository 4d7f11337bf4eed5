import type { SQL } from 'bun';
import type { Dataset } from '../../../catalogue/model/dataset.ts';
import { getStorageTable } from '../../../schema/storage-table.ts';
import { StoreBusyError, StoreUnavailableError, StoreUnusableError } from '../../errors.ts';
import type { Dialect } from '../../sql/dialect.ts';
import type { MigrateOptions } from '../../store.ts';
import { assertCitusReady, isDistributed } from '../citus/distribute.ts';
import { publishLeftoverRevisions } from '../citus/pending-revisions.ts';
import { createWriteConnection, getSqlState, query } from '../connection.ts';
import { distributedDialect, singleServerDialect } from '../dialect.ts';
import { formatPublicAddress } from '../url.ts';
import { ACQUIRE_MIGRATION_LOCK, findMissingStatements, migrateSchema } from './migrate-schema.ts';

/**
 * Brings the schema up to date on the first server, and tells how to ask. Where that one is out of
 * reach, a replica will do, as long as nothing is missing.
 */
export async function prepareSchema(
  [first = '', ...replicas]: readonly string[],
  catalogue: readonly Dataset[],
): Promise<Dialect> {
  try {
    return await withConnection(first, async (connection) => {
      await migrateSchema(connection, catalogue).catch(explainMissingPrivilege);
      return detectDialect(connection);
    });
  } catch (cause) {
    if (!(cause instanceof StoreUnavailableError)) throw cause;
    for (const replica of replicas) {
      const dialect = await getDialectIfCurrent(replica, catalogue).catch(() => undefined);
      if (dialect) return dialect;
    }
    throw cause;
  }
}

/** Brings everything up to date, or tells what would be run to do it. */
export async function migratePostgres(
  url: string,
  catalogue: readonly Dataset[],
  { isDryRun, distribute = false }: MigrateOptions,
): Promise<string[]> {
  const callback = async (connection: SQL) => {
    if (distribute && !(await isDistributed(connection))) await assertCitusReady(connection);
    const extent = { grants: true, distribute };
    if (isDryRun) return findMissingStatements(connection, catalogue, extent);
    const statements = await migrateSchema(connection, catalogue, extent).catch(
      explainMissingPrivilege,
    );
    if (await isDistributed(connection)) await publishLeftoverRevisions(connection, catalogue);
    return statements;
  };
  const statements = await withConnection(url, callback, distribute ? 'distribute it' : undefined);
  return statements.length === 0 ? [] : ['BEGIN', ACQUIRE_MIGRATION_LOCK, ...statements, 'COMMIT'];
}

/**
 * That there is a database of ours at the address. It is brought along where this Tenor is newer,
 * but what it has lost is not mended.
 */
export async function assertTenorDatabase(
  url: string,
  catalogue: readonly Dataset[],
): Promise<void> {
  await withConnection(url, async (connection) => {
    if (await hasNoSchema(connection)) throw new StoreUnusableError('it has no tables of Tenor');
    const added: Dataset[] = [];
    for (const dataset of catalogue)
      if (await hasNoTables(connection, dataset)) added.push(dataset);
    await migrateSchema(connection, added).catch(explainMissingPrivilege);
  });
}

async function hasNoTables(connection: SQL, dataset: Dataset): Promise<boolean> {
  const { currentTable, historyTable } = getStorageTable(dataset);
  const sql = 'SELECT 1 AS one WHERE coalesce(to_regclass(?), to_regclass(?)) IS NULL';
  return (await query(connection, { sql, values: [currentTable, historyTable] })).length > 0;
}

async function hasNoSchema(connection: SQL): Promise<boolean> {
  const sql = "SELECT 1 AS one WHERE to_regclass('tenor_schema') IS NULL";
  return (await query(connection, { sql, values: [] })).length > 0;
}

function getDialectIfCurrent(
  url: string,
  catalogue: readonly Dataset[],
): Promise<Dialect | undefined> {
  return withConnection(url, async (connection) =>
    (await findMissingStatements(connection, catalogue)).length === 0
      ? detectDialect(connection)
      : undefined,
  );
}

async function detectDialect(connection: SQL): Promise<Dialect> {
  return (await isDistributed(connection)) ? distributedDialect : singleServerDialect;
}

/** Does a piece of work at an address; a failure says where it was, and what cannot be done. */
async function withConnection<T>(
  url: string,
  callback: (connection: SQL) => Promise<T>,
  what = 'use it as the database',
): Promise<T> {
  const connection = createWriteConnection(url);
  try {
    return await callback(connection);
  } catch (cause) {
    const { message } = cause as Error;
    const where = formatPublicAddress(url);
    if (cause instanceof StoreBusyError) throw cause;
    if (cause instanceof StoreUnavailableError) {
      throw new StoreUnavailableError(`cannot reach ${where}: ${message}`, { cause });
    }
    if (!(cause instanceof StoreUnusableError)) throw cause;
    throw new StoreUnusableError(`cannot ${what.replace('it', where)}: ${message}`, { cause });
  } finally {
    connection.close({ timeout: 0 }).catch(() => {});
  }
}

function explainMissingPrivilege(cause: unknown): never {
  const isDenied = cause instanceof StoreUnusableError && getSqlState(cause.cause) === '42501';
  if (!isDenied) throw cause;
  throw new StoreUnusableError(
    `its schema is to be brought up to date, and this role may not (${cause.message}); run tenor migrate with the role that owns the tables`,
    { cause },
  );
}
