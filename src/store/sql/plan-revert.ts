import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { StorageTable } from '../../schema/storage-table.ts';
import { getStorageTable } from '../../schema/storage-table.ts';
import type { Batches } from '../batches.ts';
import type { EncodedRow, RecordKey, RevertPlan } from '../publisher.ts';
import type { QuerySteps } from './query-steps.ts';
import { queryRows } from './query-steps.ts';
import { getKeyColumns, keysEqualSql } from './revision-changes.ts';
import { findPreviousTerms } from './security-terms.ts';
import type { QuerySession } from './session.ts';

/**
 * The change that takes a revision back: what it replaced or retired stands again, what it added
 * is retired. The rows are copied aside first, because the change writes where they are read.
 */
export async function planRevert(
  session: QuerySession,
  dataset: Dataset,
  revision: number,
): Promise<RevertPlan> {
  const table = getStorageTable(dataset);
  await session.run(() => copyAffectedRows(table, revision));
  return {
    rows: streamRestoredRows(session, table),
    retiredKeys: streamRetiredKeys(session),
    terms: await session.run(() => findPreviousTerms(dataset, revision)),
    conflictingRevisions: await session.run(() => findConflictingRevisions(table, revision)),
  };
}

function* copyAffectedRows(table: StorageTable, revision: number): QuerySteps<void> {
  const { currentTable, historyTable, columns, key } = table;
  const names = columns.map(({ name }) => name).join(', ');
  const keyNames = key.map(({ column }) => column).join(', ');
  const ended = `SELECT 1 FROM ${historyTable} AS old WHERE old.until = ? AND ${keysEqualSql(table, 'old', 'new')}`;
  const begun = (from: string) =>
    `SELECT ${keyNames} FROM ${from} AS new WHERE since = ? AND NOT EXISTS (${ended})`;
  yield* copy('undone', `SELECT ${names}, record FROM ${historyTable} WHERE until = ?`, 1);
  yield* copy('begun', `${begun(currentTable)} UNION ALL ${begun(historyTable)}`, 4);

  function* copy(name: string, select: string, holes: number): QuerySteps<void> {
    yield { sql: `DROP TABLE IF EXISTS tenor_${name}`, values: [] };
    const values = Array(holes).fill(revision);
    yield { sql: `CREATE TEMP TABLE tenor_${name} AS ${select}`, values };
  }
}

async function* streamRestoredRows(
  { stream }: QuerySession,
  { columns }: StorageTable,
): Batches<EncodedRow> {
  for await (const rows of stream({ sql: 'SELECT * FROM tenor_undone', values: [] })) {
    yield rows.map((row): EncodedRow => {
      const values = Object.values(row);
      return { columns: values.slice(0, columns.length), json: values[columns.length] };
    });
  }
}

async function* streamRetiredKeys({ stream }: QuerySession): AsyncIterable<RecordKey> {
  for await (const rows of stream({ sql: 'SELECT * FROM tenor_begun', values: [] })) {
    for (const row of rows) yield Object.values(row);
  }
}

/**
 * Later revisions whose work stands where this one's stood. A record that was changed again and
 * then brought back is as the revision left it, so that revisions can be undone one by one, the
 * newest first. Of a record that is different, the first revision that made it what it is counts:
 * those behind it have been undone themselves.
 */
function* findConflictingRevisions(table: StorageTable, revision: number): QuerySteps<number[]> {
  const { currentTable, historyTable } = table;
  const keyOf = (from: string) =>
    getKeyColumns(table)
      .map((column) => `${from}.${column}`)
      .join(', ');
  const same = (a: string, b: string) => keysEqualSql(table, a, b);
  const replaced = (by: string) =>
    `EXISTS (SELECT 1 FROM ${by} AS new WHERE ${same('new', 'old')} AND new.since = ?)`;
  // What the revision left behind and is no more: a text, or nothing where it retired a record.
  const left = `SELECT ${keyOf('old')}, old.record AS text FROM ${historyTable} AS old WHERE old.since = ?
    UNION ALL SELECT ${keyOf('old')}, NULL FROM ${historyTable} AS old
      WHERE old.until = ? AND NOT ${replaced(currentTable)} AND NOT ${replaced(historyTable)}`;
  const changed = `SELECT ${keyOf('was')}, stands.record AS text FROM (${left}) AS was
    LEFT JOIN ${currentTable} AS stands ON ${same('stands', 'was')}
    WHERE stands.record IS DISTINCT FROM was.text`;
  const sameText = `SELECT min(once.since) FROM ${historyTable} AS once
    WHERE ${same('once', 'changed')} AND once.since > ? AND once.record = changed.text`;
  const standing = `SELECT since FROM ${currentTable} AS stands WHERE ${same('stands', 'changed')}`;
  const retired = `SELECT min(once.until) FROM ${historyTable} AS once
    WHERE ${same('once', 'changed')} AND once.until > ? AND NOT EXISTS (
      SELECT 1 FROM ${historyTable} AS next WHERE ${same('next', 'once')} AND next.since = once.until)`;
  const sql = `SELECT DISTINCT coalesce((${sameText}), (${standing}), (${retired})) AS later
    FROM (${changed}) AS changed ORDER BY later`;
  const rows = yield* queryRows<{ later: number }>(sql, Array(6).fill(revision));
  return rows.map(({ later }) => later);
}
