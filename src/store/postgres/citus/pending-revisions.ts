import type { SQL } from 'bun';
import type { Dataset } from '../../../catalogue/model/dataset.ts';
import { getStorageTable } from '../../../schema/storage-table.ts';
import { StoreUnavailableError } from '../../errors.ts';
import { findNewestRevision } from '../../sql/ledger.ts';
import { commitTransaction } from '../commit-transaction.ts';
import type { SqlExecutor } from '../connection.ts';
import { query } from '../connection.ts';
import { runSteps } from '../session.ts';
import { tryAcquireWriteLock, WRITE_LOCK_KEY } from '../write-lock.ts';
import { PENDING_REVISIONS_TABLE } from './distribute.ts';

/*
 * The machines of a cluster come to show a transaction one after another, and the one that has the
 * ledger is the first of them. So a revision is published there in two transactions: the first
 * commits its records, and its entry to where nobody looks; the second brings the entry into the
 * ledger, when every machine has shown the records. A publisher that ends between the two leaves
 * nothing wrong behind, and the next one does what is left.
 */

/** Ends a transaction that holds the store, in which revisions after that one were made. */
export async function commitDistributed(
  connection: SqlExecutor,
  catalogue: readonly Dataset[],
  newest: number,
): Promise<void> {
  const made = { values: [newest] };
  const aside = `INSERT INTO ${PENDING_REVISIONS_TABLE} SELECT revision, row_to_json(made) FROM revisions AS made
    WHERE revision > ?`;
  await query(connection, { sql: aside, ...made });
  await query(connection, { sql: 'DELETE FROM revisions WHERE revision > ?', ...made });
  await holdLockForSession(connection);
  await commitTransaction(connection);
  try {
    await execute(connection, 'BEGIN');
    await publishPendingRevisions(connection, catalogue);
    await commitTransaction(connection);
  } catch (cause) {
    throw cause instanceof StoreUnavailableError ? toNotVisibleError(cause) : cause;
  }
}

/**
 * Does what is left of another publisher's work, at the beginning of a transaction that holds the
 * store; gives the newest revision.
 */
export async function recoverPendingRevisions(
  connection: SqlExecutor,
  catalogue: readonly Dataset[],
): Promise<number> {
  if (await publishPendingRevisions(connection, catalogue)) {
    await holdLockForSession(connection);
    await commitTransaction(connection);
    await execute(connection, 'BEGIN');
    await execute(connection, `SELECT pg_advisory_xact_lock(${WRITE_LOCK_KEY})`);
    await execute(connection, `SELECT pg_advisory_unlock(${WRITE_LOCK_KEY})`);
  }
  return runSteps(connection, findNewestRevision());
}

/** Does what is left of a publisher's work, unless another one is at work and does it. */
export async function publishLeftoverRevisions(
  pool: SQL,
  catalogue: readonly Dataset[],
): Promise<void> {
  await pool.begin(async (connection) => {
    if (await tryAcquireWriteLock(connection)) await publishPendingRevisions(connection, catalogue);
  });
}

/** Holds the store beyond the transaction, until the connection ends. */
async function holdLockForSession(connection: SqlExecutor): Promise<void> {
  await execute(connection, `SELECT pg_advisory_lock(${WRITE_LOCK_KEY})`);
}

/** How long machines are waited for that were lost while they were told to show a revision. */
const VISIBILITY_TIMEOUT_MS = 10_000;
const VISIBILITY_POLL_INTERVAL_MS = 50;

/** Brings waiting entries into the ledger; whether there were any. */
async function publishPendingRevisions(
  connection: SqlExecutor,
  catalogue: readonly Dataset[],
): Promise<boolean> {
  const waiting = (await query(connection, {
    sql: `SELECT revision, entry FROM ${PENDING_REVISIONS_TABLE}`,
    values: [],
  })) as PendingRevision[];
  if (waiting.length === 0) return false;
  const deadline = performance.now() + VISIBILITY_TIMEOUT_MS;
  while (!(await areVisibleOnAllNodes(connection, catalogue, waiting))) {
    if (performance.now() > deadline)
      throw new StoreUnavailableError('a machine does not show it yet');
    await Bun.sleep(VISIBILITY_POLL_INTERVAL_MS);
  }
  await execute(
    connection,
    `INSERT INTO revisions SELECT (json_populate_record(NULL::revisions, entry)).* FROM ${PENDING_REVISIONS_TABLE}`,
  );
  await execute(connection, `DELETE FROM ${PENDING_REVISIONS_TABLE}`);
  return true;
}

interface PendingRevision {
  readonly revision: number;
  readonly entry: {
    readonly dataset: string;
    readonly added: number;
    readonly corrected: number;
    readonly retired: number;
  };
}

/** Whether all machines together show as many records begun and ended as the entries count. */
async function areVisibleOnAllNodes(
  connection: SqlExecutor,
  catalogue: readonly Dataset[],
  waiting: readonly PendingRevision[],
): Promise<boolean> {
  const revisions = waiting.map(({ revision }) => revision);
  const bounds = [Math.min(...revisions), Math.max(...revisions)];
  for (const dataset of catalogue) {
    const { currentTable, historyTable, distributionColumn } = getStorageTable(dataset);
    const own = waiting.filter(({ entry }) => entry.dataset === dataset.name);
    if (distributionColumn === undefined || own.length === 0) continue;
    const count = (table: string, column: string) =>
      `(SELECT count(*) FROM ${table} WHERE ${column} BETWEEN ? AND ?)`;
    const [row] = (await query(connection, {
      sql: `SELECT ${count(currentTable, 'since')} + ${count(historyTable, 'since')} AS begun,
        ${count(historyTable, 'until')} AS ended`,
      values: [...bounds, ...bounds, ...bounds],
    })) as { begun: number | string; ended: number | string }[];
    const begun = sumBy(own, ({ entry }) => entry.added + entry.corrected);
    const ended = sumBy(own, ({ entry }) => entry.corrected + entry.retired);
    if (Number(row?.begun) !== begun || Number(row?.ended) !== ended) return false;
  }
  return true;
}

function sumBy<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((total, value) => total + of(value), 0);
}

async function execute(connection: SqlExecutor, sql: string): Promise<void> {
  await query(connection, { sql, values: [] });
}

function toNotVisibleError(cause: StoreUnavailableError): StoreUnavailableError {
  return new StoreUnavailableError(
    `the revision is kept, but not shown (${cause.message}): it is when something is published next, or by tenor migrate`,
    { cause },
  );
}
