import type { SQL } from 'bun';
import type { Dataset } from '../../../catalogue/model/dataset.ts';
import { StoreBusyError, StoreUnusableError } from '../../errors.ts';
import type { SchemaDefinition } from '../../sql/dialect.ts';
import { getMigrations, getSchemaDefinitions } from '../../sql/schema.ts';
import {
  buildDistributeStatements,
  isDistributed,
  SET_SEQUENTIAL_MODE,
} from '../citus/distribute.ts';
import type { SqlExecutor } from '../connection.ts';
import { getSqlState, query, toStoreError } from '../connection.ts';
import { postgresTableDialect } from '../dialect.ts';
import { tryAcquireWriteLock } from '../write-lock.ts';
import { buildGrants, findMissingGrants } from './roles.ts';

const MIGRATIONS = getMigrations(postgresTableDialect);

/** What is brought up to date beyond what reading and publishing need. */
export interface MigrationScope {
  /** Whether roles get what they lack, where nothing else is missing. */
  readonly grants?: boolean;
  /** Whether records are spread over many machines, where they are not. */
  readonly distribute?: boolean;
}

/**
 * Brings the schema up to date: the numbered steps it has not had, and whatever the catalogue's
 * datasets lack. Of two starts at once, one does it and the other finds it done. Gives what it ran.
 */
export async function migrateSchema(
  pool: SQL,
  catalogue: readonly Dataset[],
  extent: MigrationScope = {},
): Promise<string[]> {
  if ((await findMissingStatements(pool, catalogue, extent)).length === 0) return [];
  try {
    return await pool.begin(async (connection) => {
      await query(connection, { sql: ACQUIRE_MIGRATION_LOCK, values: [] });
      // Readers would queue behind a change of tables that itself waits for a publisher.
      if (!(await tryAcquireWriteLock(connection)))
        throw new StoreBusyError('another publisher holds the database');
      await query(connection, {
        sql: `SET LOCAL lock_timeout = '${LOCK_TIMEOUT_MS}ms'`,
        values: [],
      });
      // Asked again under the lock: another start may have been faster.
      const statements = await findMissingStatements(connection, catalogue, extent);
      for (const sql of statements) await query(connection, { sql, values: [] });
      return statements;
    });
  } catch (cause) {
    if (getSqlState((cause as Error).cause) === LOCK_NOT_AVAILABLE)
      throw new StoreBusyError('the tables are in use', { cause });
    throw toStoreError(cause);
  }
}

/** How long a change of tables may be in the way of those who read them. */
const LOCK_TIMEOUT_MS = 1_000;
/** The state of SQL of what waited for a lock in vain. */
const LOCK_NOT_AVAILABLE = '55P03';

/** What a migration waits for while another one is at work. */
export const ACQUIRE_MIGRATION_LOCK =
  "SELECT pg_advisory_xact_lock(hashtext('tenor migrate'), hashtext(current_schema()))";

/** The statements that the schema still needs; none when it is up to date. */
export async function findMissingStatements(
  executor: SqlExecutor,
  catalogue: readonly Dataset[],
  extent: MigrationScope = {},
): Promise<string[]> {
  const there = await findRelations(executor);
  const done = await readSchemaVersion(executor, there);
  if (done > MIGRATIONS.length) {
    throw new StoreUnusableError(
      `its schema is version ${done}, and this Tenor knows versions up to ${MIGRATIONS.length}; use a newer Tenor`,
    );
  }
  const steps = MIGRATIONS.slice(done);
  const counted = `UPDATE tenor_schema SET version = ${MIGRATIONS.length}`;
  const own = catalogue.flatMap((dataset) =>
    getSchemaDefinitions(dataset, postgresTableDialect).flatMap((definition) =>
      buildMissingDefinition(there, definition),
    ),
  );
  const all = [
    ...(done === 0 ? CREATE_VERSION_TABLE : []),
    ...steps,
    ...(steps.length ? [counted] : []),
    ...own,
  ];
  const isSpread = extent.distribute || (await isDistributed(executor));
  if (isSpread) all.push(...(await buildDistributeStatements(executor, catalogue)));
  if (all.length > 0) all.push(...buildGrants(catalogue));
  else if (extent.grants) all.push(...(await findMissingGrants(executor, catalogue)));
  return isSpread && all.length > 0 ? [SET_SEQUENTIAL_MODE, ...all] : all;
}

/** Where the steps are counted. */
const CREATE_VERSION_TABLE = [
  'CREATE TABLE tenor_schema (version INTEGER NOT NULL)',
  'INSERT INTO tenor_schema VALUES (0)',
];

/** What the schema has, by name, with the mark that was put on it. */
async function findRelations(executor: SqlExecutor): Promise<ReadonlyMap<string, string | null>> {
  const sql = `SELECT relname AS name, obj_description(oid, 'pg_class') AS mark FROM pg_class
    WHERE relnamespace = to_regnamespace(current_schema()) AND relkind IN ('r', 'p', 'i', 'I', 'v')`;
  const rows = (await query(executor, { sql, values: [] })) as {
    name: string;
    mark: string | null;
  }[];
  return new Map(rows.map(({ name, mark }) => [name, mark]));
}

async function readSchemaVersion(
  executor: SqlExecutor,
  there: ReadonlyMap<string, unknown>,
): Promise<number> {
  if (there.has('tenor_schema')) {
    const sql = 'SELECT version FROM tenor_schema';
    const [row] = (await query(executor, { sql, values: [] })) as { version: number }[];
    return row?.version ?? 0;
  }
  const foreign = ['revisions', 'tokens', 'secrets'].find((name) => there.has(name));
  if (foreign !== undefined) {
    throw new StoreUnusableError(
      `it has a table "${foreign}" that is not Tenor's; give Tenor a database or a schema of its own`,
    );
  }
  await assertUtf8(executor);
  return 0;
}

/** In any other encoding there are texts that cannot be kept, nor even asked for. */
async function assertUtf8(executor: SqlExecutor): Promise<void> {
  const sql = "SELECT current_setting('server_encoding') AS encoding";
  const [row] = (await query(executor, { sql, values: [] })) as { encoding: string }[];
  if (row?.encoding === 'UTF8') return;
  throw new StoreUnusableError(`its encoding is ${row?.encoding}; make one with ENCODING 'UTF8'`);
}

/** Views and indexes hold no data: one that has fallen behind is simply made anew. */
function buildMissingDefinition(
  there: ReadonlyMap<string, string | null>,
  { kind, name, sql }: SchemaDefinition,
): string[] {
  const mark = definitionComment(sql);
  const word = kind.toUpperCase();
  const making = [sql, `COMMENT ON ${word} ${name} IS '${mark}'`];
  if (!there.has(name)) return making;
  if (kind === 'table' || there.get(name) === mark) return [];
  return [`DROP ${word} ${name}`, ...making];
}

/** PostgreSQL keeps what a definition means, not its text: a mark tells by which it was made. */
function definitionComment(sql: string): string {
  const digest = new Bun.CryptoHasher('sha256').update(sql.replace(/\s+/g, ' ')).digest('hex');
  return `made by Tenor, ${digest.slice(0, 16)}`;
}
