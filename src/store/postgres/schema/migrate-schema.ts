import type { SQL } from 'bun';
import type { Dataset } from '../../../catalogue/model/dataset.ts';
import { system } from '../../../shared/system.ts';
import { StoreBusyError, StoreMissingError } from '../../errors.ts';
import { assertNotMigrated, assertUpToDate, NOTHING_PUBLISHED } from '../../sql/schema.ts';
import { isDistributed } from '../citus/distribute.ts';
import { publishLeftoverRevisions } from '../citus/pending-revisions.ts';
import { closeImmediately, createWriteConnection } from '../connection-pool.ts';
import { getSqlState, toStoreError } from '../errors.ts';
import { execute, type SqlExecutor } from '../query.ts';
import { acquireWriteLock, tryAcquireLock, WRITE_LOCK_KEY } from '../session.ts';
import {
  findSchemaChanges,
  findSchemaVersion,
  type MigrationScope,
  querySchemaVersion,
  type SchemaChanges,
} from './schema-changes.ts';

/**
 * Runs missing migrations and creates missing parts of datasets; returns the statements. One
 * connection holds the lock, while another one to the same database builds indexes.
 */
export async function migrateSchema(
  lockConnection: SQL,
  url: string,
  catalogue: readonly Dataset[],
  scope: MigrationScope = {},
): Promise<SchemaChanges> {
  const missing = await findSchemaChanges(lockConnection, catalogue, scope);
  if (listStatements(missing).length === 0) return missing;
  const indexConnection = createWriteConnection(url);
  let publishersWait: Promise<unknown> | undefined;
  try {
    const made = await lockConnection.begin(async (transaction) => {
      await acquireMigrationLock(transaction);
      // Read again with the lock: another process may have migrated meanwhile.
      const changes = await findSchemaChanges(indexConnection, catalogue, scope);
      // Building an index would wait for a publisher, too. Outside a transaction, the lock ends at once.
      await acquireWriteLock(indexConnection);
      // A migration may enter a revision in the ledger, whose number a pending one could have.
      if (await isDistributed(indexConnection))
        await publishLeftoverRevisions(indexConnection, catalogue);
      await runConcurrently(indexConnection, changes.indexBuilds);
      const made = await runTransaction(transaction, catalogue, scope);
      // With the commit, the write lock goes over to who waits for it.
      if (made.isUpgrade) publishersWait = holdWriteLock(indexConnection);
      publishersWait?.catch(() => {});
      return { ...made, indexBuilds: changes.indexBuilds };
    });
    await publishersWait;
    return made;
  } catch (cause) {
    if (getSqlState((cause as Error).cause) === LOCK_NOT_AVAILABLE)
      throw new StoreBusyError('the tables are in use', { cause });
    throw toStoreError(cause);
  } finally {
    closeImmediately(indexConnection);
  }
}

/** Keeps publishers waiting until servers of the version before, which do not read the new tables, end. */
async function holdWriteLock(connection: SQL): Promise<void> {
  await connection.begin(async (transaction) => {
    await execute(transaction, `SELECT pg_advisory_xact_lock(${WRITE_LOCK_KEY})`);
    await system.sleep(OLD_SERVERS_END_MS);
  });
}

/** A heartbeat, which tells them the version, comes after 250 ms and takes up to 500. */
const OLD_SERVERS_END_MS = 1_000;

/** All statements of a migration, which can be run by hand one after another. */
export function listStatements({ indexBuilds, transaction }: SchemaChanges): readonly string[] {
  return [
    ...indexBuilds,
    ...(transaction.length === 0
      ? []
      : ['BEGIN', `SELECT pg_advisory_xact_lock(${MIGRATION_LOCK_KEY})`, ...transaction, 'COMMIT']),
  ];
}

/** Builds and drops indexes. They wait for the transactions of others, and no other waits for them. */
async function runConcurrently(
  connection: SqlExecutor,
  statements: readonly string[],
): Promise<void> {
  if (statements.length === 0) return;
  await execute(connection, `SET lock_timeout = '${INDEX_LOCK_TIMEOUT_MS}ms'`);
  // Parallel workers would take the cores that servers read with.
  await execute(connection, 'SET max_parallel_maintenance_workers = 0');
  for (const sql of statements) await execute(connection, sql);
}

async function runTransaction(
  connection: SqlExecutor,
  catalogue: readonly Dataset[],
  scope: MigrationScope,
): Promise<SchemaChanges> {
  // Readers would queue behind an ALTER TABLE that itself waits for a publisher.
  await acquireWriteLock(connection);
  await execute(connection, `SET LOCAL lock_timeout = '${LOCK_TIMEOUT_MS}ms'`);
  const changes = await findSchemaChanges(connection, catalogue, scope);
  if (changes.indexBuilds.length > 0)
    throw new StoreBusyError('its indexes were changed meanwhile');
  for (const sql of changes.transaction) await execute(connection, sql);
  return changes;
}

/** An export that is downloaded slowly takes minutes. */
const INDEX_LOCK_TIMEOUT_MS = 600_000;
const LOCK_TIMEOUT_MS = 1_000;
const LOCK_NOT_AVAILABLE = '55P03';

const MIGRATION_LOCK_KEY = "hashtext('tenor migrate'), hashtext(current_schema())";
const MIGRATION_LOCK_RETRY_MS = 50;

/**
 * Waits until no other process migrates. A statement that waits for the lock would have a snapshot,
 * which the building of an index waits for: a deadlock.
 */
async function acquireMigrationLock(connection: SqlExecutor): Promise<void> {
  while (!(await tryAcquireLock(connection, MIGRATION_LOCK_KEY)))
    await system.sleep(MIGRATION_LOCK_RETRY_MS);
}

/** Rejects a schema that a newer Tenor has migrated since it was opened. */
export async function assertStillKnown(executor: SqlExecutor): Promise<void> {
  const version = await querySchemaVersion(executor);
  assertNotMigrated(version, NOTHING_PUBLISHED);
}

/** Rejects a missing or an older schema. */
export async function assertSchemaUpToDate(
  executor: SqlExecutor,
  catalogue: readonly Dataset[],
): Promise<void> {
  const version = await findSchemaVersion(executor);
  if (version === 0) throw new StoreMissingError('it has no tables of Tenor');
  const missing = listStatements(await findSchemaChanges(executor, catalogue));
  assertUpToDate(version, missing);
}
