import type { SQL } from 'bun';
import { memoize } from '../../shared/memoize.ts';
import type { SqlQuery, SqlRows } from '../sql/query-steps.ts';
import { toStoreError } from './errors.ts';

/** A pool, or the one connection of a transaction. */
export type SqlExecutor = Pick<SQL, 'unsafe' | 'array'>;

const MAX_CACHED_STATEMENTS = 1_000;

/** Runs a query with question marks as placeholders, after an optional prefix. */
export function query(
  executor: SqlExecutor,
  { sql, values = [] }: SqlQuery,
  prefix = '',
): Promise<SqlRows> {
  // The columns are four bytes long: no stored number is above the largest.
  const clamped = values.map((value) =>
    typeof value === 'number' ? Math.min(value, 2_147_483_647) : value,
  );
  return execute(executor, prefix + numberPlaceholders(sql), clamped);
}

/** Runs a statement in the syntax of PostgreSQL. */
export async function execute<Row extends object>(
  executor: SqlExecutor,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  try {
    return await executor.unsafe(sql, values);
  } catch (cause) {
    throw toStoreError(cause);
  }
}

/** PostgreSQL numbers its placeholders. */
const numberPlaceholders = memoize(MAX_CACHED_STATEMENTS, (sql: string) => {
  let count = 0;
  return sql.replaceAll('?', () => `$${++count}`);
});
