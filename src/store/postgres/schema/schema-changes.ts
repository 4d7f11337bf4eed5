import type { Dataset } from '../../../catalogue/model/dataset.ts';
import { StoreUnusableError } from '../../errors.ts';
import type { SchemaDefinition } from '../../sql/dialect.ts';
import { getSchemaVersion, listMissingMigrations } from '../../sql/migrations.ts';
import { getSchemaDefinitions } from '../../sql/schema.ts';
import { getSharedDefinitions } from '../../sql/shared-schema.ts';
import {
  buildDistributeStatements,
  isDistributed,
  SET_SEQUENTIAL_MODE,
} from '../citus/distribute.ts';
import { postgresTableDialect } from '../dialect.ts';
import { execute, type SqlExecutor } from '../query.ts';
import { buildGrants, findMissingGrants } from './roles.ts';

/** Changes beyond what reading and publishing need. */
export interface MigrationScope {
  /** Whether missing privileges of roles are granted, if nothing else is missing. */
  readonly grants?: boolean;
  readonly distribute?: boolean;
}

/** The statements that a schema still needs, in their order; none when it is up to date. */
export interface SchemaChanges {
  /** Each in a transaction of its own: they take long, and no process waits for them. */
  readonly indexBuilds: readonly string[];
  /** All in one transaction. */
  readonly transaction: readonly string[];
  /** Whether servers of an earlier version may be running. */
  readonly isUpgrade: boolean;
}

export async function findSchemaChanges(
  executor: SqlExecutor,
  catalogue: readonly Dataset[],
  scope: MigrationScope = {},
): Promise<SchemaChanges> {
  const relations = await findRelations(executor);
  const version = await readSchemaVersion(executor, relations);
  const migrations = listMissingMigrations(version);
  const remade = migrations.flatMap(({ remadeViews = [] }) => remadeViews);
  const missing = [
    ...(version === 0 ? getSharedDefinitions(postgresTableDialect) : []),
    ...getSchemaDefinitions(catalogue, postgresTableDialect),
  ].filter(({ name }) => !relations.get(name)?.isUsable || remade.includes(name));
  const { indexBuilds, tables, views } = planMissing(missing, relations);
  const shouldDistribute = scope.distribute || (await isDistributed(executor));
  const statements = [
    ...(version === 0 ? ['CREATE TABLE tenor_schema (version INTEGER NOT NULL)'] : []),
    ...(version === 0 ? [`INSERT INTO tenor_schema VALUES (${getSchemaVersion()})`] : []),
    ...remade.map((name) => `DROP VIEW ${name}`),
    ...migrations.flatMap((migration) => migration.statements.postgres),
    ...(migrations.length > 0 ? [`UPDATE tenor_schema SET version = ${getSchemaVersion()}`] : []),
    ...tables,
    ...(shouldDistribute ? await buildDistributeStatements(executor, catalogue) : []),
    // A view of a cluster cannot depend on a table that is not distributed.
    ...views,
  ];
  if (statements.length > 0) statements.push(...buildGrants(catalogue));
  else if (scope.grants && indexBuilds.length === 0)
    statements.push(...(await findMissingGrants(executor, catalogue, shouldDistribute)));
  if (shouldDistribute && statements.length > 0) statements.unshift(SET_SEQUENTIAL_MODE);
  return { indexBuilds, transaction: statements, isUpgrade: migrations.length > 0 };
}

/** Statements that create what is missing: indexes of tables that exist without blocking others. */
function planMissing(missing: readonly SchemaDefinition[], relations: Relations) {
  const [indexBuilds, tables, views]: [string[], string[], string[]] = [[], [], []];
  for (const definition of missing) {
    const { kind, name, sql } = definition;
    if (kind === 'table') tables.push(sql, ...(definition.fill ?? []));
    else if (kind === 'view') views.push(sql);
    else if (!relations.has(definition.table)) tables.push(sql);
    else {
      // An earlier run was interrupted.
      if (relations.has(name)) indexBuilds.push(`DROP INDEX CONCURRENTLY ${name}`);
      indexBuilds.push(definition.concurrentSql);
    }
  }
  return { indexBuilds, tables, views };
}

/** The version of the schema; 0 if there is none. */
export async function findSchemaVersion(executor: SqlExecutor): Promise<number> {
  return readSchemaVersion(executor, await findRelations(executor));
}

export async function querySchemaVersion(executor: SqlExecutor): Promise<number> {
  const sql = 'SELECT version FROM tenor_schema';
  const [row] = await execute<{ version: number }>(executor, sql);
  return row?.version ?? 0;
}

/** Tables, indexes and views by name. */
type Relations = ReadonlyMap<string, { readonly isUsable: boolean }>;

async function findRelations(executor: SqlExecutor): Promise<Relations> {
  const rows = await execute<{ name: string; isUsable: boolean }>(
    executor,
    `SELECT relname AS name, coalesce(indisvalid AND indisready, TRUE) AS "isUsable"
    FROM pg_class LEFT JOIN pg_index ON indexrelid = pg_class.oid
    WHERE relnamespace = to_regnamespace(current_schema()) AND relkind IN ('r', 'p', 'i', 'I', 'v')`,
  );
  return new Map(rows.map(({ name, ...relation }) => [name, relation]));
}

async function readSchemaVersion(executor: SqlExecutor, relations: Relations): Promise<number> {
  if (relations.has('tenor_schema')) return querySchemaVersion(executor);
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
