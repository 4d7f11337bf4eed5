import type { Database } from 'bun:sqlite';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import {
  assertKnownVersion,
  assertNotMigrated,
  assertUpToDate,
  DROP_TOKENS_TABLE,
  getMigrations,
  getSchemaDefinitions,
} from '../sql/schema.ts';
import { queryValue } from './connection.ts';
import { sqliteTableDialect } from './dialect.ts';
import { copyTokens } from './token-store.ts';

const MIGRATIONS = getMigrations(sqliteTableDialect);
export const SQLITE_SCHEMA_VERSION = MIGRATIONS.length;

/** Whether everything missing is created, or only what a newer Tenor adds. */
type MigrationScope = 'all' | 'new';

/**
 * Brings a schema up to date: migrations that it has not had, and missing parts of datasets.
 * Returns the version before; undefined where nothing was missing.
 */
export function migrateSchema(
  database: Database,
  catalogue: readonly Dataset[],
): number | undefined {
  if (findMissingStatements(database, catalogue).length === 0) return undefined;
  return database
    .transaction(() => {
      // Read again with the lock: another process may have migrated meanwhile.
      const version = readVersion(database);
      const statements = findMissingStatements(database, catalogue);
      for (const statement of statements) {
        if (statement === DROP_TOKENS_TABLE) copyTokens(database);
        database.run(statement);
      }
      return statements.length === 0 ? undefined : version;
    })
    .immediate();
}

/** Rejects an older schema; `new` leaves it to the caller to find parts that were removed. */
export function assertFileUpToDate(
  database: Database,
  catalogue: readonly Dataset[],
  scope: MigrationScope = 'all',
): void {
  assertUpToDate(
    readVersion(database),
    SQLITE_SCHEMA_VERSION,
    findMissingStatements(database, catalogue, scope),
  );
}

/** Rejects a schema that a newer Tenor has migrated since it was opened. */
export function assertStillKnown(database: Database, consequence?: string): void {
  assertNotMigrated(readVersion(database), SQLITE_SCHEMA_VERSION, consequence);
}

/** The statements that the schema still needs; none when it is up to date. */
export function findMissingStatements(
  database: Database,
  catalogue: readonly Dataset[],
  scope: MigrationScope = 'all',
): string[] {
  const version = readVersion(database);
  assertKnownVersion(version, SQLITE_SCHEMA_VERSION);
  const migrations = MIGRATIONS.slice(countMigrations(database, version));
  const isOutdated = migrations.length > 0;
  // A database of an older Tenor may lack anything that is newer.
  const definitions = buildMissingDefinitions(database, catalogue, isOutdated, scope);
  const setVersion = isOutdated ? [`PRAGMA user_version = ${SQLITE_SCHEMA_VERSION}`] : [];
  return [...migrations, ...setVersion, ...definitions];
}

function readVersion(database: Database): number {
  return Number(queryValue(database, 'PRAGMA user_version'));
}

/**
 * How many migrations a version stands for. The ninth was once a table of terms, which quotes have
 * had a table of their own for since: such a database has had eight of today's.
 */
function countMigrations(database: Database, version: number): number {
  const hasSecrets = database.query("SELECT 1 FROM sqlite_schema WHERE name = 'secrets'").get();
  return version === 9 && !hasSecrets ? 8 : version;
}

function buildMissingDefinitions(
  database: Database,
  catalogue: readonly Dataset[],
  isOutdated: boolean,
  requestedScope: MigrationScope,
): string[] {
  const scope = isOutdated ? 'all' : requestedScope;
  const rows = database.query<{ name: string; sql: string }, []>(
    'SELECT name, sql FROM sqlite_schema',
  );
  const existing = new Map(rows.all().map(({ name, sql }) => [name, sql]));
  const getDefinitions = (datasets: readonly Dataset[]) =>
    getSchemaDefinitions(datasets, sqliteTableDialect);
  // What is missing in a file of this version was removed: no earlier rows take its place.
  const takesOver = (table: string) => isOutdated && existing.has(table);
  const newNames = new Set(
    catalogue
      .map((dataset) => getDefinitions([dataset]).map(({ name }) => name))
      .filter((names) => !names.some((name) => existing.has(name)))
      .flat(),
  );
  return getDefinitions(catalogue).flatMap(({ kind, name, sql, fill }) => {
    const existingSql = existing.get(name);
    // A view of another version is made again; what else is missing or differs is for the caller.
    const isOfCaller = existingSql === undefined || kind !== 'view';
    if (scope === 'new' && isOfCaller && !newNames.has(name)) return [];
    if (existingSql === undefined) return [sql, ...(fill?.(takesOver) ?? [])];
    // Views and indexes hold no data of their own: outdated ones are recreated.
    const hasChanged = kind !== 'table' && existingSql !== sql;
    return hasChanged ? [`DROP ${kind.toUpperCase()} IF EXISTS ${name}`, sql] : [];
  });
}
