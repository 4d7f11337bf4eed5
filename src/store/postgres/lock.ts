import type { Asked } from './connection.ts';
import { ask } from './connection.ts';

/** What is locked by whoever holds the store: whoever publishes, from whatever machine. */
export const KEY = "hashtext('tenor'), hashtext(current_schema())";

/** Takes the store until the transaction ends; false where somebody else has it. */
export async function takeStore(connection: Asked): Promise<boolean> {
  const sql = `SELECT pg_try_advisory_xact_lock(${KEY}) AS held`;
  const [lock] = (await ask(connection, { sql, values: [] })) as { held: boolean }[];
  return lock?.held === true;
}
