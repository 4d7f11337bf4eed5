import type { SQL } from 'bun';
import type { Dataset } from '../../../catalogue/dataset.ts';
import { tableOf } from '../../../derive/table.ts';
import { newestRevision } from '../../sql/ledger.ts';
import { StoreUnavailable } from '../../store.ts';
import { commit } from '../commit.ts';
import type { Asked } from '../connection.ts';
import { ask } from '../connection.ts';
import { KEY, takeStore } from '../lock.ts';
import { take } from '../session.ts';
import { UNSETTLED } from './citus.ts';

/*
 * The machines of a cluster come to show a transaction one after another, and the one that has the
 * ledger is the first of them. So a revision is published there in two transactions: the first
 * commits its records, and its entry to where nobody looks; the second brings the entry into the
 * ledger, when every machine has shown the records. A publisher that ends between the two leaves
 * nothing wrong behind, and the next one does what is left.
 */

/** Ends a transaction that holds the store, in which revisions after that one were made. */
export async function commitInCluster(
  connection: Asked,
  catalogue: readonly Dataset[],
  newest: number,
): Promise<void> {
  const made = { values: [newest] };
  const aside = `INSERT INTO ${UNSETTLED} SELECT revision, row_to_json(made) FROM revisions AS made
    WHERE revision > ?`;
  await ask(connection, { sql: aside, ...made });
  await ask(connection, { sql: 'DELETE FROM revisions WHERE revision > ?', ...made });
  await keepHold(connection);
  await commit(connection);
  try {
    await command(connection, 'BEGIN');
    await settle(connection, catalogue);
    await commit(connection);
  } catch (cause) {
    throw cause instanceof StoreUnavailable ? notShown(cause) : cause;
  }
}

/**
 * Does what is left of another publisher's work, at the beginning of a transaction that holds the
 * store; gives the newest revision.
 */
export async function takeUp(connection: Asked, catalogue: readonly Dataset[]): Promise<number> {
  if (await settle(connection, catalogue)) {
    await keepHold(connection);
    await commit(connection);
    await command(connection, 'BEGIN');
    await command(connection, `SELECT pg_advisory_xact_lock(${KEY})`);
    await command(connection, `SELECT pg_advisory_unlock(${KEY})`);
  }
  return take(connection, newestRevision());
}

/** Does what is left of a publisher's work, unless another one is at work and does it. */
export async function settleLeftOver(pool: SQL, catalogue: readonly Dataset[]): Promise<void> {
  await pool.begin(async (connection) => {
    if (await takeStore(connection)) await settle(connection, catalogue);
  });
}

/** Holds the store beyond the transaction, until the connection ends. */
async function keepHold(connection: Asked): Promise<void> {
  await command(connection, `SELECT pg_advisory_lock(${KEY})`);
}

/** How long machines are waited for that were lost while they were told to show a revision. */
const SHOWN_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 50;

/** Brings waiting entries into the ledger; whether there were any. */
async function settle(connection: Asked, catalogue: readonly Dataset[]): Promise<boolean> {
  const waiting = (await ask(connection, {
    sql: `SELECT revision, entry FROM ${UNSETTLED}`,
    values: [],
  })) as Waiting[];
  if (waiting.length === 0) return false;
  const deadline = performance.now() + SHOWN_WITHIN_MS;
  while (!(await areShown(connection, catalogue, waiting))) {
    if (performance.now() > deadline) throw new StoreUnavailable('a machine does not show it yet');
    await Bun.sleep(LOOK_EVERY_MS);
  }
  await command(
    connection,
    `INSERT INTO revisions SELECT (json_populate_record(NULL::revisions, entry)).* FROM ${UNSETTLED}`,
  );
  await command(connection, `DELETE FROM ${UNSETTLED}`);
  return true;
}

interface Waiting {
  readonly revision: number;
  readonly entry: {
    readonly dataset: string;
    readonly added: number;
    readonly corrected: number;
    readonly retired: number;
  };
}

/** Whether all machines together show as many records begun and ended as the entries count. */
async function areShown(
  connection: Asked,
  catalogue: readonly Dataset[],
  waiting: readonly Waiting[],
): Promise<boolean> {
  const revisions = waiting.map(({ revision }) => revision);
  const bounds = [Math.min(...revisions), Math.max(...revisions)];
  for (const dataset of catalogue) {
    const { now, past, home } = tableOf(dataset);
    const own = waiting.filter(({ entry }) => entry.dataset === dataset.name);
    if (home === undefined || own.length === 0) continue;
    const count = (table: string, column: string) =>
      `(SELECT count(*) FROM ${table} WHERE ${column} BETWEEN ? AND ?)`;
    const [row] = (await ask(connection, {
      sql: `SELECT ${count(now, 'since')} + ${count(past, 'since')} AS begun,
        ${count(past, 'until')} AS ended`,
      values: [...bounds, ...bounds, ...bounds],
    })) as { begun: number | string; ended: number | string }[];
    const begun = sum(own, ({ entry }) => entry.added + entry.corrected);
    const ended = sum(own, ({ entry }) => entry.corrected + entry.retired);
    if (Number(row?.begun) !== begun || Number(row?.ended) !== ended) return false;
  }
  return true;
}

function sum<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((total, value) => total + of(value), 0);
}

async function command(connection: Asked, sql: string): Promise<void> {
  await ask(connection, { sql, values: [] });
}

function notShown(cause: StoreUnavailable): StoreUnavailable {
  return new StoreUnavailable(
    `the revision is kept, but not shown (${cause.message}): it is when something is published next, or by tenor migrate`,
    { cause },
  );
}
