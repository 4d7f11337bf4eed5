import type { Database } from 'bun:sqlite';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { getStorageTable, type StorageTable } from '../../schema/storage-table.ts';
import { StoreUnusableError } from '../errors.ts';
import { findNewestRevision } from '../sql/ledger.ts';
import { queryRows } from '../sql/query-steps.ts';
import { andOwnRows, buildSql, ownRows, selectWhere } from '../sql/sql-fragments.ts';
import { DAMAGE_ERROR_CODES, isSqliteError, queryValue } from './connection.ts';
import { runSteps } from './session.ts';
import { RESTORE_FILE_HINT } from './tenor-file.ts';

/** Counting more would delay the start of a server. */
const MAX_COUNTED_ROWS = 100_000;

/**
 * Asserts that ledger and records end together: in a copy that was made during a write, some pages
 * are older than others. `tenor check` compares all of them.
 */
export function assertLedgerEnd(
  database: Database,
  catalogue: readonly Dataset[],
  { allowsDamage = false } = {},
): void {
  try {
    // In a transaction, so that a publisher that commits meanwhile does not look like a tear.
    database.transaction(() => compareEnds(database, catalogue))();
  } catch (cause) {
    if (!isSqliteError(cause, DAMAGE_ERROR_CODES)) throw cause;
    if (!allowsDamage)
      throw new StoreUnusableError(`its ledger or its records are damaged; ${RESTORE_FILE_HINT}`);
  }
}

function compareEnds(database: Database, catalogue: readonly Dataset[]): void {
  for (const dataset of catalogue) {
    const table = getStorageTable(dataset);
    const { ledger, rows } = runSteps(database, findEnds(table));
    if (rows > ledger) throwTorn(`${dataset.name} has records of revision ${rows}`, ledger);
    assertLastRevision(database, dataset, ledger);
  }
}

/** The newest revision of the ledger, and that of any row of a table. */
function* findEnds(table: StorageTable) {
  const ledger = yield* findNewestRevision();
  const own = ownRows(table);
  const { sql } = buildSql`${selectWhere(['max(since) AS last'], table.currentTable, own)}
    UNION ALL ${selectWhere(['max(until)'], table.historyTable, own)}`;
  const rows = yield* queryRows<{ last: number | null }>({ sql });
  return { ledger, rows: Math.max(...rows.map(({ last }) => Number(last ?? 0))) };
}

/** Every record that the last revision of a dataset wrote or ended must be there. */
function assertLastRevision(database: Database, dataset: Dataset, newest: number): void {
  const last = database
    .query<Record<'revision' | 'written' | 'ended', number>, [string]>(
      `SELECT revision, added + corrected AS written, corrected + retired AS ended FROM revisions
        WHERE dataset = ? ORDER BY revision DESC LIMIT 1`,
    )
    .get(dataset.name);
  if (!last) return;
  const table = getStorageTable(dataset);
  const { currentTable, historyTable } = table;
  const hasAll = (from: string, column: string, rows: number) => {
    const found = `SELECT 1 FROM ${from} WHERE ${column} = ${last.revision}${andOwnRows(table)} LIMIT ${MAX_COUNTED_ROWS}`;
    const count = queryValue(database, `SELECT count(*) FROM (${found})`);
    return count === Math.min(rows, MAX_COUNTED_ROWS);
  };
  if (!hasAll(currentTable, 'since', last.written) || !hasAll(historyTable, 'until', last.ended))
    throwTorn(`${dataset.name} lacks records of revision ${last.revision}`, newest);
}

function throwTorn(problem: string, newest: number): never {
  throw new StoreUnusableError(
    `it is a torn copy: ${problem}, and its ledger ends with revision ${newest}; ${RESTORE_FILE_HINT}`,
  );
}
