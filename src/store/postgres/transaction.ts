import { StoreUnavailableError } from '../errors.ts';
import { execute, type SqlExecutor } from './query.ts';

/** The key of the advisory lock that a publisher holds, whatever machine it runs on. */
export const WRITE_LOCK_KEY = "hashtext('tenor'), hashtext(current_schema())";

/** Acquires the write lock until the transaction ends; false where another publisher has it. */
export async function tryAcquireWriteLock(connection: SqlExecutor): Promise<boolean> {
  const sql = `SELECT pg_try_advisory_xact_lock(${WRITE_LOCK_KEY}) AS acquired`;
  const [row] = await execute<{ acquired: boolean }>(connection, sql);
  return row?.acquired === true;
}

/** Commits; the error says so where it is not known whether the commit succeeded. */
export async function commitTransaction(connection: SqlExecutor): Promise<void> {
  const reply: object[] & { command?: string } = await execute(connection, 'COMMIT').catch(
    (cause) => {
      if (!(cause instanceof StoreUnavailableError)) throw cause;
      throw new StoreUnavailableError(COMMIT_IN_DOUBT_MESSAGE, { cause });
    },
  );
  // The reply of a server to COMMIT after a failed statement.
  if (reply.command === 'ROLLBACK') throw new Error('the server did not keep the revision');
}

const COMMIT_IN_DOUBT_MESSAGE =
  'the server was lost while it was asked to keep the revision: tenor revisions tells whether it did';
