import type { Dataset } from '../catalogue/dataset.ts';
import { inspectPostgres, isPostgres, openPostgres } from './postgres/index.ts';
import type { Condition, OnCondition } from './postgres/servers.ts';
import { inspectSqlite, openSqlite } from './sqlite/index.ts';
import type { Inspector, Patience, Publisher, Reader, TokenStore } from './store.ts';

export type * from './selection.ts';
export * from './store.ts';
export type { Condition };

/** A store whose schema is up to date; each part is a connection of its own. */
export interface Store {
  /** Where the token of whoever starts a server on this machine is kept. */
  readonly localTokenFile: string;
  reader(): Reader;
  publisher(patience?: Patience): Publisher;
  inspector(): Inspector;
  tokens(): TokenStore;
}

/** How to reach a store, where there is more to it than one address. */
export interface Reach {
  /** Servers that follow the one at the address, and may be read from. */
  readonly replicas?: readonly string[];
  /** How many connections to each server readers share. */
  readonly poolSize?: number;
  /** Told when a server is found in another condition than before. */
  readonly onCondition?: OnCondition;
}

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
