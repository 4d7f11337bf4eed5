import type { Database } from 'bun:sqlite';
import { system } from '../../shared/system.ts';
import { StoreUnavailableError } from '../errors.ts';
import {
  type FileIdentity,
  NOTHING_SEEN,
  type ReaderOptions,
  type StoreReader,
} from '../reader.ts';
import { findNewestRevision } from '../sql/ledger.ts';
import { AsOfCache } from '../sql/select-records.ts';
import { findSettledRevision, shareCommitState } from '../sql/settled-revision.ts';
import {
  createStoreQueries,
  readSigningSecret,
  streamCountedRecords,
} from '../sql/store-queries.ts';
import { getCommitLockFile, isCommitLocked } from './commit-lock.ts';
import {
  closeReadOnly,
  isSqliteError,
  openReadOnly,
  queryValue,
  SERVER_BUSY_TIMEOUT_MS,
  withStoreErrors,
} from './connection.ts';
import { assertStillKnown } from './migrate-schema.ts';
import { OpenedDatabaseFile, readStatus } from './opened-database-file.ts';
import { createReadSession, createSession, runSteps } from './session.ts';
import { assertTenorFile, isLaterChange, readChangeCounter } from './tenor-file.ts';

/** A stream reads each page once: a cache has no use. */
const STREAM_CACHE_KIB = 2_048;
const REPLACED_MESSAGE = 'the database file was replaced';

/** With an identity, reads that file only. */
export function createSqliteReader(
  path: string,
  { isServing, isFollowing }: ReaderOptions = {},
  identity?: FileIdentity,
): StoreReader {
  const file = new OpenedDatabaseFile(path, identity);
  const waitMs = isServing ? SERVER_BUSY_TIMEOUT_MS : undefined;
  const open = (cacheKib?: number) => withStoreErrors(() => openReadOnly(path, cacheKib, waitMs));
  const database = open();
  if (identity && !file.isAtPath()) {
    database.close();
    throw new StoreUnavailableError(REPLACED_MESSAGE);
  }
  const session = createReadSession(database);
  const queries = createStoreQueries(session, new AsOfCache());
  const isCurrent = createReplacementCheck(path, file, database);
  const readCommitState = shareCommitState(() => ({
    nowMs: system.now(),
    isCommitting: withStoreErrors(() => isCommitLocked(path), getCommitLockFile(path)),
  }));
  return {
    ...queries,
    source: () => ({ path, file: file.identity }),
    async revisionAt(instant) {
      const found = await queries.revisionAt(instant);
      if (found.isFinal || isFollowing) return found;
      return findSettledRevision(instant, () => queries.revisionAt(instant), readCommitState);
    },
    // In a transaction on its own connection, so that it sees one revision, however long it takes.
    async *records(dataset, asOf) {
      using connection = open(STREAM_CACHE_KIB);
      connection.run('BEGIN');
      if (!file.isAtPath()) throw new StoreUnavailableError(REPLACED_MESSAGE);
      yield* streamCountedRecords(createSession(connection), dataset, asOf);
    },
    secret: async () => session.run(readSigningSecret, { isSingleStatement: true }),
    confirmRevision: () => withStoreErrors(() => runSteps(database, findNewestRevision())),
    // The file has the newest revision as soon as any reader sees it.
    newestSeen: () => NOTHING_SEEN,
    observeRevision: () => {},
    lostRevision: () => 0,
    servers: () => [],
    isCurrent,
    close: () => {
      // Another file or log at the path is not this reader's to write to.
      if (file.isAtPath() && file.hasSidecars()) closeReadOnly(database);
      else database.close();
    },
  };
}

/** Whether the path still leads to the file, and the file still holds what was read from it. */
function createReplacementCheck(path: string, file: OpenedDatabaseFile, database: Database) {
  let seen: SeenFile | undefined;
  return (): boolean => {
    const { mtimeMs, size } = readStatus(path);
    if (!file.isAtPath()) {
      file.moveSidecarsAside();
      return false;
    }
    // Without them, this connection never sees what others write; and neither does a new one, since
    // all connections of a process to a file share the index of its write-ahead log.
    if (!file.hasSidecars())
      throw new StoreUnavailableError(
        `the write-ahead log of ${path} was removed; restart the server to read the file again`,
      );
    withStoreErrors(() => assertStillKnown(database));
    if (mtimeMs === seen?.mtimeMs && size === seen.size) return true;
    const counter = readChangeCounter(path);
    // Mixed with the log of the file that it was copied over, the copy would be of no use.
    if (seen && !isLaterChange(counter, seen.counter) && file.hasLog()) {
      file.moveSidecarsAside();
      throw new StoreUnavailableError(
        `${path} was overwritten beside its write-ahead log, which is kept as ${path}-wal.replaced; restart the server to read the file`,
      );
    }
    return withStoreErrors(() => {
      if (!seen) {
        seen = { mtimeMs, size, counter, end: readEnd(database) };
        file.rememberSidecars();
        return true;
      }
      // Written to, by a checkpoint or by a copy over it: a new connection reads all pages again.
      assertTenorFile(path);
      using connection = openReadOnly(path, STREAM_CACHE_KIB);
      if (!hasEnd(connection, seen.end)) return false;
      const end = readEnd(connection);
      // Read later, yet older: its pages are of the file before a newer copy was written over it.
      const known = readIfIntact(database);
      if (!known || known[1] < end[1] || !hasEnd(connection, known)) return false;
      seen = { mtimeMs, size, counter, end };
      return true;
    });
  };
}

/** The state that a checkpoint changes in one way only. */
interface SeenFile {
  readonly mtimeMs: number;
  readonly size: number;
  readonly counter: number;
  readonly end: DatabaseEnd;
}

/** The secret of a database and the end of its ledger: what a later state of it contains. */
type DatabaseEnd = readonly [secret: string, revision: number, seal: string];

function readEnd(connection: Database): DatabaseEnd {
  const revision = runSteps(connection, findNewestRevision());
  return [readSecret(connection), revision, readSeal(connection, revision)];
}

/** Undefined if pages that the connection has kept differ from those of the file. */
function readIfIntact(connection: Database): DatabaseEnd | undefined {
  try {
    return readEnd(connection);
  } catch (cause) {
    if (isSqliteError(cause, /^SQLITE_CORRUPT$/)) return undefined;
    throw cause;
  }
}

function hasEnd(connection: Database, [secret, revision, seal]: DatabaseEnd): boolean {
  return readSecret(connection) === secret && readSeal(connection, revision) === seal;
}

function readSecret(connection: Database): string {
  return String(queryValue(connection, "SELECT hex(value) FROM secrets WHERE name = 'cursor'"));
}

function readSeal(connection: Database, revision: number): string {
  const sql = 'SELECT published_at, checksum FROM revisions WHERE revision = ?';
  return JSON.stringify(connection.query<unknown, [number]>(sql).values(revision));
}
