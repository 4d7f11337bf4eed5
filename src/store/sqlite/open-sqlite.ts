import type { Database } from 'bun:sqlite';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { StoreUnusableError } from '../errors.ts';
import type { Publisher, PublisherOptions } from '../publisher.ts';
import type { StoreReader } from '../reader.ts';
import { createPublisher, type PublishingSession } from '../sql/publisher.ts';
import { findSettledRevision } from '../sql/settled-revision.ts';
import { createStoreQueries, readSigningSecret, streamRecords } from '../sql/store-queries.ts';
import type { MigrateOptions, Store, StoreInspector, StoreOpenOptions } from '../store.ts';
import { acquireCommitLock, isCommitLocked } from './commit-lock.ts';
import {
  closeReadOnly,
  openReadOnly,
  openWritable,
  runOrThrowBusy,
  withStoreErrors,
} from './connection.ts';
import { createSqliteInspector } from './inspector.ts';
import { assertInspectable, planPreparation, prepareDatabase } from './prepare-database.ts';
import { createReadSession, createSession } from './session.ts';
import { createSqliteTokenStore } from './token-store.ts';
import { createSqliteWriter } from './writer.ts';

export function openSqlite(
  url: string,
  catalogue: readonly Dataset[],
  { preparation = 'create', onSchemaChange }: StoreOpenOptions,
): Store {
  const path = parseSqlitePath(url);
  const change = prepareDatabase(path, catalogue, preparation);
  if (change) onSchemaChange?.(change);
  return {
    localTokenFile: `${path}.token`,
    readerSource: { path },
    reader: () => createSqliteReader(path),
    publisher: (options) => createSqlitePublisher(path, options),
    inspector: () => createSqliteInspector(path, catalogue),
    tokens: () => createSqliteTokenStore(path),
  };
}

/** Migrates the database in a file; returns the statements, and only them in a dry run. */
export function migrateSqlite(
  url: string,
  catalogue: readonly Dataset[],
  { isDryRun, distribute, onSchemaChange }: MigrateOptions,
): string[] {
  const path = parseSqlitePath(url);
  if (distribute) {
    throw new StoreUnusableError(
      `cannot distribute ${path}: it is one file; only a PostgreSQL cluster with Citus can be, by DATABASE_URL=postgres://… of its coordinator`,
    );
  }
  const statements = planPreparation(path, catalogue);
  const change = isDryRun ? undefined : prepareDatabase(path, catalogue, 'create');
  if (change) onSchemaChange?.(change);
  return statements;
}

export function openSqliteInspector(url: string, catalogue: readonly Dataset[]): StoreInspector {
  const path = parseSqlitePath(url);
  assertInspectable(path, catalogue);
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

/** A stream reads each page once: a cache has no use. */
const STREAM_CACHE_KIB = 2_048;

export function createSqliteReader(path: string): StoreReader {
  const database = openReadOnly(path);
  const session = createReadSession(database);
  const queries = createStoreQueries(session);
  return {
    ...queries,
    async revisionAt(instant) {
      const found = await queries.revisionAt(instant);
      if (found.isFinal) return found;
      const readCommitState = () => ({
        nowMs: Date.now(),
        isCommitting: withStoreErrors(() => isCommitLocked(path)),
      });
      return findSettledRevision(instant, () => queries.revisionAt(instant), readCommitState);
    },
    // In a transaction on its own connection, so that it sees one revision, however long it takes.
    async *records(dataset, asOf) {
      using connection = openReadOnly(path, STREAM_CACHE_KIB);
      connection.run('BEGIN');
      yield* streamRecords(createSession(connection), dataset, asOf);
    },
    secret: () => session.run(readSigningSecret, true),
    // The file has the newest revision as soon as any reader sees it.
    newestSeen: () => 0,
    observeRevision: () => {},
    close: () => closeReadOnly(database),
  };
}

function createSqlitePublisher(path: string, options?: PublisherOptions): Publisher {
  const database = openWritable(path);
  let commitLock: Database | undefined;
  const releaseCommitLock = () => {
    commitLock?.close();
    commitLock = undefined;
  };
  const end = async (sql: string) => {
    try {
      withStoreErrors(() => database.run(sql));
    } finally {
      // After a commit that failed, the transaction is rolled back.
      if (!database.inTransaction) releaseCommitLock();
    }
  };
  const session: PublishingSession = {
    ...createSession(database),
    createWriter: async (...options) => createSqliteWriter(database, ...options),
    readClock: async () => Date.now(),
    lockCommit: async () => {
      commitLock ??= withStoreErrors(() => acquireCommitLock(path));
    },
    begin: async () => {
      runOrThrowBusy(database, () => database.run('BEGIN IMMEDIATE'));
    },
    commit: () => end('COMMIT'),
    rollback: () => end('ROLLBACK'),
    isOpen: () => database.inTransaction,
    close: () => {
      releaseCommitLock();
      database.close();
    },
  };
  return createPublisher(session, options);
}
