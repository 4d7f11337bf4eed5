import { constants, type Database } from 'bun:sqlite';
import { StoreUnavailableError } from '../errors.ts';
import type { Publisher, PublisherOptions } from '../publisher.ts';
import { createPublisher, type PublishingSession } from '../sql/publisher.ts';
import { acquireCommitLock, getCommitLockFile } from './commit-lock.ts';
import { openWritable, runOrThrowBusy, withStoreErrors } from './connection.ts';
import { OpenedFile } from './file-identity.ts';
import { assertStillKnown } from './migrate-schema.ts';
import { createSession } from './session.ts';
import { createSqliteWriter } from './writer.ts';

export function createSqlitePublisher(path: string, options?: PublisherOptions): Publisher {
  const file = new OpenedFile(path);
  const database = openWritable(path);
  const assertAtPath = (consequence: string) => {
    if (file.isAtPath()) return;
    throw new StoreUnavailableError(
      `the database file ${path} was replaced or removed; ${consequence}`,
    );
  };
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
      commitLock ??= withStoreErrors(() => acquireCommitLock(path), getCommitLockFile(path));
    },
    begin: async () => {
      assertAtPath('nothing was published');
      runOrThrowBusy(database, () => database.run('BEGIN IMMEDIATE'));
      try {
        assertStillKnown(database);
      } catch (cause) {
        await end('ROLLBACK');
        throw cause;
      }
    },
    commit: async () => {
      // The revision would be in a file that nobody reads any more.
      assertAtPath('nothing was published');
      await end('COMMIT');
      assertAtPath('tenor revisions tells whether it has the revision');
    },
    rollback: () => end('ROLLBACK'),
    isOpen: () => database.inTransaction,
    close: () => {
      releaseCommitLock();
      // SQLite would delete the write-ahead log at the path, which is that of another file then.
      if (!file.isAtPath()) database.fileControl(constants.SQLITE_FCNTL_PERSIST_WAL, 1);
      database.close();
    },
  };
  return createPublisher(session, options);
}
