import { getStorageTable, type StorageTable } from '../../schema/storage-table.ts';
import { StoreUnavailableError } from '../errors.ts';
import type {
  LockWaitOptions,
  Publisher,
  PublisherOptions,
  PublishTransaction,
} from '../publisher.ts';
import { retryWhileBusy } from '../retry-while-busy.ts';
import type { RecordKey } from '../rows.ts';
import { planRevert } from './plan-revert.ts';
import type { QuerySteps } from './query-steps.ts';
import type { WriteSession } from './session.ts';
import { createStoreQueries, streamRecords } from './store-queries.ts';
import { writeRevision } from './write-revision.ts';

/** A session that can acquire the write lock. */
export interface PublishingSession extends WriteSession {
  /** Begins a transaction with the write lock; throws a StoreBusyError if another one has it. */
  begin(): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** Whether the transaction is still open: some errors end it. */
  isOpen(): boolean;
  close(): void;
}

export function createPublisher(
  session: PublishingSession,
  options: PublisherOptions = {},
): Publisher {
  // A savepoint for each change would copy every page that it changes.
  const failures: unknown[] = [];
  const operations: PublishTransaction = {
    ...createStoreQueries(session),
    records: (dataset, asOf) => streamRecords(session, dataset, asOf),
    publish: async (change) => {
      try {
        return await writeRevision(session, change, options);
      } catch (cause) {
        failures.push(cause);
        throw cause;
      }
    },
    hasCurrentRecord: async (dataset, key) =>
      session.run(() => hasCurrentRecord(getStorageTable(dataset), key)),
    planRevert: (dataset, revision, onlyUnchanged = false) =>
      planRevert(session, dataset, revision, onlyUnchanged),
  };
  // One at a time, because they share a connection.
  let queue: Promise<unknown> = Promise.resolve();
  const transaction: Publisher['transaction'] = (callback) => {
    const run = async () => {
      failures.length = 0;
      const result = await callback(operations);
      if (failures.length > 0) throw failures[0];
      return result;
    };
    const result = queue.then(() => runTransaction(session, options, run));
    queue = result.catch(() => {});
    return result;
  };
  return {
    publish: (change) => transaction(({ publish }) => publish(change)),
    transaction,
    revisions: operations.revisions,
    close: session.close,
  };
}

async function runTransaction<T>(
  session: PublishingSession,
  lockWait: LockWaitOptions,
  callback: () => Promise<T>,
): Promise<T> {
  await retryWhileBusy(lockWait, session.begin);
  try {
    const result = await callback();
    await session.commit();
    return result;
  } finally {
    if (session.isOpen()) await ignoreUnavailable(session.rollback);
  }
}

/** A store that cannot be reached has rolled back already: that must not hide the first error. */
async function ignoreUnavailable(rollback: () => Promise<void>): Promise<void> {
  try {
    await rollback();
  } catch (cause) {
    if (!(cause instanceof StoreUnavailableError)) throw cause;
  }
}

function* hasCurrentRecord(
  { currentTable, key }: StorageTable,
  values: RecordKey,
): QuerySteps<boolean> {
  const matches = key.map(({ column }) => `${column} = ?`).join(' AND ');
  const rows = yield { sql: `SELECT 1 AS one FROM ${currentTable} WHERE ${matches}`, values };
  return rows.length > 0;
}
