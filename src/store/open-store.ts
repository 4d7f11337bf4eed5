import type { Dataset } from '../catalogue/model/dataset.ts';
import { StoreUnusableError } from './errors.ts';
import type { StoreInspector } from './inspector.ts';
import {
  isPostgresUrl,
  migratePostgres,
  openPostgres,
  openPostgresInspector,
} from './postgres/open-postgres.ts';
import { migrateSqlite, openSqlite, openSqliteInspector } from './sqlite/open-sqlite.ts';
import type { MigrateOptions, Store, StoreConnectionOptions } from './store.ts';

export type { Batches } from './batches.ts';
export * from './errors.ts';
export type * from './inspector.ts';
export type * from './ledger.ts';
export type * from './publisher.ts';
export type * from './reader.ts';
export type * from './selection.ts';
export type * from './server-health.ts';
export type * from './store.ts';
export type * from './token-store.ts';

/** Opens the store that a database URL names, making it where there is none. */
export async function openStore(
  url: string,
  catalogue: readonly Dataset[],
  reach: StoreConnectionOptions = {},
): Promise<Store> {
  if (isPostgresUrl(url)) return openPostgres(url, catalogue, reach);
  if (reach.replicas?.length) {
    throw new StoreUnusableError(
      'DATABASE_REPLICAS are for PostgreSQL, and DATABASE_URL is a file',
    );
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
  how: MigrateOptions = {},
): Promise<readonly string[]> {
  return isPostgresUrl(url)
    ? migratePostgres(url, catalogue, how)
    : migrateSqlite(url, catalogue, how);
}

/**
 * Looks into the store that a database URL names, as it is: it is not made where there is none,
 * and what it lacks is not mended, so that the inspector can tell.
 */
export async function openInspector(
  url: string,
  catalogue: readonly Dataset[],
): Promise<StoreInspector> {
  return isPostgresUrl(url)
    ? openPostgresInspector(url, catalogue)
    : openSqliteInspector(url, catalogue);
}
