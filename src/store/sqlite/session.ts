import type { Database } from 'bun:sqlite';
import { batched } from '../batches.ts';
import type { Session } from '../sql/session.ts';
import type { Rows, Statement, Steps, Value } from '../sql/steps.ts';
import { outOfReach, reaching } from './connection.ts';
import { sqliteDialect } from './dialect.ts';

/** Asks through a connection, within the transaction that it is in. */
export function sessionOn(database: Database): Session {
  return {
    dialect: sqliteDialect,
    run: async (work) => reaching(() => take(database, work())),
    walk: (statement) => walk(database, statement),
  };
}

/** The same outside of transactions: what takes several statements still sees one revision. */
export function readingSessionOn(database: Database): Session {
  const together = database.transaction((work: () => Steps<unknown>) => take(database, work()));
  return {
    ...sessionOn(database),
    run: async <T>(work: () => Steps<T>, isShort = false) =>
      reaching(() => {
        if (!isShort) return together(work) as T;
        // One statement sees one revision by itself.
        const steps = work();
        const first = steps.next();
        if (first.done) return first.value;
        const second = steps.next(rowsIn(database, first.value));
        return second.done ? second.value : (together(work) as T);
      }),
  };
}

/** Takes the steps, one after another; nothing else happens on the thread meanwhile. */
export function take<T>(database: Database, steps: Steps<T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next(rowsIn(database, step.value));
  return step.value;
}

function rowsIn(database: Database, { sql, values }: Statement): Rows {
  return database.query<object, Value[]>(sql).all(...values);
}

async function* walk(database: Database, { sql, values }: Statement): AsyncGenerator<Rows> {
  // Let go with the walk: as long as it is there, it holds its connection and its revision open.
  using statement = database.prepare<object, Value[]>(sql);
  try {
    yield* batched(statement.iterate(...values));
  } catch (cause) {
    throw outOfReach(cause);
  }
}
