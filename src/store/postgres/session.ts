import type { SQL } from 'bun';
import type { Dialect } from '../sql/dialect.ts';
import type { Session } from '../sql/session.ts';
import type { Rows, Statement, Steps } from '../sql/steps.ts';
import type { Asked } from './connection.ts';
import { ask, outOfReach } from './connection.ts';

/** Asks through one connection, within the transaction that it is in. */
export function sessionOn(connection: Asked, dialect: Dialect): Session {
  return {
    dialect,
    run: (work) => take(connection, work()),
    walk: (statement) => walk(connection, statement),
  };
}

/** Does a piece of work through a pool, so that all of it sees one revision. */
export async function takeTogether<T>(
  pool: SQL,
  work: () => Steps<T>,
  { isSpread }: Dialect,
  isShort = false,
): Promise<T> {
  // In a cluster each step names its revision, and finds the same whenever it is taken.
  if (isSpread) return take(pool, work());
  if (isShort) {
    // One statement sees one revision by itself. Where that was not all, it starts again.
    const steps = work();
    const first = steps.next();
    if (first.done) return first.value;
    const second = steps.next(await ask(pool, first.value));
    if (second.done) return second.value;
  }
  try {
    return await pool.begin(SNAPSHOT, (connection) => take(connection, work()));
  } catch (cause) {
    throw outOfReach(cause);
  }
}

/** How a transaction begins that sees one revision, whatever is published meanwhile. */
export const SNAPSHOT = 'ISOLATION LEVEL REPEATABLE READ READ ONLY';

/** Takes the steps, one after another. */
export async function take<T>(connection: Asked, steps: Steps<T>): Promise<T> {
  let step = steps.next();
  while (!step.done) step = steps.next(await ask(connection, step.value));
  return step.value;
}

const AT_ONCE = 1_000;
let cursors = 0;

/** A cursor shows its rows as they were when it was declared, whatever its transaction writes. */
export async function* walk(connection: Asked, { sql, values }: Statement): AsyncGenerator<Rows> {
  const name = `tenor_${++cursors}`;
  await ask(connection, { sql, values }, `DECLARE ${name} NO SCROLL CURSOR FOR `);
  for (;;) {
    const rows = await ask(connection, NOTHING, `FETCH ${AT_ONCE} FROM ${name}`);
    if (rows.length > 0) yield rows;
    if (rows.length < AT_ONCE) break;
  }
  await ask(connection, NOTHING, `CLOSE ${name}`);
}

const NOTHING: Statement = { sql: '', values: [] };
