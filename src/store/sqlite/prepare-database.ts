import { Database } from 'bun:sqlite';
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { StoreMissingError, StoreUnusableError } from '../errors.ts';
import type { SchemaChange, StorePreparation } from '../store.ts';
import { closeReadOnly, openReadOnly, openWritable, toBusyError } from './connection.ts';
import { createDatabaseFile } from './create-file.ts';
import {
  assertSchemaUpToDate,
  findMissingStatements,
  migrateSchema,
  SCHEMA_VERSION,
} from './migrate-schema.ts';

/** "TENR", the application id in the header of a SQLite file. */
const APPLICATION_ID = 0x54454e52;

const HEADER_BYTES = 100;
const SQLITE_MAGIC = 'SQLite format 3\0';

/** By its header: SQLite would treat an empty file as new, and write to any application's. */
function assertTenorFile(path: string): void {
  const status = statSync(path);
  if (!status.isFile()) throw new StoreUnusableError('it is not a file');
  if (status.size === 0)
    throw new StoreUnusableError(`it is empty, not a Tenor database; ${MOVE_FILE_HINT}`);
  const header = readFileHeader(path);
  if (!header.toString('latin1').startsWith(SQLITE_MAGIC)) {
    throw new StoreUnusableError(`it is not a SQLite database; ${MOVE_FILE_HINT}`);
  }
  if (header.length < HEADER_BYTES)
    throw new StoreUnusableError(`it is cut short; ${RESTORE_FILE_HINT}`);
  if (header.readUInt32BE(68) !== APPLICATION_ID) {
    throw new StoreUnusableError(`it is a SQLite database, but not Tenor's; ${MOVE_FILE_HINT}`);
  }
  // The format writes 65,536, which does not fit into two bytes, as 1.
  const pageSize = header.readUInt16BE(16);
  const pageBytes = pageSize === 1 ? 65_536 : pageSize;
  const promisedBytes = pageBytes * header.readUInt32BE(28);
  // After a killed checkpoint, missing pages are still in the write-ahead log.
  if (status.size + pageBytes * countWalFrames(`${path}-wal`, pageBytes) < promisedBytes) {
    const sizes = `${status.size} bytes where its header promises ${promisedBytes}`;
    throw new StoreUnusableError(`it is cut short: ${sizes}; ${RESTORE_FILE_HINT}`);
  }
}

const MOVE_FILE_HINT = 'move it away or set DATABASE_URL to another path';
const RESTORE_FILE_HINT = 'restore it from a copy';

function readFileHeader(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    return header.subarray(0, readSync(file, header));
  } finally {
    closeSync(file);
  }
}

/** The number of pages in a write-ahead log: a header, then frames of a header and a page. */
function countWalFrames(log: string, pageBytes: number): number {
  const bytes = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  return Math.max(0, Math.floor((bytes - 32) / (24 + pageBytes)));
}

/** Creates or migrates the database as far as is allowed; returns what changed, if anything did. */
export function prepareDatabase(
  path: string,
  catalogue: readonly Dataset[],
  preparation: StorePreparation,
): SchemaChange | undefined {
  return withUnusableErrors(path, () => {
    const isCreated = preparation === 'create' && !fileExists(path);
    if (isCreated) createDatabaseFile(path, (database) => fillDatabase(database, catalogue));
    assertFileExists(path);
    assertTenorFile(path);
    if (preparation === 'none') {
      withReadOnly(path, (database) => assertSchemaUpToDate(database, catalogue));
      return undefined;
    }
    using database = openWritable(path, SCHEMA_LOCK_TIMEOUT_MS);
    const from = migrateSchema(database, catalogue);
    if (!isCreated && from === undefined) return undefined;
    return { database: resolve(path), from: isCreated ? null : (from ?? null), to: SCHEMA_VERSION };
  });
}

const SCHEMA_LOCK_TIMEOUT_MS = 500;

export function planPreparation(path: string, catalogue: readonly Dataset[]): string[] {
  return withUnusableErrors(path, () => {
    const exists = fileExists(path);
    if (exists) assertTenorFile(path);
    using database = exists ? openReadOnly(path) : new Database(':memory:');
    const statements = findMissingStatements(database, catalogue);
    if (statements.length === 0) return [];
    return [...(exists ? [] : INITIAL_PRAGMAS), 'BEGIN IMMEDIATE', ...statements, 'COMMIT'];
  });
}

/** Asserts that a database can be inspected; parts that were removed from it are for the caller. */
export function assertInspectable(path: string, catalogue: readonly Dataset[]): void {
  withUnusableErrors(path, () => {
    assertFileExists(path);
    assertTenorFile(path);
    withReadOnly(path, (database) => assertSchemaUpToDate(database, catalogue, 'new'));
  });
}

function withReadOnly(path: string, callback: (database: Database) => void): void {
  const database = openReadOnly(path);
  try {
    callback(database);
  } finally {
    closeReadOnly(database);
  }
}

function fileExists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function assertFileExists(path: string): void {
  if (!fileExists(path)) throw new StoreMissingError(`there is no database at ${resolve(path)}`);
}

function withUnusableErrors<T>(path: string, operation: () => T): T {
  try {
    return operation();
  } catch (cause) {
    if (cause instanceof StoreMissingError) throw cause;
    const { message } = cause as Error;
    throw (
      toBusyError(cause) ??
      new StoreUnusableError(`cannot use ${resolve(path)} as the database: ${message}`, { cause })
    );
  }
}

const INITIAL_PRAGMAS = [
  'PRAGMA page_size = 8192',
  `PRAGMA application_id = ${APPLICATION_ID}`,
  'PRAGMA journal_mode = WAL',
];

function fillDatabase(database: Database, catalogue: readonly Dataset[]): void {
  for (const statement of INITIAL_PRAGMAS) database.run(statement);
  migrateSchema(database, catalogue);
}
