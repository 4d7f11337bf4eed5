import type { SQL } from 'bun';
import type { Dialect } from '../sql/dialect.ts';
import type { QuerySteps, SqlQuery, SqlRows } from '../sql/query-steps.ts';
import type { QuerySession } from '../sql/session.ts';
import { toStoreError } from './errors.ts';
import { execute, query, type SqlExecutor } from './query.ts';

/** Queries through one connection, within its transaction. */
export function createSession(connection: SqlExecutor, dialect: Dialect): QuerySession {
  return {
    dialect,
    run: (steps) => runSteps(connection, steps()),
    stream: (statement) => streamRows(connection, statement),
  };
}

interface SnapshotOptions extends Pick<Dialect, 'isDistributed'> {
  readonly isSingleStatement?: boolean;
}

/** Runs steps through a pool, so that all of them see one revision. */
export async function runInSnapshot<T>(
  pool: SQL,
  createSteps: () => QuerySteps<T>,
  { isDistributed, isSingleStatement = false }: SnapshotOptions,
): Promise<T> {
  // In a cluster each step is as of a revision, and its result does not depend on when it runs.
  if (isDistributed) return runSteps(pool, createSteps());
  if (isSingleStatement) {
    // One statement sees one revision by itself. If there are more, the steps start again.
    const steps = createSteps();
    const first = steps.next();
    if (first.done) return first.value;
    const second = steps.next(await query(pool, first.value));
    if (second.done) return second.value;
  }
  try {
    return await pool.begin(SNAPSHOT_ISOLATION, (connection) =>
      runSteps(connection, createSteps()),
    );
  } catch (cause) {
    throw toStoreError(cause);
  }
}

/** The mode of a transaction that sees one revision, whatever is published meanwhile. */
export const SNAPSHOT_ISOLATION = 'ISOLATION LEVEL REPEATABLE READ READ ONLY';

export async function runSteps<T>(connection: SqlExecutor, steps: QuerySteps<T>): Promise<T> {
  let step = steps.next();
  while (!step.done) step = steps.next(await query(connection, step.value));
  return step.value;
}

const FETCH_SIZE = 1_000;
let cursorCount = 0;

/** A cursor returns rows as of its declaration, whatever its transaction writes. */
export async function* streamRows(
  connection: SqlExecutor,
  statement: SqlQuery,
): AsyncGenerator<SqlRows> {
  const name = `tenor_${++cursorCount}`;
  await query(connection, statement, `DECLARE ${name} NO SCROLL CURSOR FOR `);
  for (;;) {
    const rows = await execute(connection, `FETCH ${FETCH_SIZE} FROM ${name}`);
    if (rows.length > 0) yield rows;
    if (rows.length < FETCH_SIZE) break;
  }
  await execute(connection, `CLOSE ${name}`);
}
