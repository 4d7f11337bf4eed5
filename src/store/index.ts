import type { Dataset } from '../catalogue/dataset.ts';
import { inspectPostgres, isPostgres, migratePostgres, openPostgres } from './postgres/index.ts';
import { inspectSqlite, migrateSqlite, openSqlite } from './sqlite/index.ts';
import type { Inspector, Migrating, Reach, Store } from './store.ts';
import { StoreRefused } from './store.ts';

export type * from './selection.ts';
export * from './store.ts';

/** Opens the store that a database URL names, making it where there is none. */
export async function openStore(
  url: string,
  catalogue: readonly Dataset[],
  reach: Reach = {},
): Promise<Store> {
  if (isPostgres(url)) return openPostgres(url, catalogue, reach);
  if (reach.replicas?.length) {
    throw new StoreRefused('DATABASE_REPLICAS are for PostgreSQL, and DATABASE_URL is a file');
  }
  return openSqlite(url, catalogue);
}

/**
 * Brings the store that a database URL names up to date, making it where there is none, and gives
 * the statements that this took; none where nothing was to be done.
 */
export async function migrateStore(
  url: string,
  catalogue: readonly Dataset[],
  how: Migrating = {},
): Promise<readonly string[]> {
  return isPostgres(url)
    ? migratePostgres(url, catalogue, how)
    : migrateSqlite(url, catalogue, how);
}

/**
 * Looks into the store that a database URL names, as it is: it is not made where there is none,
 * and what it lacks is not mended, so that the inspector can tell.
 */
export async function inspect(url: string, catalogue: readonly Dataset[]): Promise<Inspector> {
  return isPostgres(url) ? inspectPostgres(url, catalogue) : inspectSqlite(url, catalogue);
}
