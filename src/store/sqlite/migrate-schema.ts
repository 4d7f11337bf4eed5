import type { Database } from 'bun:sqlite';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { StoreUnusableError } from '../errors.ts';
import { getMigrations, getSchemaDefinitions } from '../sql/schema.ts';
import { sqliteTableDialect } from './dialect.ts';

const MIGRATIONS = getMigrations(sqliteTableDialect);

/** What is brought up to date: all that is lacking, or only what a newer Tenor brings. */
export type MigrationScope = 'all' | 'new';

/**
 * Brings a database's schema up to date: the numbered steps it has not had, and whatever the
 * catalogue's datasets lack. Of two starts at once, one does it and the other finds it done.
 */
export function migrateSchema(
  database: Database,
  catalogue: readonly Dataset[],
  extent: MigrationScope = 'all',
): void {
  if (findMissingStatements(database, catalogue, extent).length === 0) return;
  database
    .transaction(() => {
      // Asked again under the lock: another start may have been faster.
      for (const statement of findMissingStatements(database, catalogue, extent))
        database.run(statement);
    })
    .immediate();
}

/** The statements that the schema still needs; none when it is up to date. */
export function findMissingStatements(
  database: Database,
  catalogue: readonly Dataset[],
  extent: MigrationScope = 'all',
): string[] {
  const done = Number(database.query('PRAGMA user_version').values()[0]?.[0]);
  if (done > MIGRATIONS.length) {
    throw new StoreUnusableError(
      `its schema is version ${done}, and this Tenor knows versions up to ${MIGRATIONS.length}; use a newer Tenor`,
    );
  }
  const steps = MIGRATIONS.slice(done);
  const counted = steps.length > 0 ? [`PRAGMA user_version = ${MIGRATIONS.length}`] : [];
  // A database of an older Tenor may lack what was not there to be had.
  const own = catalogue.flatMap((dataset) =>
    buildMissingDefinitions(database, dataset, steps.length > 0 ? 'all' : extent),
  );
  return [...steps, ...counted, ...own];
}

function buildMissingDefinitions(
  database: Database,
  dataset: Dataset,
  extent: MigrationScope,
): string[] {
  const standing = database.query<{ sql: string }, [string]>(
    'SELECT sql FROM sqlite_schema WHERE name = ?',
  );
  const definitions = getSchemaDefinitions(dataset, sqliteTableDialect);
  const isNew = !definitions.some(({ name }) => standing.get(name));
  return definitions.flatMap(({ kind, name, sql }) => {
    const existing = standing.get(name);
    if (extent === 'new' && !isNew && !(kind === 'view' && existing)) return [];
    if (!existing) return [sql];
    // Views and indexes hold no data: one that has fallen behind is simply made anew.
    const isStale = kind !== 'table' && existing.sql !== sql;
    return isStale ? [`DROP ${kind.toUpperCase()} ${name}`, sql] : [];
  });
}
