import type { SQL } from 'bun';
import type { Dataset } from '../../../catalogue/model/dataset.ts';
import { findTablePair } from '../../../schema/storage-table.ts';
import { system } from '../../../shared/system.ts';
import { LockConflictError, StoreUnavailableError } from '../../errors.ts';
import type { LedgerEntry } from '../../ledger.ts';
import { retryWhileBusy } from '../../retry-while-busy.ts';
import { findNewestRevision } from '../../sql/ledger.ts';
import { acquireCommitLock } from '../commit-lock.ts';
import { execute, type SqlExecutor } from '../query.ts';
import {
  beginPublishing,
  commitTransaction,
  runSteps,
  tryAcquireWriteLock,
  WRITE_LOCK_KEY,
} from '../session.ts';
import { PENDING_REVISIONS_TABLE } from './distribute.ts';

/*
 * The nodes of a cluster show a commit one after another, and the coordinator, which has the
 * ledger, is the first. So a revision is published in two transactions: the first commits its
 * records, and its entry as a pending revision; the second moves the entry to the ledger, when
 * every node shows the records. If a publisher ends in between, the next one does the second.
 */

/** Commits a transaction with the write lock that made the revisions after the newest one. */
export async function commitDistributed(
  connection: SqlExecutor,
  catalogue: readonly Dataset[],
  newest: number,
): Promise<void> {
  const copyEntries = `INSERT INTO ${PENDING_REVISIONS_TABLE} SELECT revision, row_to_json(made) FROM revisions AS made
    WHERE revision > $1`;
  await execute(connection, copyEntries, [newest]);
  await execute(connection, 'DELETE FROM revisions WHERE revision > $1', [newest]);
  await acquireSessionLock(connection);
  await acquireCommitLock(connection, 'connection');
  await commitTransaction(connection);
  try {
    await retryWhileBusy({}, () => showPendingRevisions(connection, catalogue));
  } catch (cause) {
    if (!(cause instanceof StoreUnavailableError)) throw cause;
    throw new StoreUnavailableError(
      `the revision is kept, but not shown (${cause.message}): it is when something is published next, or by tenor migrate`,
      { cause },
    );
  }
}

async function showPendingRevisions(
  connection: SqlExecutor,
  catalogue: readonly Dataset[],
): Promise<void> {
  await beginPublishing(connection);
  try {
    await publishPendingRevisions(connection, catalogue);
  } catch (cause) {
    if (cause instanceof LockConflictError) await execute(connection, 'ROLLBACK');
    throw cause;
  }
  await commitTransaction(connection);
}

/** Publishes what another publisher left pending, then begins again; returns the newest revision. */
export async function recoverPendingRevisions(
  connection: SqlExecutor,
  catalogue: readonly Dataset[],
): Promise<number> {
  if (await publishPendingRevisions(connection, catalogue)) {
    await acquireSessionLock(connection);
    await commitTransaction(connection);
    await beginPublishing(connection);
    await execute(connection, `SELECT pg_advisory_xact_lock(${WRITE_LOCK_KEY})`);
    await execute(connection, `SELECT pg_advisory_unlock(${WRITE_LOCK_KEY})`);
  }
  return runSteps(connection, findNewestRevision());
}

/** Publishes pending revisions, unless a publisher has the write lock and does it. */
export async function publishLeftoverRevisions(
  pool: SQL,
  catalogue: readonly Dataset[],
): Promise<void> {
  await pool.begin(async (connection) => {
    if (await tryAcquireWriteLock(connection)) await publishPendingRevisions(connection, catalogue);
  });
}

/** Keeps the write lock beyond the transaction, until the connection ends. */
async function acquireSessionLock(connection: SqlExecutor): Promise<void> {
  await execute(connection, `SELECT pg_advisory_lock(${WRITE_LOCK_KEY})`);
}

/** How long to wait for nodes that were lost during the commit. */
const VISIBILITY_TIMEOUT_MS = 10_000;
const VISIBILITY_POLL_INTERVAL_MS = 50;

/** Moves pending entries to the ledger; returns whether there were any. */
async function publishPendingRevisions(
  connection: SqlExecutor,
  catalogue: readonly Dataset[],
): Promise<boolean> {
  const pending = await execute<PendingRevision>(
    connection,
    `SELECT revision, entry FROM ${PENDING_REVISIONS_TABLE}`,
  );
  if (pending.length === 0) return false;
  const deadline = system.monotonicNow() + VISIBILITY_TIMEOUT_MS;
  while (!(await areVisibleOnAllNodes(connection, catalogue, pending))) {
    if (system.monotonicNow() > deadline)
      throw new StoreUnavailableError('a machine does not show it yet');
    await system.sleep(VISIBILITY_POLL_INTERVAL_MS);
  }
  await execute(
    connection,
    `INSERT INTO revisions SELECT (jsonb_populate_record(NULL::revisions, entry::jsonb)).*
      FROM ${PENDING_REVISIONS_TABLE}`,
  );
  await execute(connection, `DELETE FROM ${PENDING_REVISIONS_TABLE}`);
  return true;
}

interface PendingRevision {
  readonly revision: number;
  readonly entry: Pick<LedgerEntry, 'dataset' | 'added' | 'corrected' | 'retired'>;
}

/** Whether all nodes together show as many published and superseded records as the entries say. */
async function areVisibleOnAllNodes(
  connection: SqlExecutor,
  catalogue: readonly Dataset[],
  pending: readonly PendingRevision[],
): Promise<boolean> {
  const revisions = pending.map(({ revision }) => revision);
  const bounds = [Math.min(...revisions), Math.max(...revisions)];
  const byTables = Map.groupBy(pending, ({ entry }) => findTablePair(catalogue, entry.dataset));
  for (const [{ currentTable, historyTable, distributionColumn }, own] of byTables) {
    const entries = own.map(({ entry }) => entry);
    const count = (from: string, column: string) =>
      `(SELECT count(*) FROM ${from} WHERE ${column} BETWEEN $1 AND $2)`;
    if (distributionColumn === undefined) continue;
    // Before it is migrated, all nodes show the tables that the shared ones replace.
    if (!(await exists(connection, currentTable))) continue;
    const [row] = await execute<{ published: number | string; superseded: number | string }>(
      connection,
      `SELECT ${count(currentTable, 'since')} + ${count(historyTable, 'since')} AS published,
        ${count(historyTable, 'until')} AS superseded`,
      bounds,
    );
    const published = entries.reduce((sum, entry) => sum + entry.added + entry.corrected, 0);
    const superseded = entries.reduce((sum, entry) => sum + entry.corrected + entry.retired, 0);
    if (Number(row?.published) !== published || Number(row?.superseded) !== superseded)
      return false;
  }
  return true;
}

async function exists(connection: SqlExecutor, table: string): Promise<boolean> {
  const sql = `SELECT 1 AS one WHERE to_regclass('${table}') IS NOT NULL`;
  return (await execute(connection, sql)).length > 0;
}
