import type { Database } from 'bun:sqlite';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { StoreUnusableError } from '../errors.ts';
import { DROP_TOKENS_TABLE, getMigrations, getSchemaDefinitions } from '../sql/schema.ts';
import { sqliteTableDialect } from './dialect.ts';
import { copyTokens } from './token-store.ts';

const MIGRATIONS = getMigrations(sqliteTableDialect);

/** Whether everything missing is created, or only what a newer Tenor adds. */
export type MigrationScope = 'all' | 'new';

/** Brings a schema up to date: migrations that it has not had, and missing parts of datasets. */
export function migrateSchema(
  database: Database,
  catalogue: readonly Dataset[],
  scope: MigrationScope = 'all',
): void {
  if (findMissingStatements(database, catalogue, scope).length === 0) return;
  database
    .transaction(() => {
      // Read again with the lock: another process may have migrated meanwhile.
      for (const statement of findMissingStatements(database, catalogue, scope)) {
        if (statement === DROP_TOKENS_TABLE) copyTokens(database);
        database.run(statement);
      }
    })
    .immediate();
}

/** The statements that the schema still needs; none when it is up to date. */
export function findMissingStatements(
  database: Database,
  catalogue: readonly Dataset[],
  scope: MigrationScope = 'all',
): string[] {
  const version = Number(database.query('PRAGMA user_version').values()[0]?.[0]);
  if (version > MIGRATIONS.length) {
    throw new StoreUnusableError(
      `its schema is version ${version}, and this Tenor knows versions up to ${MIGRATIONS.length}; use a newer Tenor`,
    );
  }
  const migrations = MIGRATIONS.slice(version);
  const isOutdated = migrations.length > 0;
  const definitions = catalogue.flatMap((dataset) =>
    // A database of an older Tenor may lack anything that is newer.
    buildMissingDefinitions(database, dataset, isOutdated ? 'all' : scope),
  );
  const setVersion = isOutdated ? [`PRAGMA user_version = ${MIGRATIONS.length}`] : [];
  return [...migrations, ...setVersion, ...definitions];
}

function buildMissingDefinitions(
  database: Database,
  dataset: Dataset,
  scope: MigrationScope,
): string[] {
  const find = database.query<{ sql: string }, [string]>(
    'SELECT sql FROM sqlite_schema WHERE name = ?',
  );
  const definitions = getSchemaDefinitions(dataset, sqliteTableDialect);
  const isNew = !definitions.some(({ name }) => find.get(name));
  return definitions.flatMap(({ kind, name, sql }) => {
    const existing = find.get(name);
    if (scope === 'new' && !isNew && !(kind === 'view' && existing)) return [];
    if (!existing) return [sql];
    // Views and indexes hold no data of their own: outdated ones are recreated.
    const isOutdated = kind !== 'table' && existing.sql !== sql;
    return isOutdated ? [`DROP ${kind.toUpperCase()} ${name}`, sql] : [];
  });
}
