import type { Database } from 'bun:sqlite';
import { toBatches } from '../rows.ts';
import type { QuerySteps, SqlQuery, SqlRows, SqlValue } from '../sql/query-steps.ts';
import type { QuerySession, RunOptions } from '../sql/session.ts';
import { toSqliteStoreError } from './connection.ts';
import { sqliteDialect } from './dialect.ts';

export function createSession(database: Database): QuerySession {
  return {
    dialect: sqliteDialect,
    run: (steps) => {
      try {
        return runSteps(database, steps());
      } catch (cause) {
        throw toSqliteStoreError(cause);
      }
    },
    stream: (query) => streamRows(database, query),
  };
}

/** The same outside of transactions: several statements still see one revision. */
export function createReadSession(database: Database): QuerySession {
  const runInTransaction = database.transaction((createSteps: () => QuerySteps<unknown>) =>
    runSteps(database, createSteps()),
  );
  return {
    ...createSession(database),
    run<T>(createSteps: () => QuerySteps<T>, { isSingleStatement }: RunOptions = {}): T {
      try {
        if (!isSingleStatement) return runInTransaction(createSteps) as T;
        // One statement sees one revision by itself.
        const steps = createSteps();
        const first = steps.next();
        if (first.done) return first.value;
        const second = steps.next(executeQuery(database, first.value));
        return second.done ? second.value : (runInTransaction(createSteps) as T);
      } catch (cause) {
        throw toSqliteStoreError(cause);
      }
    },
  };
}

export function runSteps<T>(database: Database, steps: QuerySteps<T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next(executeQuery(database, step.value));
  return step.value;
}

function executeQuery(database: Database, { sql, values = [] }: SqlQuery): SqlRows {
  return database.query<object, SqlValue[]>(sql).all(...values);
}

export async function* streamRows(
  database: Database,
  { sql, values = [] }: SqlQuery,
): AsyncGenerator<SqlRows> {
  // An open statement keeps its connection and its revision open: it is closed with the stream.
  using statement = database.prepare<object, SqlValue[]>(sql);
  try {
    yield* toBatches(statement.iterate(...values));
  } catch (cause) {
    throw toSqliteStoreError(cause);
  }
}
