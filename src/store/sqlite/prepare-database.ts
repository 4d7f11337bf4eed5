import { Database } from 'bun:sqlite';
import { accessSync, constants, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { ensurePrivateFolder, getPrivateFolder } from '../../shared/database-folders.ts';
import { explainFileError } from '../../shared/file-error.ts';
import { StoreMissingError, StoreUnusableError } from '../errors.ts';
import { getSchemaVersion } from '../sql/migrations.ts';
import type { SchemaChange, StorePreparation } from '../store.ts';
import {
  closeReadOnly,
  DAMAGE_ERROR_CODES,
  isSqliteError,
  openReadOnly,
  openWritable,
  runIntegrityCheck,
  toBusyError,
  USE_WRITE_AHEAD_LOG,
  withErrors,
} from './connection.ts';
import { createDatabaseFile, ensureFolder } from './create-database-file.ts';
import { withDiskReserve } from './disk-reserve.ts';
import { assertLedgerEnd } from './ledger-end.ts';
import { assertFileUpToDate, findMissingStatements, migrateSchema } from './migrate-schema.ts';
import { APPLICATION_ID, assertTenorFile, fileExists, RESTORE_FILE_HINT } from './tenor-file.ts';

/** Creates or migrates the database as far as is allowed; returns what changed, if anything did. */
export function prepareDatabase(
  path: string,
  catalogue: readonly Dataset[],
  preparation: StorePreparation,
  isServed = false,
): SchemaChange | undefined {
  return withUnusableErrors(path, () => {
    const isCreated = preparation !== 'none' && !fileExists(path);
    if (isCreated) {
      ensureFolder(dirname(path));
      ensurePrivateFolder(getPrivateFolder(path));
      createDatabaseFile(path, (database) => {
        for (const statement of INITIAL_PRAGMAS) database.run(statement);
        migrateSchema(database, catalogue);
      });
    }
    assertTenorFile(path);
    assertPrivateFolder(path, catalogue);
    if (preparation !== 'migrate' && !isCreated) {
      withReadOnly(path, (database) => {
        assertFileUpToDate(database, catalogue);
        assertLedgerEnd(database, catalogue, { allowsDamage: isServed });
      });
      return undefined;
    }
    assertLogFits(path);
    using database = openWritable(path, SCHEMA_LOCK_TIMEOUT_MS);
    // A copy by VACUUM INTO has lost it: there, a publisher would lock out all readers.
    database.run(USE_WRITE_AHEAD_LOG);
    const from = migrateSchema(database, catalogue);
    assertLedgerEnd(database, catalogue);
    if (!isCreated && from === undefined) return undefined;
    return {
      database: resolve(path),
      from: isCreated ? null : (from ?? null),
      to: getSchemaVersion(),
    };
  });
}

/** Without its folder, tokens would be unknown, and nothing could be published. */
function assertPrivateFolder(path: string, catalogue: readonly Dataset[]): void {
  const folder = resolve(getPrivateFolder(path));
  try {
    accessSync(folder, constants.X_OK);
  } catch (cause) {
    const error = cause as NodeJS.ErrnoException;
    // A database that no folder would make usable, such as one from before there were folders.
    planMissingStatements(path, catalogue);
    if (error.code !== 'ENOENT') throw new StoreUnusableError(explainFileError(error, folder));
    throw new StoreUnusableError(
      `the folder ${folder} is missing, which has its tokens and the private key of its ledger. Copy it from where the database is from, or from a backup. If it is lost, make an empty one (mkdir -m 700), issue new tokens, and let a new log begin: tenor ledger restart --lost-key`,
    );
  }
}

/**
 * Asserts that the write-ahead log next to a file belongs to it: SQLite would apply that of a killed
 * process to a copy that was restored since. Pages of two files do not make up a structure.
 */
function assertLogFits(path: string): void {
  if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0) return;
  const fault = findFirstFault(path);
  if (fault === undefined) return;
  throw new StoreUnusableError(
    `it does not match its write-ahead log (${fault}); if it was restored from a copy, remove ${path}-wal and ${path}-shm, else ${RESTORE_FILE_HINT}`,
  );
}

function findFirstFault(path: string): string | undefined {
  try {
    // Closed as it is: a writable connection would move the log into the file.
    using database = openReadOnly(path);
    return runIntegrityCheck(database, 'quick_check(1)').join(' ') || undefined;
  } catch (cause) {
    if (isSqliteError(cause, /^SQLITE_(CORRUPT|IOERR|NOTADB)/)) return cause.message;
    throw cause;
  }
}

const SCHEMA_LOCK_TIMEOUT_MS = 500;

export function planPreparation(path: string, catalogue: readonly Dataset[]): string[] {
  return withUnusableErrors(path, () => {
    const exists = fileExists(path);
    if (exists) assertTenorFile(path);
    const statements = planMissingStatements(exists ? path : undefined, catalogue);
    if (statements.length === 0) return [];
    return [...(exists ? [] : INITIAL_PRAGMAS), 'BEGIN IMMEDIATE', ...statements, 'COMMIT'];
  });
}

/** The statements that a file still needs, or a new one; throws if none would do. */
function planMissingStatements(path: string | undefined, catalogue: readonly Dataset[]): string[] {
  using database = path === undefined ? new Database(':memory:') : openReadOnly(path);
  return findMissingStatements(database, catalogue);
}

/** Asserts that a database can be inspected; parts that were removed from it are for the caller. */
export function assertFileInspectable(path: string, catalogue: readonly Dataset[]): void {
  withUnusableErrors(path, () => {
    assertTenorFile(path);
    assertPrivateFolder(path, catalogue);
    withReadOnly(path, (database) => assertFileUpToDate(database, catalogue, 'new'));
  });
}

function withReadOnly(path: string, callback: (database: Database) => void): void {
  // A command that revokes a token does this, too; it takes the index of a write-ahead log.
  withDiskReserve(path, () => {
    const database = openReadOnly(path);
    try {
      callback(database);
    } finally {
      closeReadOnly(database);
    }
  });
}

function withUnusableErrors<T>(path: string, operation: () => T): T {
  return withErrors(operation, (cause) => {
    if (cause instanceof StoreMissingError) return cause;
    const isDamage = isSqliteError(cause, DAMAGE_ERROR_CODES);
    const reason = isDamage ? DAMAGED_SCHEMA : explainFileError(cause as Error, path);
    const message = `cannot use ${resolve(path)} as the database: ${reason}`;
    return toBusyError(cause) ?? new StoreUnusableError(message, { cause });
  });
}

/** What is read before the ledger. */
const DAMAGED_SCHEMA = `its header or schema, the list of its tables, is damaged; ${RESTORE_FILE_HINT}`;

const INITIAL_PRAGMAS = [
  'PRAGMA page_size = 8192',
  `PRAGMA application_id = ${APPLICATION_ID}`,
  USE_WRITE_AHEAD_LOG,
];
