import type { Database } from 'bun:sqlite';
import type { PublishingSession } from '../sql/publisher.ts';
import { publisherOn } from '../sql/publisher.ts';
import type { Patience, Publisher } from '../store.ts';
import { atOnce, reaching, writable } from './connection.ts';
import { sessionOn } from './session.ts';
import { writerOf } from './writer.ts';

/** A publisher for the database at that path. */
export function sqlitePublisher(path: string, patience?: Patience): Publisher {
  return publisherOn(publishing(writable(path)), patience);
}

function publishing(database: Database): PublishingSession {
  return {
    ...sessionOn(database),
    writer: async (table, revision, sum) => writerOf(database, table, revision, sum),
    begin: async () => {
      atOnce(database, () => database.run('BEGIN IMMEDIATE'));
    },
    commit: async () => {
      reaching(() => database.run('COMMIT'));
    },
    rollback: async () => {
      reaching(() => database.run('ROLLBACK'));
    },
    isOpen: () => database.inTransaction,
    close: () => database.close(),
  };
}
