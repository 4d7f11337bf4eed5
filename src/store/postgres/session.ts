import type { SQL } from 'bun';
import { StoreBusyError, StoreUnavailableError } from '../errors.ts';
import { toBatches } from '../rows.ts';
import type { Dialect } from '../sql/dialect.ts';
import type { QuerySteps, SqlQuery, SqlRows } from '../sql/query-steps.ts';
import type { QuerySession } from '../sql/session.ts';
import { throwStoreError } from './errors.ts';
import { execute, query, type SqlExecutor } from './query.ts';

export function createSession(connection: SqlExecutor, dialect: Dialect): QuerySession {
  return {
    dialect,
    run: (steps) => runSteps(connection, steps()),
    stream: (statement) => streamRows(connection, statement),
  };
}

export type RunStatement = (statement: SqlQuery) => Promise<SqlRows>;

/**
 * A session of a cluster, in which every statement is a transaction of its own. Each is as of a
 * revision, so its result does not depend on when it runs. A snapshot would not have the rows of a
 * shard that was moved to another node since it was taken.
 */
export function createClusterSession(runStatement: RunStatement, dialect: Dialect): QuerySession {
  return {
    dialect,
    run: (steps) => runStatements(runStatement, steps()),
    async *stream(statement) {
      yield* toBatches(await runStatement(statement));
    },
  };
}

/** Runs steps through a pool, so that all of them see one revision. */
export async function runInSnapshot<T>(
  pool: SQL,
  createSteps: () => QuerySteps<T>,
  isSingleStatement = false,
): Promise<T> {
  if (isSingleStatement) {
    // One statement sees one revision by itself. If there are more, the steps start again.
    const steps = createSteps();
    const first = steps.next();
    if (first.done) return first.value;
    const second = steps.next(await query(pool, first.value));
    if (second.done) return second.value;
  }
  return pool
    .begin(SNAPSHOT_ISOLATION, (connection) => runSteps(connection, createSteps()))
    .catch(throwStoreError);
}

/** The mode of a transaction that sees one revision, whatever is published meanwhile. */
export const SNAPSHOT_ISOLATION = 'ISOLATION LEVEL REPEATABLE READ READ ONLY';

export function runSteps<T>(connection: SqlExecutor, steps: QuerySteps<T>): Promise<T> {
  return runStatements((statement) => query(connection, statement), steps);
}

export async function runStatements<T>(
  runStatement: RunStatement,
  steps: QuerySteps<T>,
): Promise<T> {
  let step = steps.next();
  while (!step.done) step = steps.next(await runStatement(step.value));
  return step.value;
}

const FETCH_SIZE = 1_000;
let cursorCount = 0;

/** A cursor returns rows as of its declaration, whatever its transaction writes. */
export async function* streamRows(
  connection: SqlExecutor,
  statement: SqlQuery,
  fetchSize = FETCH_SIZE,
): AsyncGenerator<SqlRows> {
  const name = `tenor_${++cursorCount}`;
  await query(connection, statement, `DECLARE ${name} NO SCROLL CURSOR FOR `);
  for (;;) {
    const rows = await execute(connection, `FETCH ${fetchSize} FROM ${name}`);
    if (rows.length > 0) yield rows;
    if (rows.length < fetchSize) break;
  }
  await execute(connection, `CLOSE ${name}`);
}

/** The key of the advisory lock that a publisher holds, whatever machine it runs on. */
export const WRITE_LOCK_KEY = "hashtext('tenor'), hashtext(current_schema())";

/** The moving of a small shard ends within the longest; Citus leaves some deadlocks undetected. */
const [MIN_LOCK_TIMEOUT_MS, MAX_LOCK_TIMEOUT_MS] = [1_000, 30_000];

/** Begins a transaction that publishes, and fails if a lock of another session stays for long. */
export async function beginPublishing(
  connection: SqlExecutor,
  waitMs = MAX_LOCK_TIMEOUT_MS,
): Promise<void> {
  const timeoutMs = Math.min(Math.max(waitMs, MIN_LOCK_TIMEOUT_MS), MAX_LOCK_TIMEOUT_MS);
  await execute(connection, 'BEGIN');
  await execute(connection, `SET LOCAL lock_timeout = ${timeoutMs}`);
}

/** Acquires the write lock until the transaction ends; false if another publisher has it. */
export function tryAcquireWriteLock(connection: SqlExecutor): Promise<boolean> {
  return tryAcquireLock(connection, WRITE_LOCK_KEY);
}

/** Acquires an advisory lock until the transaction ends; false if another session has it. */
export async function tryAcquireLock(connection: SqlExecutor, key: string): Promise<boolean> {
  const sql = `SELECT pg_try_advisory_xact_lock(${key}) AS acquired`;
  const [row] = await execute<{ acquired: boolean }>(connection, sql);
  return row?.acquired === true;
}

/** Acquires the write lock; throws a StoreBusyError if another publisher has it. */
export async function acquireWriteLock(connection: SqlExecutor): Promise<void> {
  if (!(await tryAcquireWriteLock(connection)))
    throw new StoreBusyError('another publisher holds the database');
}

/** Commits; the error says so if it is not known whether the commit succeeded. */
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
