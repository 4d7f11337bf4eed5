import type { Dataset } from '../../../catalogue/model/dataset.ts';
import { StoreUnusableError } from '../../errors.ts';
import type { SchemaDefinition } from '../../sql/dialect.ts';
import { assertKnownVersion, getMigrations, getSchemaDefinitions } from '../../sql/schema.ts';
import { REPLACED_TABLES } from '../../sql/take-over-series.ts';
import {
  buildDistributeStatements,
  isDistributed,
  SET_SEQUENTIAL_MODE,
} from '../citus/distribute.ts';
import { postgresTableDialect } from '../dialect.ts';
import { execute, type SqlExecutor } from '../query.ts';
import {
  type DefinitionChange,
  dropIndexSql,
  isIndexAsDefined,
  normalizeSql,
  planIndexChange,
  planIndexDrops,
  type Relation,
  type Relations,
} from './index-changes.ts';
import { buildGrants, findMissingGrants } from './roles.ts';
import { INDEX_DEFINITION_SQL, listViewColumns } from './schema-differences.ts';

// Citus executes one statement at a time.
const MIGRATIONS = getMigrations(postgresTableDialect).map((migration) => migration.split('; '));
export const POSTGRES_SCHEMA_VERSION = MIGRATIONS.length;

const DROP_INDEX_PATTERN = /^DROP INDEX IF EXISTS (\w+)$/;

/** Changes beyond what reading and publishing need. */
export interface MigrationScope {
  /** Whether missing privileges of roles are granted, where nothing else is missing. */
  readonly grants?: boolean;
  /** Whether indexes of earlier versions are dropped, where nothing else is missing. */
  readonly dropsReplaced?: boolean;
  readonly distribute?: boolean;
}

/** The statements that a schema still needs, in their order; none when it is up to date. */
export interface SchemaChanges {
  /** Each in a transaction of its own: they take long, and no process waits for them. */
  readonly indexBuilds: readonly string[];
  /** All in one transaction. */
  readonly transaction: readonly string[];
  /** Each in a transaction of its own. */
  readonly indexDrops: readonly string[];
}

export async function findSchemaChanges(
  executor: SqlExecutor,
  catalogue: readonly Dataset[],
  scope: MigrationScope = {},
): Promise<SchemaChanges> {
  const relations = await findRelations(executor);
  const version = await readSchemaVersion(executor, relations);
  assertKnownVersion(version, POSTGRES_SCHEMA_VERSION);
  const definitions = getSchemaDefinitions(catalogue, postgresTableDialect);
  // What is missing in a database of this version was removed: no earlier rows take its place.
  const takesOver = (table: string) => version < POSTGRES_SCHEMA_VERSION && relations.has(table);
  const plan = (definition: SchemaDefinition) => planDefinition(relations, definition, takesOver);
  const views = definitions.filter(({ kind }) => kind === 'view').map(plan);
  const others = definitions.filter(({ kind }) => kind !== 'view').map(plan);
  const indexBuilds = others.flatMap(({ builds }) => builds);
  const shouldDistribute = scope.distribute || (await isDistributed(executor));
  const statements = [
    ...buildMigrations(version),
    ...others.flatMap(({ transaction }) => transaction),
    ...(shouldDistribute ? await buildDistributeStatements(executor, catalogue) : []),
    // A view of a cluster cannot depend on a table that is not distributed.
    ...views.flatMap(({ transaction }) => transaction),
  ];
  const isUpToDate = indexBuilds.length + statements.length === 0;
  if (!isUpToDate) statements.push(...buildGrants(catalogue));
  else if (scope.grants)
    statements.push(...(await findMissingGrants(executor, catalogue, shouldDistribute)));
  const indexDrops =
    isUpToDate && scope.dropsReplaced ? planObsoleteDrops(relations, definitions) : [];
  if (shouldDistribute && statements.length > 0) statements.unshift(SET_SEQUENTIAL_MODE);
  return { indexBuilds, transaction: statements, indexDrops };
}

/** The version of the schema; 0 where there is none. */
export async function findSchemaVersion(executor: SqlExecutor): Promise<number> {
  return readSchemaVersion(executor, await findRelations(executor));
}

export async function querySchemaVersion(executor: SqlExecutor): Promise<number> {
  const sql = 'SELECT version FROM tenor_schema';
  const [row] = await execute<{ version: number }>(executor, sql);
  return row?.version ?? 0;
}

async function findRelations(executor: SqlExecutor): Promise<Relations> {
  const rows = await execute<Relation & { name: string }>(
    executor,
    `SELECT relname AS name, obj_description(pg_class.oid, 'pg_class') AS comment,
      CASE WHEN indisvalid AND indisready THEN ${INDEX_DEFINITION_SQL} END AS "indexDefinition",
      CASE WHEN relkind = 'v' THEN (SELECT string_agg(attname, ', ' ORDER BY attnum)
        FROM pg_attribute WHERE attrelid = pg_class.oid AND attnum > 0) END AS columns
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

const CREATE_VERSION_TABLE = [
  'CREATE TABLE tenor_schema (version INTEGER NOT NULL)',
  'INSERT INTO tenor_schema VALUES (0)',
];

/** The migrations that a version lacks. The indexes that they drop are dropped later, if at all. */
function buildMigrations(version: number): string[] {
  if (version === POSTGRES_SCHEMA_VERSION) return [];
  const missing = MIGRATIONS.slice(version).flat();
  return [
    ...(version === 0 ? CREATE_VERSION_TABLE : []),
    ...missing.filter((sql) => !DROP_INDEX_PATTERN.test(sql)),
    `UPDATE tenor_schema SET version = ${POSTGRES_SCHEMA_VERSION}`,
  ];
}

/** Tables that were replaced, and indexes that migrations drop, that were replaced, or unfinished. */
function planObsoleteDrops(
  relations: Relations,
  definitions: readonly SchemaDefinition[],
): string[] {
  const dropped = MIGRATIONS.flat().map((sql) => DROP_INDEX_PATTERN.exec(sql)?.[1] ?? '');
  const indexes = definitions.filter(({ kind }) => kind === 'index').map(({ name }) => name);
  return [
    ...dropped.filter((name) => relations.has(name)).map(dropIndexSql),
    ...REPLACED_TABLES.filter((name) => relations.has(name)).map((name) => `DROP TABLE ${name}`),
    ...planIndexDrops(relations, indexes),
  ];
}

/** Views and indexes hold no data of their own: outdated ones are replaced; tables are updated. */
function planDefinition(
  relations: Relations,
  definition: SchemaDefinition,
  exists: (table: string) => boolean,
): DefinitionChange {
  const { kind, name, sql, table = '', fill, updateSql } = definition;
  // PostgreSQL does not store the text of a definition: a comment has its digest.
  const digest = new Bun.CryptoHasher('sha256').update(normalizeSql(sql)).digest('hex');
  const comment = `made by Tenor, ${digest.slice(0, 16)}`;
  const keyword = kind.toUpperCase();
  const setComment = `COMMENT ON ${keyword} ${name} IS '${comment}'`;
  const relation = relations.get(name);
  const inTransaction = (...transaction: string[]) => ({ builds: [], transaction });
  if (relation && isCurrent(relation, definition, comment)) return inTransaction();
  if (kind === 'index' && relations.has(table)) {
    const { builds, transaction } = planIndexChange(relations, definition);
    return { builds, transaction: [...transaction, setComment] };
  }
  if (!relation) return inTransaction(sql, ...(fill?.(exists) ?? []), setComment);
  if (kind === 'view') {
    // Grants and the views of others stay where the columns do.
    const isReplaceable = definition.keepsColumnTypes && relation.columns === listViewColumns(sql);
    const replace = isReplaceable
      ? [sql.replace(/^CREATE/, 'CREATE OR REPLACE')]
      : [`DROP VIEW ${name}`, sql];
    return inTransaction(...replace, setComment);
  }
  return updateSql === undefined ? inTransaction() : inTransaction(updateSql, setComment);
}

/** An administrator may have created an index anew, without the comment. */
function isCurrent(relation: Relation, definition: SchemaDefinition, comment: string): boolean {
  if (definition.kind !== 'index') return relation.comment === comment;
  if (relation.indexDefinition === null) return false;
  return relation.comment === comment || isIndexAsDefined(relation, definition);
}
