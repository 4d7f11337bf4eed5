import type { Dataset } from '../../catalogue/model/dataset.ts';
import { getStorageTable, type StorageTable } from '../../schema/storage-table.ts';
import type { RevertPlan } from '../publisher.ts';
import type { Batches, EncodedRow, RecordKey } from '../rows.ts';
import { sealedTextSql } from '../sealed-text.ts';
import { type QuerySteps, queryRows } from './query-steps.ts';
import type { QuerySession } from './session.ts';
import { andOwnRows, getKeyColumns, isSameRecordSql } from './sql-fragments.ts';

/** The change that reverts a revision; its rows are copied first, as it writes to their tables. */
export async function planRevert(
  session: QuerySession,
  dataset: Dataset,
  revision: number,
  onlyUnchanged: boolean,
): Promise<RevertPlan> {
  const table = getStorageTable(dataset);
  await session.run(() => copyAffectedRows(table, revision, onlyUnchanged));
  return {
    rows: streamRestoredRows(session, table),
    retiredKeys: streamRetiredKeys(session),
    conflictingRevisions: await session.run(() => findConflictingRevisions(table, revision)),
  };
}

function* copyAffectedRows(
  table: StorageTable,
  revision: number,
  onlyUnchanged: boolean,
): QuerySteps<void> {
  const { currentTable, historyTable, columns, key } = table;
  const names = columns.map(({ name }) => name).join(', ');
  const keyNames = key.map(({ column }) => column).join(', ');
  const superseded = `SELECT 1 FROM ${historyTable} AS old WHERE old.until = ? AND ${isSameRecordSql(table, 'old', 'new')}`;
  const added = (from: string) =>
    `SELECT ${keyNames} FROM ${from} AS new WHERE since = ?${andOwnRows(table, 'new')} AND NOT EXISTS (${superseded})`;
  const same = isSameRecordSql(table, 'new', 'old');
  // What replaced the record is current; of one that was retired, there is nothing later.
  const isUnchanged = `(EXISTS (SELECT 1 FROM ${currentTable} AS new WHERE new.since = old.until AND ${same})
    OR NOT EXISTS (SELECT 1 FROM ${currentTable} AS new WHERE ${same})
      AND NOT EXISTS (SELECT 1 FROM ${historyTable} AS new WHERE new.since >= old.until AND ${same}))`;
  yield { sql: 'DROP TABLE IF EXISTS tenor_restored' };
  yield {
    sql: `CREATE TEMP TABLE tenor_restored AS SELECT ${names}, record FROM ${historyTable} AS old
      WHERE until = ?${andOwnRows(table, 'old')}${onlyUnchanged ? ` AND ${isUnchanged}` : ''}`,
    values: [revision],
  };
  yield { sql: 'DROP TABLE IF EXISTS tenor_added' };
  const tables = onlyUnchanged ? [currentTable] : [currentTable, historyTable];
  yield {
    sql: `CREATE TEMP TABLE tenor_added AS ${tables.map(added).join(' UNION ALL ')}`,
    values: tables.flatMap(() => [revision, revision]),
  };
}

async function* streamRestoredRows(
  session: QuerySession,
  { columns }: StorageTable,
): Batches<EncodedRow> {
  for await (const rows of session.stream({ sql: 'SELECT * FROM tenor_restored' })) {
    yield rows.map((row): EncodedRow => {
      const values = Object.values(row);
      return { columns: values.slice(0, columns.length), json: values[columns.length] };
    });
  }
}

async function* streamRetiredKeys(session: QuerySession): AsyncIterable<RecordKey> {
  for await (const rows of session.stream({ sql: 'SELECT * FROM tenor_added' })) {
    for (const row of rows) yield Object.values(row);
  }
}

/**
 * Later revisions that changed the same records. A record that was changed and then restored is as
 * the revision left it, so that revisions can be reverted one by one, the newest first. For a
 * record that differs, the first revision with its current text counts: later ones are reverted.
 */
function* findConflictingRevisions(table: StorageTable, revision: number): QuerySteps<number[]> {
  const { currentTable, historyTable } = table;
  const keyOf = (from: string) =>
    getKeyColumns(table)
      .map((column) => `${from}.${column}`)
      .join(', ');
  const same = (row: string, other: string) => isSameRecordSql(table, row, other);
  const textOf = (row: string) => sealedTextSql(table, row);
  const isOwn = andOwnRows(table, 'old');
  const isReplaced = (from: string) =>
    `EXISTS (SELECT 1 FROM ${from} AS new WHERE ${same('new', 'old')} AND new.since = ?)`;
  // The records as the revision left them, if superseded: a text, or NULL if it retired one.
  const left = `SELECT ${keyOf('old')}, ${textOf('old')} AS text FROM ${historyTable} AS old WHERE old.since = ?${isOwn}
    UNION ALL SELECT ${keyOf('old')}, NULL FROM ${historyTable} AS old
      WHERE old.until = ?${isOwn} AND NOT ${isReplaced(currentTable)} AND NOT ${isReplaced(historyTable)}`;
  const changed = `SELECT ${keyOf('was')}, ${textOf('latest')} AS text FROM (${left}) AS was
    LEFT JOIN ${currentTable} AS latest ON ${same('latest', 'was')}
    WHERE ${textOf('latest')} IS DISTINCT FROM was.text`;
  const firstSameText = `SELECT min(once.since) FROM ${historyTable} AS once
    WHERE ${same('once', 'changed')} AND once.since > ? AND ${textOf('once')} = changed.text`;
  const current = `SELECT since FROM ${currentTable} AS latest WHERE ${same('latest', 'changed')}`;
  const retired = `SELECT min(once.until) FROM ${historyTable} AS once
    WHERE ${same('once', 'changed')} AND once.until > ? AND NOT EXISTS (
      SELECT 1 FROM ${historyTable} AS next WHERE ${same('next', 'once')} AND next.since = once.until)`;
  const sql = `SELECT DISTINCT coalesce((${firstSameText}), (${current}), (${retired})) AS later
    FROM (${changed}) AS changed ORDER BY later`;
  const rows = yield* queryRows<{ later: number }>({ sql, values: Array(6).fill(revision) });
  return rows.map(({ later }) => later);
}
