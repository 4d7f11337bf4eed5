import type { SQL } from 'bun';
import type { Dialect } from '../sql/dialect.ts';
import type { QuerySteps, SqlRows, SqlStatement } from '../sql/query-steps.ts';
import type { QuerySession } from '../sql/session.ts';
import type { SqlExecutor } from './connection.ts';
import { query, toStoreError } from './connection.ts';

/** Asks through one connection, within the transaction that it is in. */
export function createSession(connection: SqlExecutor, dialect: Dialect): QuerySession {
  return {
    dialect,
    run: (steps) => runSteps(connection, steps()),
    stream: (statement) => streamRows(connection, statement),
  };
}

/** Does a piece of work through a pool, so that all of it sees one revision. */
export async function runInSnapshot<T>(
  pool: SQL,
  work: () => QuerySteps<T>,
  { isDistributed }: Dialect,
  isShort = false,
): Promise<T> {
  // In a cluster each step names its revision, and finds the same whenever it is taken.
  if (isDistributed) return runSteps(pool, work());
  if (isShort) {
    // One statement sees one revision by itself. Where that was not all, it starts again.
    const steps = work();
    const first = steps.next();
    if (first.done) return first.value;
    const second = steps.next(await query(pool, first.value));
    if (second.done) return second.value;
  }
  try {
    return await pool.begin(SNAPSHOT_ISOLATION, (connection) => runSteps(connection, work()));
  } catch (cause) {
    throw toStoreError(cause);
  }
}

/** How a transaction begins that sees one revision, whatever is published meanwhile. */
export const SNAPSHOT_ISOLATION = 'ISOLATION LEVEL REPEATABLE READ READ ONLY';

/** Takes the steps, one after another. */
export async function runSteps<T>(connection: SqlExecutor, steps: QuerySteps<T>): Promise<T> {
  let step = steps.next();
  while (!step.done) step = steps.next(await query(connection, step.value));
  return step.value;
}

const FETCH_SIZE = 1_000;
let cursorCount = 0;

/** A cursor shows its rows as they were when it was declared, whatever its transaction writes. */
export async function* streamRows(
  connection: SqlExecutor,
  { sql, values }: SqlStatement,
): AsyncGenerator<SqlRows> {
  const name = `tenor_${++cursorCount}`;
  await query(connection, { sql, values }, `DECLARE ${name} NO SCROLL CURSOR FOR `);
  for (;;) {
    const rows = await query(connection, EMPTY_STATEMENT, `FETCH ${FETCH_SIZE} FROM ${name}`);
    if (rows.length > 0) yield rows;
    if (rows.length < FETCH_SIZE) break;
  }
  await query(connection, EMPTY_STATEMENT, `CLOSE ${name}`);
}

const EMPTY_STATEMENT: SqlStatement = { sql: '', values: [] };
