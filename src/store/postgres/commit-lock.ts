import type { CommitState } from '../sql/settled-revision.ts';
import { execute, type SqlExecutor } from './query.ts';

/** The key of the advisory lock that a publisher holds from the instant of a revision on. */
const COMMIT_LOCK_KEY = "hashtext('tenor commit'), hashtext(current_schema())";

/** Acquires the commit lock until the transaction ends, or else until the connection ends. */
export async function acquireCommitLock(
  connection: SqlExecutor,
  until: 'transaction' | 'connection' = 'transaction',
): Promise<void> {
  const acquire = until === 'transaction' ? 'pg_advisory_xact_lock' : 'pg_advisory_lock';
  await execute(connection, `SELECT ${acquire}(${COMMIT_LOCK_KEY})`);
}

/** In milliseconds. */
export async function readServerClock(executor: SqlExecutor): Promise<number> {
  const sql = `SELECT ${formatMs('clock_timestamp()')} AS "nowMs"`;
  const [row] = await execute<{ nowMs: string }>(executor, sql);
  return Number(row?.nowMs);
}

function formatMs(timestamp: string): string {
  return `floor(extract(epoch FROM ${timestamp}) * 1000)::text`;
}

/** The clock of the server, and then whether the commit lock is held by another connection. */
export async function readCommitState(executor: SqlExecutor): Promise<CommitState> {
  const [row] = await execute<{ nowMs: string; isFree: boolean }>(executor, COMMIT_STATE_SQL);
  return { nowMs: Number(row?.nowMs), isCommitting: row?.isFree !== true };
}

export const COMMIT_STATE_SQL = `WITH clock AS MATERIALIZED (SELECT clock_timestamp() AS now)
  SELECT ${formatMs('now')} AS "nowMs",
    pg_try_advisory_xact_lock_shared(${COMMIT_LOCK_KEY}) AS "isFree" FROM clock`;
