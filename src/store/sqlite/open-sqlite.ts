import type { Dataset } from '../../catalogue/model/dataset.ts';
import { StoreUnusableError } from '../errors.ts';
import type { StoreInspector } from '../inspector.ts';
import type { MigrateOptions, Store } from '../store.ts';
import { createSqliteInspector } from './inspector.ts';
import { planPreparation, prepareDatabase, prepareForInspection } from './prepare-database.ts';
import { createSqlitePublisher } from './publisher.ts';
import { createSqliteReader } from './reader.ts';
import { createSqliteTokenStore } from './token-store.ts';

/** Opens the database in a file; creates it where there is none. */
export function openSqlite(url: string, catalogue: readonly Dataset[]): Store {
  const path = parseSqlitePath(url);
  prepareDatabase(path, catalogue);
  return {
    localTokenFile: `${path}.token`,
    reader: () => createSqliteReader(path),
    publisher: (lockWait) => createSqlitePublisher(path, lockWait),
    inspector: () => createSqliteInspector(path, catalogue),
    tokens: () => createSqliteTokenStore(path),
  };
}

/** Migrates the database in a file; returns the statements, and only them in a dry run. */
export function migrateSqlite(
  url: string,
  catalogue: readonly Dataset[],
  { isDryRun, distribute }: MigrateOptions,
): string[] {
  const path = parseSqlitePath(url);
  if (distribute) {
    throw new StoreUnusableError(
      `cannot distribute ${path}: it is one file; only a PostgreSQL cluster with Citus can be, by DATABASE_URL=postgres://… of its coordinator`,
    );
  }
  const statements = planPreparation(path, catalogue);
  if (!isDryRun) prepareDatabase(path, catalogue);
  return statements;
}

export function openSqliteInspector(url: string, catalogue: readonly Dataset[]): StoreInspector {
  const path = parseSqlitePath(url);
  prepareForInspection(path, catalogue);
  return createSqliteInspector(path, catalogue);
}

/** The file of a `sqlite:` URL: `sqlite:data/tenor.db`, `sqlite:/var/lib/tenor.db`. */
function parseSqlitePath(url: string): string {
  const path = /^sqlite:(?:\/\/(?=\/))?(?<path>[^:?]+)$/.exec(url)?.groups?.path;
  if (!path) {
    throw new StoreUnusableError('DATABASE_URL must be sqlite: and the path of a file');
  }
  return path;
}
