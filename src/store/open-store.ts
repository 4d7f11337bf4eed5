import type { Dataset } from '../catalogue/model/dataset.ts';
import { findEngine } from './engines.ts';
import { InvalidTargetFileError, StoreUnusableError } from './errors.ts';
import type { StoreInspector } from './inspector.ts';
import { backUpSqlite } from './sqlite/back-up-sqlite.ts';
import { assertNoDatabaseFile } from './sqlite/database-files.ts';
import { openSqliteInspector, parseSqlitePath } from './sqlite/open-sqlite.ts';
import { assertFileInspectable } from './sqlite/prepare-database.ts';
import type {
  BackupResult,
  BackupTarget,
  MigrateOptions,
  Store,
  StoreOpenOptions,
} from './store.ts';

export type * from './candidates.ts';
export * from './errors.ts';
export type * from './inspector.ts';
export type * from './ledger.ts';
export { REVERT_SOURCE_PREFIX, UNREADABLE_DATASET } from './ledger.ts';
export type * from './publisher.ts';
export type * from './reader.ts';
export { MAX_SEARCHED_SERIES, NO_REVISION, NOTHING_SEEN } from './reader.ts';
export {
  type Batches,
  type EncodedRow,
  formatKey,
  type RecordKey,
  type StoredRow,
  type SummaryRows,
} from './rows.ts';
export type * from './server-status.ts';
export {
  isIndexed,
  isInSummary,
  keepFiltersOfSecurities,
  keepIndexedFilters,
} from './sql/quote-filters.ts';
export { TextCache } from './sqlite/text-cache.ts';
export type * from './store.ts';

/** Opens the store of a database URL, after the preparation that the options allow. */
export async function openStore(
  url: string,
  catalogue: readonly Dataset[],
  options: StoreOpenOptions = {},
): Promise<Store> {
  assertReplicasAllowed(url, options.replicas);
  return findEngine(url).open(url, catalogue, options);
}

/** Rejects replicas of a file. */
export function assertReplicasAllowed(url: string, replicas: readonly string[] = []): void {
  if (replicas.length === 0 || !findEngine(url).isFile) return;
  throw new StoreUnusableError('DATABASE_REPLICAS are for PostgreSQL, and DATABASE_URL is a file');
}

/** Migrates or creates the store of a database URL; returns the statements that this took. */
export async function migrateStore(
  url: string,
  catalogue: readonly Dataset[],
  options: MigrateOptions = {},
): Promise<readonly string[]> {
  return findEngine(url).migrate(url, catalogue, options);
}

/** Inspects the store of a database URL. It is not changed: missing parts are faults. */
export async function openInspector(
  url: string,
  catalogue: readonly Dataset[],
): Promise<StoreInspector> {
  return findEngine(url).openInspector(url, catalogue);
}

/** Whether a file is one of the database of a URL, by whatever name and link it is called. */
export function isDatabaseFile(file: string, url: string): boolean {
  return findEngine(url).isDatabaseFile(file, url);
}

/** Rejects a file of the database of a URL, or of any other SQLite database, as one to write. */
export function assertNotDatabaseFile(file: string, url: string): void {
  if (isDatabaseFile(file, url))
    throw new InvalidTargetFileError(`${file} belongs to the database itself`);
  assertNoDatabaseFile(file);
}

/**
 * Copies the database of a `sqlite:` URL to a file, while others read and write it. `verify` gets an
 * inspector of the copy, and rejects one that is not to be kept.
 */
export function backUpStore<T>(
  url: string,
  catalogue: readonly Dataset[],
  target: BackupTarget<T>,
  verify: (copy: StoreInspector) => Promise<T>,
): Promise<BackupResult<T>> {
  const path = parseSqlitePath(url);
  assertFileInspectable(path, catalogue);
  return backUpSqlite(path, target, async (copy) => {
    const inspector = openSqliteInspector(copy, catalogue);
    try {
      return await verify(inspector);
    } finally {
      inspector.close();
    }
  });
}
