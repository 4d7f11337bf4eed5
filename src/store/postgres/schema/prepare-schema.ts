import type { SQL } from 'bun';
import type { Dataset } from '../../../catalogue/model/dataset.ts';
import { getStorageTable } from '../../../schema/storage-table.ts';
import { formatPublicAddress, listServerUrls } from '../../../shared/postgres-url.ts';
import {
  StoreBusyError,
  StoreMissingError,
  StoreUnavailableError,
  StoreUnusableError,
} from '../../errors.ts';
import type { Dialect } from '../../sql/dialect.ts';
import { getSchemaVersion } from '../../sql/migrations.ts';
import type { MigrateOptions, OnSchemaChange, StoreOpenOptions } from '../../store.ts';
import { acceptLoss } from '../accepted-losses.ts';
import { assertCitusReady, isDistributed } from '../citus/distribute.ts';
import { publishLeftoverRevisions } from '../citus/pending-revisions.ts';
import { closeImmediately, createWriteConnection } from '../connection-pool.ts';
import { distributedDialect, singleServerDialect } from '../dialect.ts';
import { getSqlState } from '../errors.ts';
import { detectPooler } from '../pooler.ts';
import { execute } from '../query.ts';
import { assertSchemaUpToDate, listStatements, migrateSchema } from './migrate-schema.ts';
import { findSchemaChanges, findSchemaVersion, type SchemaChanges } from './schema-changes.ts';

/** Prepares the first server and detects the dialect; if unreachable, a current replica will do. */
export async function prepareSchema(
  [first = '', ...replicas]: readonly string[],
  catalogue: readonly Dataset[],
  { preparation = 'migrate', onSchemaChange }: StoreOpenOptions,
): Promise<Dialect> {
  try {
    return await withConnection(first, async (connection) => {
      const prepare = async () => {
        const from = await findSchemaVersion(connection);
        if (preparation === 'none' || (preparation === 'create' && from > 0))
          return assertSchemaUpToDate(connection, catalogue);
        const changes = await migrateSchema(connection, first, catalogue);
        reportChange(first, from, changes, onSchemaChange);
      };
      await prepare().catch(explainMissingPrivilege);
      return detectDialect(connection);
    });
  } catch (cause) {
    if (!(cause instanceof StoreUnavailableError)) throw cause;
    for (const replica of replicas) {
      const dialect = await withConnection(replica, async (connection) => {
        const changes = await findSchemaChanges(connection, catalogue);
        return listStatements(changes).length === 0 ? detectDialect(connection) : undefined;
      }).catch(() => undefined);
      if (dialect) return dialect;
    }
    throw cause;
  }
}

function reportChange(
  url: string,
  version: number,
  { indexBuilds, transaction }: SchemaChanges,
  onSchemaChange: OnSchemaChange | undefined,
): void {
  // Grants alone change no schema.
  if ([...indexBuilds, ...transaction].every((sql) => sql.includes('GRANT'))) return;
  const [database, from] = [formatPublicAddress(url), version === 0 ? null : version];
  onSchemaChange?.({ database, from, to: getSchemaVersion() });
}

/** Migrates a database; returns the statements, and only them in a dry run. */
export async function migratePostgres(
  url: string,
  catalogue: readonly Dataset[],
  { isDryRun, distribute = false, lostRevision, onSchemaChange }: MigrateOptions,
): Promise<readonly string[]> {
  const [primary = ''] = await findPrimaryFirst(url);
  const migrate = async (connection: SQL) => {
    if (distribute && !(await isDistributed(connection))) await assertCitusReady(connection);
    const scope = { grants: true, distribute };
    if (isDryRun) return findSchemaChanges(connection, catalogue, scope);
    const from = await findSchemaVersion(connection);
    const changes = await migrateSchema(connection, primary, catalogue, scope).catch(
      explainMissingPrivilege,
    );
    reportChange(primary, from, changes, onSchemaChange);
    if (await isDistributed(connection)) await publishLeftoverRevisions(connection, catalogue);
    if (lostRevision !== undefined) await acceptLoss(connection, lostRevision);
    return changes;
  };
  const action = distribute ? 'distribute it' : undefined;
  return listStatements(await withConnection(primary, migrate, action));
}

/** The URLs of the servers that a URL names, but first one that is a primary, if there is one. */
export async function findPrimaryFirst(databaseUrl: string): Promise<readonly string[]> {
  const urls = listServerUrls(databaseUrl);
  if (urls.length === 1) return urls;
  for (const url of urls) {
    const sql = 'SELECT 1 AS one WHERE NOT pg_is_in_recovery()';
    const primary = await withConnection(url, (connection) => execute(connection, sql)).catch(
      (cause) => {
        if (cause instanceof StoreUnavailableError) return [];
        throw cause;
      },
    );
    if (primary.length > 0) return [url, ...urls.filter((other) => other !== url)];
  }
  return urls;
}

/** Asserts that a database can be inspected; parts that were removed from it are for the caller. */
export function assertInspectable(url: string, catalogue: readonly Dataset[]): Promise<Dialect> {
  return withConnection(url, async (connection) => {
    const newDatasets: Dataset[] = [];
    for (const dataset of catalogue) {
      const { currentTable, historyTable } = getStorageTable(dataset);
      const oids = `to_regclass('${currentTable}'), to_regclass('${historyTable}')`;
      const sql = `SELECT 1 AS one WHERE coalesce(${oids}) IS NOT NULL`;
      if ((await execute(connection, sql)).length === 0) newDatasets.push(dataset);
    }
    await assertSchemaUpToDate(connection, newDatasets);
    return detectDialect(connection);
  });
}

async function detectDialect(connection: SQL): Promise<Dialect> {
  return (await isDistributed(connection)) ? distributedDialect : singleServerDialect;
}

/** Runs a callback with a connection; errors name the database and what cannot be done. */
export async function withConnection<T>(
  url: string,
  callback: (connection: SQL) => Promise<T>,
  action = 'use it as the database',
): Promise<T> {
  const connection = createWriteConnection(url);
  try {
    return await callback(connection);
  } catch (cause) {
    if (detectPooler(url, cause)) return await withConnection(url, callback, action);
    const { message } = cause as Error;
    const address = formatPublicAddress(url);
    if (cause instanceof StoreBusyError) throw cause;
    if (cause instanceof StoreMissingError)
      throw new StoreMissingError(`there are no tables of Tenor in ${address}`, { cause });
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
