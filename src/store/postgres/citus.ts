import type { Asked } from './connection.ts';
import { ask } from './connection.ts';

/** Whether the quotes of the database are spread over many machines. */
export async function isDistributed(asked: Asked): Promise<boolean> {
  if (!(await hasCitus(asked))) return false;
  const sql = 'SELECT 1 AS one FROM pg_dist_partition LIMIT 1';
  return (await ask(asked, { sql, values: [] })).length > 0;
}

/** Whether the database has the extension. */
export async function hasCitus(asked: Asked): Promise<boolean> {
  const sql = "SELECT 1 AS one FROM pg_extension WHERE extname = 'citus'";
  return (await ask(asked, { sql, values: [] })).length > 0;
}
