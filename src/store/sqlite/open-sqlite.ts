import type { Dataset } from '../../catalogue/model/dataset.ts';
import { getLocalTokenFile } from '../../shared/database-folders.ts';
import { StoreUnusableError } from '../errors.ts';
import type { StoreInspector } from '../inspector.ts';
import { getSchemaVersion } from '../sql/migrations.ts';
import type { MigrateOptions, Store, StoreOpenOptions } from '../store.ts';
import { createSqliteCandidateStore } from './candidate-store.ts';
import { lacksDiskReserve } from './disk-reserve.ts';
import { createSqliteInspector } from './inspector.ts';
import { assertFileInspectable, planPreparation, prepareDatabase } from './prepare-database.ts';
import { createSqlitePublisher } from './publisher.ts';
import { createSqliteReader } from './reader.ts';
import { fileExists } from './tenor-file.ts';
import { createSqliteTokenStore, getTokensFile } from './token-store.ts';

export function openSqlite(
  url: string,
  catalogue: readonly Dataset[],
  { preparation = 'migrate', onSchemaChange, isServed }: StoreOpenOptions,
): Store {
  const path = parseSqlitePath(url);
  const change = prepareDatabase(path, catalogue, preparation, isServed);
  if (change) onSchemaChange?.(change);
  return {
    schema: { engine: 'SQLite', version: getSchemaVersion() },
    localTokenFile: getLocalTokenFile(path),
    readerSource: { path },
    reader: (options) => createSqliteReader(path, options),
    reopen: async () => openSqlite(url, catalogue, { preparation: 'none' }),
    publisher: (options) => createSqlitePublisher(path, catalogue, options),
    inspector: () => createSqliteInspector(path, catalogue),
    tokens: () => createSqliteTokenStore(path),
    candidates: () => createSqliteCandidateStore(path),
    lacksReserve: () => fileExists(getTokensFile(path)) && lacksDiskReserve(path),
  };
}

/** Migrates the database in a file; returns the statements, and only them in a dry run. */
export function migrateSqlite(
  url: string,
  catalogue: readonly Dataset[],
  { isDryRun, distribute, lostRevision, onSchemaChange }: MigrateOptions,
): string[] {
  const path = parseSqlitePath(url);
  if (distribute) {
    throw new StoreUnusableError(
      `cannot distribute ${path}: it is one file; only a PostgreSQL cluster with Citus can be, by DATABASE_URL=postgres://… of its coordinator`,
    );
  }
  if (lostRevision !== undefined) {
    throw new StoreUnusableError(
      `nothing is to be given up in ${path}: servers follow a file that was replaced by themselves`,
    );
  }
  const statements = planPreparation(path, catalogue);
  const change = isDryRun ? undefined : prepareDatabase(path, catalogue, 'migrate');
  if (change) onSchemaChange?.(change);
  return statements;
}

export function openSqliteInspector(path: string, catalogue: readonly Dataset[]): StoreInspector {
  assertFileInspectable(path, catalogue);
  return createSqliteInspector(path, catalogue);
}

/** The file of a `sqlite:` URL: `sqlite:data/tenor.db`, `sqlite:/var/lib/tenor.db`. */
export function parseSqlitePath(url: string): string {
  const path = /^sqlite:(?:\/\/(?=\/))?(?<path>[^:?]+)$/.exec(url)?.groups?.path;
  if (!path) {
    throw new StoreUnusableError('DATABASE_URL must be sqlite: and the path of a file');
  }
  return path;
}
