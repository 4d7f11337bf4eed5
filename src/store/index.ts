import type { Dataset } from '../catalogue/dataset.ts';
import { sqliteInspector } from './sqlite/inspector.ts';
import { prepare, prepareInspection } from './sqlite/prepare.ts';
import { sqlitePublisher } from './sqlite/publisher.ts';
import { sqliteReader } from './sqlite/reader.ts';
import { sqliteTokens } from './sqlite/tokens.ts';
import type { Inspector, Patience, Publisher, Reader, TokenStore } from './store.ts';
import { StoreRefused } from './store.ts';

export type * from './selection.ts';
export * from './store.ts';

/** A store whose schema is up to date; each part is a connection of its own. */
export interface Store {
  /** The file of an embedded store; its local token is kept beside it. */
  readonly path: string;
  reader(): Reader;
  publisher(patience?: Patience): Publisher;
  inspector(): Inspector;
  tokens(): TokenStore;
}

/** Opens the store that a database URL names, making it where there is none. */
export function openStore(url: string, catalogue: readonly Dataset[]): Store {
  const path = sqlitePath(url);
  prepare(path, catalogue);
  return {
    path,
    reader: () => sqliteReader(path),
    publisher: (patience) => sqlitePublisher(path, patience),
    inspector: () => sqliteInspector(path, catalogue),
    tokens: () => sqliteTokens(path),
  };
}

/**
 * Looks into the store that a database URL names, as it is: it is not made where there is none,
 * and what it lacks is not mended, so that the inspector can tell.
 */
export function inspect(url: string, catalogue: readonly Dataset[]): Inspector {
  const path = sqlitePath(url);
  prepareInspection(path, catalogue);
  return sqliteInspector(path, catalogue);
}

/** The file of a `sqlite:` URL: `sqlite:data/tenor.db`, `sqlite:/var/lib/tenor.db`. */
function sqlitePath(url: string): string {
  const path = /^sqlite:(?:\/\/(?=\/))?(?<path>[^:?]+)$/.exec(url)?.groups?.path;
  if (!path) {
    throw new StoreRefused('DATABASE_URL must be sqlite: and the path of a file');
  }
  return path;
}
