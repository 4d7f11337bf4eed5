import type { StorageTable } from '../../schema/storage-table.ts';
import { getStorageTable } from '../../schema/storage-table.ts';
import { StoreUnavailableError } from '../errors.ts';
import type { LockWaitOptions, Publisher, PublishTransaction, RecordKey } from '../publisher.ts';
import { retryWhileBusy } from '../retry-while-busy.ts';
import { planRevert } from './plan-revert.ts';
import type { QuerySteps } from './query-steps.ts';
import { readTerms } from './security-terms.ts';
import type { WriteSession } from './session.ts';
import { createStoreQueries } from './store-queries.ts';
import { writeRevision } from './write-revision.ts';

/** A session that can take the store for itself. */
export interface PublishingSession extends WriteSession {
  /** Begins a transaction that holds the store; busy where somebody else has it. */
  begin(): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** Whether there is a transaction still: some failures end it. */
  isOpen(): boolean;
  close(): void;
}

/** A publisher through a session. */
export function createPublisher(
  session: PublishingSession,
  patience: LockWaitOptions = {},
): Publisher {
  const transaction: PublishTransaction = {
    ...createStoreQueries(session),
    publish: (change) => withSavepoint(session, () => writeRevision(session, change)),
    hasCurrentRecord: (dataset, key) =>
      session.run(() => hasCurrentRecord(getStorageTable(dataset), key)),
    planRevert: (dataset, revision) => planRevert(session, dataset, revision),
    terms: (dataset) => session.run(() => readTerms(dataset)),
  };
  let queue: Promise<unknown> = Promise.resolve();
  // One at a time: what is under way on the connection is never joined by somebody else's work.
  const atomically: Publisher['transaction'] = (callback) => {
    const turn = queue.then(() => runTransaction(session, patience, () => callback(transaction)));
    queue = turn.catch(() => {});
    return turn;
  };
  return {
    publish: (change) => atomically(({ publish }) => publish(change)),
    transaction: atomically,
    revisions: transaction.revisions,
    close: session.close,
  };
}

async function runTransaction<T>(
  session: PublishingSession,
  patience: LockWaitOptions,
  operation: () => Promise<T>,
): Promise<T> {
  await retryWhileBusy(patience, session.begin);
  try {
    const result = await operation();
    await session.commit();
    return result;
  } finally {
    if (session.isOpen()) await rollBackQuietly(session.rollback);
  }
}

/** Runs a piece of work that, when it fails, leaves the transaction as it was. */
async function withSavepoint<T>(
  session: PublishingSession,
  operation: () => Promise<T>,
): Promise<T> {
  await session.run(() => executeStep('SAVEPOINT change'));
  try {
    const result = await operation();
    await session.run(() => executeStep('RELEASE SAVEPOINT change'));
    return result;
  } catch (cause) {
    if (session.isOpen()) {
      await rollBackQuietly(async () => {
        await session.run(() => executeStep('ROLLBACK TO SAVEPOINT change'));
        await session.run(() => executeStep('RELEASE SAVEPOINT change'));
      });
    }
    throw cause;
  }
}

/** Undoes what was done. A store that is gone has undone it already: that hides no other failure. */
async function rollBackQuietly(undo: () => Promise<void>): Promise<void> {
  try {
    await undo();
  } catch (cause) {
    if (!(cause instanceof StoreUnavailableError)) throw cause;
  }
}

function* executeStep(sql: string): QuerySteps<void> {
  yield { sql, values: [] };
}

function* hasCurrentRecord(
  { currentTable, key }: StorageTable,
  values: RecordKey,
): QuerySteps<boolean> {
  const matches = key.map(({ column }) => `${column} = ?`).join(' AND ');
  const rows = yield { sql: `SELECT 1 AS one FROM ${currentTable} WHERE ${matches}`, values };
  return rows.length > 0;
}
