import { Database, SQLiteError } from 'bun:sqlite';
import { explainFileError } from '../../shared/file-error.ts';
import { StoreBusyError, StoreDamagedError, StoreUnavailableError } from '../errors.ts';
import type { SqlValue } from '../sql/query-steps.ts';
import { RESTORE_FILE_HINT } from './tenor-file.ts';

const BUSY_TIMEOUT_MS = 10_000;
/** SQLite waits within a call: all other requests of a server wait with it. */
export const SERVER_BUSY_TIMEOUT_MS = 5;
/** A load comes back to many pages. */
export const WRITE_CACHE_KIB = 32_768;
/** Reads share the inner pages of indexes; others are as quickly read from the system's cache. */
const READ_CACHE_KIB = 4_096;
export const USE_WRITE_AHEAD_LOG = 'PRAGMA journal_mode = WAL';
const WAL_SIZE_LIMIT_BYTES = 64 * 1024 * 1024;

export function openWritable(path: string, waitMs = BUSY_TIMEOUT_MS): Database {
  return configure(new Database(path, { readwrite: true, strict: true }), [
    `PRAGMA busy_timeout = ${waitMs}`,
    // A committed revision survives a power failure, not only a crash of the process.
    'PRAGMA synchronous = FULL',
    `PRAGMA cache_size = -${WRITE_CACHE_KIB}`,
    // A large load leaves a large log: it is truncated to this size.
    `PRAGMA journal_size_limit = ${WAL_SIZE_LIMIT_BYTES}`,
  ]);
}

/** A connection that cannot write, by its open mode and by a pragma. */
export function openReadOnly(
  path: string,
  cacheKib = READ_CACHE_KIB,
  waitMs = BUSY_TIMEOUT_MS,
): Database {
  return configure(new Database(path, { readonly: true, strict: true }), [
    'PRAGMA query_only = ON',
    `PRAGMA busy_timeout = ${waitMs}`,
    `PRAGMA cache_size = -${cacheKib}`,
  ]);
}

/** One that is damaged is closed: a connection that is left open keeps the index of its log. */
function configure(database: Database, pragmas: readonly string[]): Database {
  try {
    for (const pragma of pragmas) database.run(pragma);
    return database;
  } catch (cause) {
    database.close();
    throw cause;
  }
}

/**
 * Closes a read-only connection. If it was the last, a writable one that is closed after it moves
 * the write-ahead log into the file, so that a copy of the file alone is complete.
 */
export function closeReadOnly(database: Database): void {
  database.close();
  try {
    openWritable(database.filename).close();
  } catch (cause) {
    // The file may be gone, or write-protected: the log then stays as it is.
    if (!(cause instanceof SQLiteError)) throw cause;
  }
}

/** The faults that SQLite finds in the pages and indexes of a file, or of a table in it. */
export function runIntegrityCheck(database: Database, check = 'integrity_check'): string[] {
  const rows = database.query<unknown, []>(`PRAGMA ${check}`).values();
  return rows.flatMap(([text]) => String(text).split('\n')).filter((line) => line !== 'ok');
}

/** The first value of the first row of a query. */
export function queryValue(database: Database, sql: string, ...values: SqlValue[]): unknown {
  return database.query<unknown, SqlValue[]>(sql).values(...values)[0]?.[0];
}

/** Runs an operation that writes; throws a StoreBusyError at once if another writer has the lock. */
export function runOrThrowBusy<T>(database: Database, operation: () => T): T {
  try {
    database.run('PRAGMA busy_timeout = 0');
    return operation();
  } catch (cause) {
    throw toBusyError(cause) ?? toSqliteStoreError(cause, undefined, database.filename);
  } finally {
    database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }
}

export function toBusyError(
  cause: unknown,
  message = 'another publisher holds the database',
): StoreBusyError | undefined {
  return isSqliteError(cause, /^SQLITE_(BUSY|LOCKED)/)
    ? new StoreBusyError(message, { cause })
    : undefined;
}

/** Errors that mean the file cannot be read or written now; all others are bugs of ours. */
const UNAVAILABLE_ERROR_CODES =
  /^SQLITE_(BUSY|LOCKED|IOERR|CANTOPEN|CORRUPT|NOTADB|FULL|READONLY|PROTOCOL|NOMEM|INTERRUPT)/;

/** Those of them that are caused by what the file holds. */
export const DAMAGE_ERROR_CODES = /^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ|IOERR_CORRUPTFS)/;

/** `file` is named in the message: one next to the database, which is easily overlooked. */
export function withStoreErrors<T>(operation: () => T, file?: string): T {
  return withErrors(operation, (cause) => toSqliteStoreError(cause, file));
}

/** Runs an operation; throws what `toError` makes of its error. */
export function withErrors<T>(operation: () => T, toError: (cause: unknown) => unknown): T {
  try {
    return operation();
  } catch (cause) {
    throw toError(cause);
  }
}

export function isSqliteError(cause: unknown, codes: RegExp): cause is SQLiteError {
  return cause instanceof SQLiteError && codes.test(cause.code ?? '');
}

export function toSqliteStoreError(cause: unknown, file?: string, path = file): unknown {
  if (!isSqliteError(cause, UNAVAILABLE_ERROR_CODES)) return cause;
  const isDamage = isSqliteError(cause, DAMAGE_ERROR_CODES);
  const explained = path === undefined ? explainWithoutPath(cause) : explainFileError(cause, path);
  const message = file && isDamage ? `it is damaged; ${RESTORE_FILE_HINT}` : explained;
  const ErrorClass = isDamage ? StoreDamagedError : StoreUnavailableError;
  return new ErrorClass(file ? `cannot use ${file}: ${message}` : message, { cause });
}

function explainWithoutPath({ code, message }: SQLiteError): string {
  return code === 'SQLITE_FULL'
    ? 'the file system of the database, or that of temporary files, is full'
    : message;
}
