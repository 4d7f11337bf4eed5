import type { Database } from 'bun:sqlite';
import type { Dataset } from '../../catalogue/dataset.ts';
import type { Table } from '../../derive/table.ts';
import { tableOf } from '../../derive/table.ts';
import type { Row, Undoing } from '../store.ts';
import { sameKey } from './changes.ts';
import { termsBefore } from './terms.ts';
import { rowsOf } from './writer.ts';

/**
 * The change that takes a revision back: what it replaced or retired stands again, what it added
 * is retired. The rows are copied aside first, because the change writes where they are read.
 */
export function undoing(database: Database, dataset: Dataset, revision: number): Undoing {
  const table = tableOf(dataset);
  const { now, past, columns, key } = table;
  const names = columns.map(({ name }) => name);
  const keyNames = key.map(({ column }) => column).join(', ');
  const ended = `SELECT 1 FROM ${past} AS old WHERE old.until = ? AND ${sameKey(table, 'old', 'new')}`;
  const begun = (from: string) =>
    `SELECT ${keyNames} FROM ${from} AS new WHERE since = ? AND NOT EXISTS (${ended})`;
  copy('undone', `SELECT ${names.join(', ')}, record FROM ${past} WHERE until = ?`, 1);
  copy('begun', `${begun(now)} UNION ALL ${begun(past)}`, 4);
  return {
    rows: batches(rowsOf(database, 'SELECT * FROM temp.undone'), names.length),
    retired: rowsOf(database, 'SELECT * FROM temp.begun'),
    terms: termsBefore(database, dataset, revision),
    inTheWay: inTheWay(database, table, revision),
  };

  function copy(name: string, select: string, holes: number): void {
    database.run(`DROP TABLE IF EXISTS temp.${name}`);
    database.run(`CREATE TEMP TABLE ${name} AS ${select}`, Array(holes).fill(revision));
  }
}

/**
 * Later revisions whose work stands where this one's stood. A record that was changed again and
 * then brought back is as the revision left it, so that revisions can be undone one by one, the
 * newest first. Of a record that is different, the first revision that made it what it is counts:
 * those behind it have been undone themselves.
 */
function inTheWay(database: Database, table: Table, revision: number): number[] {
  const { now, past, key } = table;
  const keyOf = (from: string) => key.map(({ column }) => `${from}.${column}`).join(', ');
  const same = (a: string, b: string) => sameKey(table, a, b);
  const replaced = (by: string) =>
    `EXISTS (SELECT 1 FROM ${by} AS new WHERE ${same('new', 'old')} AND new.since = $revision)`;
  // What the revision left behind and is no more: a text, or nothing where it retired a record.
  const left = `SELECT ${keyOf('old')}, old.record AS text FROM ${past} AS old WHERE old.since = $revision
    UNION ALL SELECT ${keyOf('old')}, NULL FROM ${past} AS old
      WHERE old.until = $revision AND NOT ${replaced(now)} AND NOT ${replaced(past)}`;
  const changed = `SELECT ${keyOf('was')}, stands.record AS text FROM (${left}) AS was
    LEFT JOIN ${now} AS stands ON ${same('stands', 'was')} WHERE stands.record IS NOT was.text`;
  const sameText = `SELECT min(once.since) FROM ${past} AS once
    WHERE ${same('once', 'changed')} AND once.since > $revision AND once.record = changed.text`;
  const standing = `SELECT since FROM ${now} AS stands WHERE ${same('stands', 'changed')}`;
  const retired = `SELECT min(once.until) FROM ${past} AS once
    WHERE ${same('once', 'changed')} AND once.until > $revision AND NOT EXISTS (
      SELECT 1 FROM ${past} AS next WHERE ${same('next', 'once')} AND next.since = once.until)`;
  const sql = `SELECT DISTINCT coalesce((${sameText}), (${standing}), (${retired})) AS later
    FROM (${changed}) AS changed ORDER BY later`;
  return database
    .query<{ later: number }, { revision: number }>(sql)
    .all({ revision })
    .map(({ later }) => later);
}

function* batches(rows: Iterable<(string | number)[]>, columns: number): Generator<Row[]> {
  for (const row of rows) yield [{ columns: row.slice(0, columns), text: String(row[columns]) }];
}
