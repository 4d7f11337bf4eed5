import type { SqlQuery, SqlRows } from '../../sql/query-steps.ts';
import { getSqlState } from '../errors.ts';
import { query, type SqlExecutor } from '../query.ts';

const MAX_ATTEMPTS = 3;

/** Runs a statement; again if a shard was moved away between its planning and its execution. */
export async function queryShards(executor: SqlExecutor, statement: SqlQuery): Promise<SqlRows> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await query(executor, statement);
    } catch (cause) {
      if (attempt === MAX_ATTEMPTS || !isMovedShardError(cause)) throw cause;
    }
  }
}

const UNDEFINED_TABLE = '42P01';
/** The name of a shard is that of its table and a number. */
const SHARD_NAME_PATTERN = /_\d+"/;

function isMovedShardError(cause: unknown): boolean {
  return (
    getSqlState(cause) === UNDEFINED_TABLE && SHARD_NAME_PATTERN.test((cause as Error).message)
  );
}

/**
 * The symbol or series whose shard alone a statement queries, as Citus finds it by the condition;
 * undefined if it queries all shards.
 */
export function findQueriedKey({ sql, values = [] }: SqlQuery): string | undefined {
  const match = /symbol_key = \?|series_key = '([^']*)'/.exec(sql);
  if (!match) return undefined;
  return match[1] ?? String(values[sql.slice(0, match.index).split('?').length - 1]);
}
