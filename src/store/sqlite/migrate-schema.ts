import type { Database } from 'bun:sqlite';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { SchemaDefinition } from '../sql/dialect.ts';
import { getSchemaVersion, listMissingMigrations } from '../sql/migrations.ts';
import { assertNotMigrated, assertUpToDate, getSchemaDefinitions } from '../sql/schema.ts';
import { getSharedDefinitions } from '../sql/shared-schema.ts';
import { queryValue } from './connection.ts';
import { sqliteTableDialect } from './dialect.ts';

/** Whether everything missing is created, or only what a newer Tenor adds. */
type MigrationScope = 'all' | 'new';

/**
 * Brings a schema up to date: migrations that it has not had, and missing parts of datasets.
 * Returns the version before; undefined if nothing was missing.
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
      for (const statement of statements) database.run(statement);
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
  assertUpToDate(readVersion(database), findMissingStatements(database, catalogue, scope));
}

/** Rejects a schema that a newer Tenor has migrated since it was opened. */
export function assertStillKnown(database: Database, consequence?: string): void {
  assertNotMigrated(readVersion(database), consequence);
}

/** The statements that the schema still needs; none when it is up to date. */
export function findMissingStatements(
  database: Database,
  catalogue: readonly Dataset[],
  scope: MigrationScope = 'all',
): string[] {
  const version = readVersion(database);
  const migrations = listMissingMigrations(version);
  const remade = migrations.flatMap(({ remadeViews = [] }) => remadeViews);
  const rows = database.query<unknown, []>('SELECT name FROM sqlite_schema').values();
  const existing = new Set(rows.flat().filter((name) => !remade.includes(String(name))));
  const findMissing = (definitions: readonly SchemaDefinition[]) =>
    definitions.filter(({ name }) => !existing.has(name));
  const isNew = (dataset: Dataset) => {
    const definitions = getSchemaDefinitions([dataset], sqliteTableDialect);
    return findMissing(definitions).length === definitions.length;
  };
  const datasets = scope === 'new' ? catalogue.filter(isNew) : catalogue;
  const missing = findMissing([
    ...(version === 0 ? getSharedDefinitions(sqliteTableDialect) : []),
    ...getSchemaDefinitions(datasets, sqliteTableDialect),
  ]);
  return [
    ...remade.map((name) => `DROP VIEW ${name}`),
    ...migrations.flatMap(({ statements }) => statements.sqlite),
    ...(version === getSchemaVersion() ? [] : [`PRAGMA user_version = ${getSchemaVersion()}`]),
    ...missing.flatMap((definition) =>
      definition.kind === 'table' ? [definition.sql, ...(definition.fill ?? [])] : [definition.sql],
    ),
  ];
}

function readVersion(database: Database): number {
  return Number(queryValue(database, 'PRAGMA user_version'));
}
