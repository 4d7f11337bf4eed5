import type { Database } from 'bun:sqlite';
import { toBatches } from '../batches.ts';
import type { QuerySteps, SqlRows, SqlStatement, SqlValue } from '../sql/query-steps.ts';
import type { QuerySession } from '../sql/session.ts';
import { toStoreError, withStoreErrors } from './connection.ts';
import { sqliteDialect } from './dialect.ts';

/** Asks through a connection, within the transaction that it is in. */
export function createSession(database: Database): QuerySession {
  return {
    dialect: sqliteDialect,
    run: async (steps) => withStoreErrors(() => runSteps(database, steps())),
    stream: (statement) => streamRows(database, statement),
  };
}

/** The same outside of transactions: what takes several statements still sees one revision. */
export function createReadSession(database: Database): QuerySession {
  const together = database.transaction((work: () => QuerySteps<unknown>) =>
    runSteps(database, work()),
  );
  return {
    ...createSession(database),
    run: async <T>(work: () => QuerySteps<T>, isShort = false) =>
      withStoreErrors(() => {
        if (!isShort) return together(work) as T;
        // One statement sees one revision by itself.
        const steps = work();
        const first = steps.next();
        if (first.done) return first.value;
        const second = steps.next(executeStatement(database, first.value));
        return second.done ? second.value : (together(work) as T);
      }),
  };
}

/** Takes the steps, one after another; nothing else happens on the thread meanwhile. */
export function runSteps<T>(database: Database, steps: QuerySteps<T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next(executeStatement(database, step.value));
  return step.value;
}

function executeStatement(database: Database, { sql, values }: SqlStatement): SqlRows {
  return database.query<object, SqlValue[]>(sql).all(...values);
}

async function* streamRows(
  database: Database,
  { sql, values }: SqlStatement,
): AsyncGenerator<SqlRows> {
  // Let go with the walk: as long as it is there, it holds its connection and its revision open.
  using statement = database.prepare<object, SqlValue[]>(sql);
  try {
    yield* toBatches(statement.iterate(...values));
  } catch (cause) {
    throw toStoreError(cause);
  }
}
