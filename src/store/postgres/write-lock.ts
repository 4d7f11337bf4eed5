import type { SqlExecutor } from './connection.ts';
import { query } from './connection.ts';

/** What is locked by whoever holds the store: whoever publishes, from whatever machine. */
export const WRITE_LOCK_KEY = "hashtext('tenor'), hashtext(current_schema())";

/** Takes the store until the transaction ends; false where somebody else has it. */
export async function tryAcquireWriteLock(connection: SqlExecutor): Promise<boolean> {
  const sql = `SELECT pg_try_advisory_xact_lock(${WRITE_LOCK_KEY}) AS held`;
  const [lock] = (await query(connection, { sql, values: [] })) as { held: boolean }[];
  return lock?.held === true;
}
