import { Database } from 'bun:sqlite';
import { existsSync, linkSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { StoreUnusableError } from '../errors.ts';
import { openReadOnly, openWritable, toBusyError } from './connection.ts';
import { APPLICATION_ID, assertTenorFile } from './file-header.ts';
import type { MigrationScope } from './migrate-schema.ts';
import { findMissingStatements, migrateSchema } from './migrate-schema.ts';

/**
 * Makes the database where there is none, and brings its schema up to date. A file that is not
 * ours, or not whole, is refused with one line and left as it is.
 */
export function prepareDatabase(path: string, catalogue: readonly Dataset[]): void {
  withUnusableErrors(path, () => {
    if (!existsSync(path)) createDatabaseFile(path, catalogue);
    upgradeSchema(path, catalogue, 'all');
  });
}

/** What would be run to make the database, or to bring its schema up to date. */
export function planPreparation(path: string, catalogue: readonly Dataset[]): string[] {
  return withUnusableErrors(path, () => {
    const exists = existsSync(path);
    if (exists) assertTenorFile(path);
    using database = exists ? openReadOnly(path) : new Database(':memory:');
    const statements = findMissingStatements(database, catalogue);
    if (statements.length === 0) return [];
    return [...(exists ? [] : INITIAL_PRAGMAS), 'BEGIN IMMEDIATE', ...statements, 'COMMIT'];
  });
}

/** The same for a database that is to be inspected: it must be there, and nothing is mended. */
export function prepareForInspection(path: string, catalogue: readonly Dataset[]): void {
  withUnusableErrors(path, () => {
    if (!existsSync(path)) throw new StoreUnusableError('it does not exist');
    upgradeSchema(path, catalogue, 'new');
  });
}

/** How long a change of the schema is held up by a publisher before the store is busy. */
const SCHEMA_LOCK_TIMEOUT_MS = 500;

function upgradeSchema(path: string, catalogue: readonly Dataset[], extent: MigrationScope): void {
  assertTenorFile(path);
  const database = openWritable(path, SCHEMA_LOCK_TIMEOUT_MS);
  try {
    migrateSchema(database, catalogue, extent);
  } finally {
    database.close();
  }
}

function withUnusableErrors<T>(path: string, operation: () => T): T {
  try {
    return operation();
  } catch (cause) {
    const held = toBusyError(cause);
    if (held) throw held;
    throw new StoreUnusableError(
      `cannot use ${path} as the database: ${(cause as Error).message}`,
      {
        cause,
      },
    );
  }
}

/** What a new database is told before it has any tables. */
const INITIAL_PRAGMAS = [
  'PRAGMA page_size = 8192',
  `PRAGMA application_id = ${APPLICATION_ID}`,
  'PRAGMA journal_mode = WAL',
];

/** A new database appears under its name only when it is whole, so a killed start leaves none. */
function createDatabaseFile(path: string, catalogue: readonly Dataset[]): void {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}.new`;
  rmSync(draft, { force: true });
  const database = new Database(draft, { create: true, strict: true });
  try {
    for (const statement of INITIAL_PRAGMAS) database.run(statement);
    migrateSchema(database, catalogue);
  } finally {
    database.close();
  }
  try {
    linkSync(draft, path);
  } catch (cause) {
    // Another start made it in the meantime: theirs stands.
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
  } finally {
    rmSync(draft, { force: true });
  }
}
