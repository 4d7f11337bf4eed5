import type { SQL } from 'bun';
import type { Dataset } from '../../../catalogue/model/dataset.ts';
import { getStorageTable } from '../../../schema/storage-table.ts';
import { StoreBusyError, StoreUnavailableError, StoreUnusableError } from '../../errors.ts';
import type { Dialect } from '../../sql/dialect.ts';
import type { MigrateOptions } from '../../store.ts';
import { assertCitusReady, isDistributed } from '../citus/distribute.ts';
import { publishLeftoverRevisions } from '../citus/pending-revisions.ts';
import {
  closeImmediately,
  createWriteConnection,
  formatPublicAddress,
} from '../connection-pool.ts';
import { distributedDialect, singleServerDialect } from '../dialect.ts';
import { getSqlState } from '../errors.ts';
import { execute } from '../query.ts';
import { ACQUIRE_MIGRATION_LOCK, findMissingStatements, migrateSchema } from './migrate-schema.ts';

/** Migrates the first server and detects the dialect; if unreachable, a current replica will do. */
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

/** Migrates a database; returns the statements, and only them in a dry run. */
export async function migratePostgres(
  url: string,
  catalogue: readonly Dataset[],
  { isDryRun, distribute = false }: MigrateOptions,
): Promise<string[]> {
  const migrate = async (connection: SQL) => {
    if (distribute && !(await isDistributed(connection))) await assertCitusReady(connection);
    const scope = { grants: true, distribute };
    if (isDryRun) return findMissingStatements(connection, catalogue, scope);
    const statements = await migrateSchema(connection, catalogue, scope).catch(
      explainMissingPrivilege,
    );
    if (await isDistributed(connection)) await publishLeftoverRevisions(connection, catalogue);
    return statements;
  };
  const statements = await withConnection(url, migrate, distribute ? 'distribute it' : undefined);
  return statements.length === 0 ? [] : ['BEGIN', ACQUIRE_MIGRATION_LOCK, ...statements, 'COMMIT'];
}

/** Asserts that the URL has a database of Tenor, and upgrades it; missing parts are not repaired. */
export async function assertTenorDatabase(
  url: string,
  catalogue: readonly Dataset[],
): Promise<void> {
  await withConnection(url, async (connection) => {
    if (!(await hasAnyTable(connection, ['tenor_schema'])))
      throw new StoreUnusableError('it has no tables of Tenor');
    const newDatasets: Dataset[] = [];
    for (const dataset of catalogue) {
      const { currentTable, historyTable } = getStorageTable(dataset);
      if (!(await hasAnyTable(connection, [currentTable, historyTable]))) newDatasets.push(dataset);
    }
    await migrateSchema(connection, newDatasets).catch(explainMissingPrivilege);
  });
}

async function hasAnyTable(connection: SQL, names: readonly string[]): Promise<boolean> {
  const oids = names.map((name) => `to_regclass('${name}')`).join(', ');
  const sql = `SELECT 1 AS one WHERE coalesce(${oids}) IS NOT NULL`;
  return (await execute(connection, sql)).length > 0;
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

/** Runs a callback with a connection; errors name the database and what cannot be done. */
async function withConnection<T>(
  url: string,
  callback: (connection: SQL) => Promise<T>,
  action = 'use it as the database',
): Promise<T> {
  const connection = createWriteConnection(url);
  try {
    return await callback(connection);
  } catch (cause) {
    const { message } = cause as Error;
    const address = formatPublicAddress(url);
    if (cause instanceof StoreBusyError) throw cause;
    if (cause instanceof StoreUnavailableError) {
      throw new StoreUnavailableError(`cannot reach ${address}: ${message}`, { cause });
    }
    if (!(cause instanceof StoreUnusableError)) throw cause;
    throw new StoreUnusableError(`cannot ${action.replace('it', address)}: ${message}`, { cause });
  } finally {
    closeImmediately(connection);
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
