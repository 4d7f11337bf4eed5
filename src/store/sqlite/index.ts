import type { Dataset } from '../../catalogue/dataset.ts';
import type { Inspector, Migrating, Store } from '../store.ts';
import { StoreRefused } from '../store.ts';
import { sqliteInspector } from './inspector.ts';
import { preparation, prepare, prepareInspection } from './prepare.ts';
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

/** Brings the database in a file up to date, or tells what would be run to do it. */
export function migrateSqlite(
  url: string,
  catalogue: readonly Dataset[],
  { isTrial, distribute }: Migrating,
): string[] {
  const path = pathIn(url);
  if (distribute) {
    throw new StoreRefused(
      `cannot distribute ${path}: it is one file; only a PostgreSQL cluster with Citus can be, by DATABASE_URL=postgres://… of its coordinator`,
    );
  }
  const statements = preparation(path, catalogue);
  if (!isTrial) prepare(path, catalogue);
  return statements;
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
