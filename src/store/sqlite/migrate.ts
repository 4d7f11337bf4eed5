import type { Database } from 'bun:sqlite';
import type { Dataset } from '../../catalogue/dataset.ts';
import { definitionsOf, migrationsIn } from '../sql/schema.ts';
import { StoreRefused } from '../store.ts';
import { sqliteTables } from './dialect.ts';

const migrations = migrationsIn(sqliteTables);

/** What is brought up to date: all that is lacking, or only what a newer Tenor brings. */
export type Extent = 'all' | 'new';

/**
 * Brings a database's schema up to date: the numbered steps it has not had, and whatever the
 * catalogue's datasets lack. Of two starts at once, one does it and the other finds it done.
 */
export function migrate(
  database: Database,
  catalogue: readonly Dataset[],
  extent: Extent = 'all',
): void {
  if (missing(database, catalogue, extent).length === 0) return;
  database
    .transaction(() => {
      // Asked again under the lock: another start may have been faster.
      for (const statement of missing(database, catalogue, extent)) database.run(statement);
    })
    .immediate();
}

/** The statements that the schema still needs; none when it is up to date. */
export function missing(
  database: Database,
  catalogue: readonly Dataset[],
  extent: Extent = 'all',
): string[] {
  const done = Number(database.query('PRAGMA user_version').values()[0]?.[0]);
  if (done > migrations.length) {
    throw new StoreRefused(
      `its schema is version ${done}, and this Tenor knows versions up to ${migrations.length}; use a newer Tenor`,
    );
  }
  const steps = migrations.slice(done);
  const counted = steps.length > 0 ? [`PRAGMA user_version = ${migrations.length}`] : [];
  // A database of an older Tenor may lack what was not there to be had.
  const own = catalogue.flatMap((dataset) =>
    lacking(database, dataset, steps.length > 0 ? 'all' : extent),
  );
  return [...steps, ...counted, ...own];
}

function lacking(database: Database, dataset: Dataset, extent: Extent): string[] {
  const standing = database.query<{ sql: string }, [string]>(
    'SELECT sql FROM sqlite_schema WHERE name = ?',
  );
  const definitions = definitionsOf(dataset, sqliteTables);
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
