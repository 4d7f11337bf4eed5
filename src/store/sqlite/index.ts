import type { Dataset } from '../../catalogue/dataset.ts';
import type { Inspector, Store } from '../store.ts';
import { StoreRefused } from '../store.ts';
import { sqliteInspector } from './inspector.ts';
import { prepare, prepareInspection } from './prepare.ts';
import { sqlitePublisher } from './publisher.ts';
import { sqliteReader } from './reader.ts';
import { sqliteTokens } from './tokens.ts';

/** Opens the database in a file, making it where there is none. Each part is a connection. */
export function openSqlite(url: string, catalogue: readonly Dataset[]): Store {
  const path = pathIn(url);
  prepare(path, catalogue);
  return {
    localTokenFile: `${path}.token`,
    reader: () => sqliteReader(path),
    publisher: (patience) => sqlitePublisher(path, patience),
    inspector: () => sqliteInspector(path, catalogue),
    tokens: () => sqliteTokens(path),
  };
}

/** Looks into the database in a file as it is. */
export function inspectSqlite(url: string, catalogue: readonly Dataset[]): Inspector {
  const path = pathIn(url);
  prepareInspection(path, catalogue);
  return sqliteInspector(path, catalogue);
}

/** The file of a `sqlite:` URL: `sqlite:data/tenor.db`, `sqlite:/var/lib/tenor.db`. */
function pathIn(url: string): string {
  const path = /^sqlite:(?:\/\/(?=\/))?(?<path>[^:?]+)$/.exec(url)?.groups?.path;
  if (!path) {
    throw new StoreRefused('DATABASE_URL must be sqlite: and the path of a file');
  }
  return path;
}
