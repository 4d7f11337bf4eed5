import type { Database } from 'bun:sqlite';
import type { LockWaitOptions, Publisher } from '../publisher.ts';
import type { PublishingSession } from '../sql/publisher.ts';
import { createPublisher } from '../sql/publisher.ts';
import { openWritable, runOrThrowBusy, withStoreErrors } from './connection.ts';
import { createSession } from './session.ts';
import { createSqliteWriter } from './writer.ts';

/** A publisher for the database at that path. */
export function createSqlitePublisher(path: string, patience?: LockWaitOptions): Publisher {
  return createPublisher(createPublishingSession(openWritable(path)), patience);
}

function createPublishingSession(database: Database): PublishingSession {
  return {
    ...createSession(database),
    writer: async (table, revision, sum) => createSqliteWriter(database, table, revision, sum),
    begin: async () => {
      runOrThrowBusy(database, () => database.run('BEGIN IMMEDIATE'));
    },
    commit: async () => {
      withStoreErrors(() => database.run('COMMIT'));
    },
    rollback: async () => {
      withStoreErrors(() => database.run('ROLLBACK'));
    },
    isOpen: () => database.inTransaction,
    close: () => database.close(),
  };
}
