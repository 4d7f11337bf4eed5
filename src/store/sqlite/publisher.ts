import type { LockWaitOptions, Publisher } from '../publisher.ts';
import { createPublisher, type PublishingSession } from '../sql/publisher.ts';
import { openWritable, runOrThrowBusy, withStoreErrors } from './connection.ts';
import { createSession } from './session.ts';
import { createSqliteWriter } from './writer.ts';

export function createSqlitePublisher(path: string, lockWait?: LockWaitOptions): Publisher {
  const database = openWritable(path);
  const execute = async (sql: string) => {
    withStoreErrors(() => database.run(sql));
  };
  const session: PublishingSession = {
    ...createSession(database),
    createWriter: async (...options) => createSqliteWriter(database, ...options),
    begin: async () => {
      runOrThrowBusy(database, () => database.run('BEGIN IMMEDIATE'));
    },
    commit: () => execute('COMMIT'),
    rollback: () => execute('ROLLBACK'),
    isOpen: () => database.inTransaction,
    close: () => database.close(),
  };
  return createPublisher(session, lockWait);
}
