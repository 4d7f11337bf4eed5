import { Database } from 'bun:sqlite';
import { existsSync, linkSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { StoreUnusableError } from '../errors.ts';
import { openReadOnly, openWritable, toBusyError } from './connection.ts';
import { APPLICATION_ID, assertTenorFile } from './file-header.ts';
import { findMissingStatements, type MigrationScope, migrateSchema } from './migrate-schema.ts';

/** Creates the database where there is none, or brings its schema up to date. */
export function prepareDatabase(path: string, catalogue: readonly Dataset[]): void {
  withUnusableErrors(path, () => {
    if (!existsSync(path)) createDatabaseFile(path, catalogue);
    upgradeSchema(path, catalogue, 'all');
  });
}

/** The statements that prepareDatabase would run. */
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

/** Upgrades an existing database for inspection; missing parts are not repaired. */
export function prepareForInspection(path: string, catalogue: readonly Dataset[]): void {
  withUnusableErrors(path, () => {
    if (!existsSync(path)) throw new StoreUnusableError('it does not exist');
    upgradeSchema(path, catalogue, 'new');
  });
}

/** How long a migration waits for a publisher. */
const SCHEMA_LOCK_TIMEOUT_MS = 500;

function upgradeSchema(path: string, catalogue: readonly Dataset[], scope: MigrationScope): void {
  assertTenorFile(path);
  const database = openWritable(path, SCHEMA_LOCK_TIMEOUT_MS);
  try {
    migrateSchema(database, catalogue, scope);
  } finally {
    database.close();
  }
}

function withUnusableErrors<T>(path: string, operation: () => T): T {
  try {
    return operation();
  } catch (cause) {
    const { message } = cause as Error;
    throw (
      toBusyError(cause) ??
      new StoreUnusableError(`cannot use ${path} as the database: ${message}`, { cause })
    );
  }
}

const INITIAL_PRAGMAS = [
  'PRAGMA page_size = 8192',
  `PRAGMA application_id = ${APPLICATION_ID}`,
  'PRAGMA journal_mode = WAL',
];

/** Links the file to its path when it is complete, so that a killed process leaves no part of it. */
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
    // Another process created it meanwhile.
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
  } finally {
    rmSync(draft, { force: true });
  }
}
