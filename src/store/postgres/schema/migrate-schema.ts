import type { SQL } from 'bun';
import type { Dataset } from '../../../catalogue/model/dataset.ts';
import { StoreBusyError, StoreMissingError, StoreUnusableError } from '../../errors.ts';
import type { SchemaDefinition } from '../../sql/dialect.ts';
import {
  assertKnownVersion,
  assertNotMigrated,
  assertUpToDate,
  getMigrations,
  getSchemaDefinitions,
} from '../../sql/schema.ts';
import {
  buildDistributeStatements,
  isDistributed,
  SET_SEQUENTIAL_MODE,
} from '../citus/distribute.ts';
import { postgresTableDialect } from '../dialect.ts';
import { getSqlState, toStoreError } from '../errors.ts';
import { execute, type SqlExecutor } from '../query.ts';
import { tryAcquireWriteLock } from '../session.ts';
import { buildGrants, findMissingGrants } from './roles.ts';

const MIGRATIONS = getMigrations(postgresTableDialect);
export const SCHEMA_VERSION = MIGRATIONS.length;

/** What is migrated beyond what reading and publishing need. */
interface MigrationScope {
  /** Whether missing privileges of roles are granted, where nothing else is missing. */
  readonly grants?: boolean;
  readonly distribute?: boolean;
}

/** Runs missing migrations and creates missing parts of datasets; returns the statements. */
export async function migrateSchema(
  pool: SQL,
  catalogue: readonly Dataset[],
  scope: MigrationScope = {},
): Promise<string[]> {
  if ((await findMissingStatements(pool, catalogue, scope)).length === 0) return [];
  try {
    return await pool.begin(async (connection) => {
      await execute(connection, ACQUIRE_MIGRATION_LOCK);
      // Readers would queue behind an ALTER TABLE that itself waits for a publisher.
      if (!(await tryAcquireWriteLock(connection)))
        throw new StoreBusyError('another publisher holds the database');
      await execute(connection, `SET LOCAL lock_timeout = '${LOCK_TIMEOUT_MS}ms'`);
      // Read again with the lock: another process may have migrated meanwhile.
      const statements = await findMissingStatements(connection, catalogue, scope);
      for (const sql of statements) await execute(connection, sql);
      return statements;
    });
  } catch (cause) {
    if (getSqlState((cause as Error).cause) === LOCK_NOT_AVAILABLE)
      throw new StoreBusyError('the tables are in use', { cause });
    throw toStoreError(cause);
  }
}

const LOCK_TIMEOUT_MS = 1_000;
const LOCK_NOT_AVAILABLE = '55P03';

export const ACQUIRE_MIGRATION_LOCK =
  "SELECT pg_advisory_xact_lock(hashtext('tenor migrate'), hashtext(current_schema()))";

/** The statements that the schema still needs; none when it is up to date. */
export async function findMissingStatements(
  executor: SqlExecutor,
  catalogue: readonly Dataset[],
  scope: MigrationScope = {},
): Promise<string[]> {
  const relations = await findRelations(executor);
  const version = await readSchemaVersion(executor, relations);
  assertKnownVersion(version, SCHEMA_VERSION);
  // Citus executes one statement at a time.
  const migrations = MIGRATIONS.slice(version).flatMap((migration) => migration.split('; '));
  const setVersion = `UPDATE tenor_schema SET version = ${SCHEMA_VERSION}`;
  const statements = [
    ...(version === 0 ? CREATE_VERSION_TABLE : []),
    ...migrations,
    ...(migrations.length > 0 ? [setVersion] : []),
    ...catalogue
      .flatMap((dataset) => getSchemaDefinitions(dataset, postgresTableDialect))
      .flatMap((definition) => buildMissingDefinition(relations, definition)),
  ];
  const shouldDistribute = scope.distribute || (await isDistributed(executor));
  if (shouldDistribute) statements.push(...(await buildDistributeStatements(executor, catalogue)));
  if (statements.length > 0) statements.push(...buildGrants(catalogue));
  else if (scope.grants)
    statements.push(...(await findMissingGrants(executor, catalogue, shouldDistribute)));
  return shouldDistribute && statements.length > 0
    ? [SET_SEQUENTIAL_MODE, ...statements]
    : statements;
}

/** The version of the schema; 0 where there is none. */
export async function findSchemaVersion(executor: SqlExecutor): Promise<number> {
  return readSchemaVersion(executor, await findRelations(executor));
}

/** Rejects a schema that a newer Tenor has migrated since it was opened. */
export async function assertStillKnown(executor: SqlExecutor): Promise<void> {
  assertNotMigrated(await queryVersion(executor), SCHEMA_VERSION);
}

/** Rejects a missing or an older schema. */
export async function assertSchemaUpToDate(
  executor: SqlExecutor,
  catalogue: readonly Dataset[],
): Promise<void> {
  const version = await findSchemaVersion(executor);
  if (version === 0) throw new StoreMissingError('it has no tables of Tenor');
  assertUpToDate(version, SCHEMA_VERSION, await findMissingStatements(executor, catalogue));
}

const CREATE_VERSION_TABLE = [
  'CREATE TABLE tenor_schema (version INTEGER NOT NULL)',
  'INSERT INTO tenor_schema VALUES (0)',
];

async function findRelations(executor: SqlExecutor): Promise<ReadonlyMap<string, string | null>> {
  const rows = await execute<{ name: string; comment: string | null }>(
    executor,
    `SELECT relname AS name, obj_description(oid, 'pg_class') AS comment FROM pg_class
    WHERE relnamespace = to_regnamespace(current_schema()) AND relkind IN ('r', 'p', 'i', 'I', 'v')`,
  );
  return new Map(rows.map(({ name, comment }) => [name, comment]));
}

async function readSchemaVersion(
  executor: SqlExecutor,
  relations: ReadonlyMap<string, unknown>,
): Promise<number> {
  if (relations.has('tenor_schema')) return queryVersion(executor);
  const foreign = ['revisions', 'tokens', 'secrets'].find((name) => relations.has(name));
  if (foreign !== undefined) {
    throw new StoreUnusableError(
      `it has a table "${foreign}" that is not Tenor's; give Tenor a database or a schema of its own`,
    );
  }
  // Other encodings cannot store all texts.
  const sql = "SELECT current_setting('server_encoding') AS encoding";
  const [row] = await execute<{ encoding: string }>(executor, sql);
  if (row?.encoding === 'UTF8') return 0;
  throw new StoreUnusableError(`its encoding is ${row?.encoding}; make one with ENCODING 'UTF8'`);
}

async function queryVersion(executor: SqlExecutor): Promise<number> {
  const sql = 'SELECT version FROM tenor_schema';
  const [row] = await execute<{ version: number }>(executor, sql);
  return row?.version ?? 0;
}

/** Views and indexes hold no data of their own: outdated ones are recreated; tables are updated. */
function buildMissingDefinition(
  relations: ReadonlyMap<string, string | null>,
  { kind, name, sql, fillSql, updateSql }: SchemaDefinition,
): string[] {
  // PostgreSQL does not store the text of a definition: a comment has its digest.
  const digest = new Bun.CryptoHasher('sha256').update(sql.replace(/\s+/g, ' ')).digest('hex');
  const comment = `made by Tenor, ${digest.slice(0, 16)}`;
  const keyword = kind.toUpperCase();
  const setComment = `COMMENT ON ${keyword} ${name} IS '${comment}'`;
  if (!relations.has(name)) return [sql, ...(fillSql === undefined ? [] : [fillSql]), setComment];
  if (relations.get(name) === comment) return [];
  if (kind !== 'table') return [`DROP ${keyword} ${name}`, sql, setComment];
  return updateSql === undefined ? [] : [updateSql, setComment];
}
