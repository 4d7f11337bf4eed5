import { Database, SQLiteError } from 'bun:sqlite';
import { StoreBusyError, StoreUnavailableError } from '../errors.ts';

/** How long a writer waits for another one. */
const BUSY_TIMEOUT_MS = 10_000;
const PAGE_CACHE_KIB = 32_768;
const WAL_SIZE_LIMIT_BYTES = 64 * 1024 * 1024;

/** A connection that can write. */
export function openWritable(path: string, waitMs = BUSY_TIMEOUT_MS): Database {
  const database = new Database(path, { readwrite: true, strict: true });
  database.run(`PRAGMA busy_timeout = ${waitMs}`);
  // A committed revision survives the loss of power, not only of the process.
  database.run('PRAGMA synchronous = FULL');
  database.run(`PRAGMA cache_size = -${PAGE_CACHE_KIB}`);
  // A large load leaves a large log behind: what is beyond this is given back.
  database.run(`PRAGMA journal_size_limit = ${WAL_SIZE_LIMIT_BYTES}`);
  return database;
}

/** A connection that cannot write, by the way it is opened and by a pragma. */
export function openReadOnly(path: string, cacheKib = PAGE_CACHE_KIB): Database {
  const database = new Database(path, { readonly: true, strict: true });
  database.run('PRAGMA query_only = ON');
  database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  database.run(`PRAGMA cache_size = -${cacheKib}`);
  return database;
}

/** Runs a piece of work while another writer makes it fail at once instead of waiting. */
function withoutBusyTimeout<T>(database: Database, operation: () => T): T {
  database.run('PRAGMA busy_timeout = 0');
  try {
    return operation();
  } finally {
    database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }
}

/** Runs a piece of work that writes, now or not at all: while another one does, it is busy. */
export function runOrThrowBusy<T>(database: Database, operation: () => T): T {
  try {
    return withoutBusyTimeout(database, operation);
  } catch (cause) {
    throw toBusyError(cause) ?? toStoreError(cause);
  }
}

/** That the store is busy, where another writer is why it failed. */
export function toBusyError(cause: unknown): StoreBusyError | undefined {
  if (!(cause instanceof SQLiteError && /^SQLITE_(BUSY|LOCKED)/.test(cause.code ?? ''))) return;
  return new StoreBusyError('another publisher holds the database', { cause });
}

/** SQLite's ways of saying that the file does not answer; its others are bugs of ours. */
const UNAVAILABLE_ERROR_CODES =
  /^SQLITE_(BUSY|LOCKED|IOERR|CANTOPEN|CORRUPT|NOTADB|FULL|READONLY|PROTOCOL|NOMEM)/;

/** Runs a piece of work; where the file does not answer, the store is out of reach. */
export function withStoreErrors<T>(operation: () => T): T {
  try {
    return operation();
  } catch (cause) {
    throw toStoreError(cause);
  }
}

/** What to throw for a failure: that the store is out of reach, where the file does not answer. */
export function toStoreError(cause: unknown): unknown {
  if (!(cause instanceof SQLiteError && UNAVAILABLE_ERROR_CODES.test(cause.code ?? '')))
    return cause;
  return new StoreUnavailableError(cause.message, { cause });
}
