import type { Dataset } from '../catalogue/dataset.ts';
import { inspectPostgres, isPostgres, openPostgres } from './postgres/index.ts';
import { inspectSqlite, openSqlite } from './sqlite/index.ts';
import type { Inspector, Reach, Store } from './store.ts';

export type * from './selection.ts';
export * from './store.ts';

/** Opens the store that a database URL names, making it where there is none. */
export async function openStore(
  url: string,
  catalogue: readonly Dataset[],
  reach: Reach = {},
): Promise<Store> {
  return isPostgres(url) ? openPostgres(url, catalogue, reach) : openSqlite(url, catalogue);
}

/**
 * Looks into the store that a database URL names, as it is: it is not made where there is none,
 * and what it lacks is not mended, so that the inspector can tell.
 */
export async function inspect(url: string, catalogue: readonly Dataset[]): Promise<Inspector> {
  return isPostgres(url) ? inspectPostgres(url, catalogue) : inspectSqlite(url, catalogue);
}
