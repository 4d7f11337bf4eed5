import type { Dataset } from '../../catalogue/dataset.ts';
import type { Table } from '../../derive/table.ts';
import { tableOf } from '../../derive/table.ts';
import type { Batches, Key, Row, Undoing } from '../store.ts';
import { keyColumns, sameKey } from './changes.ts';
import type { Session } from './session.ts';
import type { Steps } from './steps.ts';
import { rowsOf } from './steps.ts';
import { termsBefore } from './terms.ts';

/**
 * The change that takes a revision back: what it replaced or retired stands again, what it added
 * is retired. The rows are copied aside first, because the change writes where they are read.
 */
export async function undoing(
  session: Session,
  dataset: Dataset,
  revision: number,
): Promise<Undoing> {
  const table = tableOf(dataset);
  await session.run(() => copyAside(table, revision));
  return {
    rows: rowsIn(session, table),
    retired: keysIn(session),
    terms: await session.run(() => termsBefore(dataset, revision)),
    inTheWay: await session.run(() => inTheWay(table, revision)),
  };
}

function* copyAside(table: Table, revision: number): Steps<void> {
  const { now, past, columns, key } = table;
  const names = columns.map(({ name }) => name).join(', ');
  const keyNames = key.map(({ column }) => column).join(', ');
  const ended = `SELECT 1 FROM ${past} AS old WHERE old.until = ? AND ${sameKey(table, 'old', 'new')}`;
  const begun = (from: string) =>
    `SELECT ${keyNames} FROM ${from} AS new WHERE since = ? AND NOT EXISTS (${ended})`;
  yield* copy('undone', `SELECT ${names}, record FROM ${past} WHERE until = ?`, 1);
  yield* copy('begun', `${begun(now)} UNION ALL ${begun(past)}`, 4);

  function* copy(name: string, select: string, holes: number): Steps<void> {
    yield { sql: `DROP TABLE IF EXISTS tenor_${name}`, values: [] };
    const values = Array(holes).fill(revision);
    yield { sql: `CREATE TEMP TABLE tenor_${name} AS ${select}`, values };
  }
}

async function* rowsIn({ walk }: Session, { columns }: Table): Batches<Row> {
  for await (const rows of walk({ sql: 'SELECT * FROM tenor_undone', values: [] })) {
    yield rows.map((row): Row => {
      const values = Object.values(row);
      return { columns: values.slice(0, columns.length), text: values[columns.length] };
    });
  }
}

async function* keysIn({ walk }: Session): AsyncIterable<Key> {
  for await (const rows of walk({ sql: 'SELECT * FROM tenor_begun', values: [] })) {
    for (const row of rows) yield Object.values(row);
  }
}

/**
 * Later revisions whose work stands where this one's stood. A record that was changed again and
 * then brought back is as the revision left it, so that revisions can be undone one by one, the
 * newest first. Of a record that is different, the first revision that made it what it is counts:
 * those behind it have been undone themselves.
 */
function* inTheWay(table: Table, revision: number): Steps<number[]> {
  const { now, past } = table;
  const keyOf = (from: string) =>
    keyColumns(table)
      .map((column) => `${from}.${column}`)
      .join(', ');
  const same = (a: string, b: string) => sameKey(table, a, b);
  const replaced = (by: string) =>
    `EXISTS (SELECT 1 FROM ${by} AS new WHERE ${same('new', 'old')} AND new.since = ?)`;
  // What the revision left behind and is no more: a text, or nothing where it retired a record.
  const left = `SELECT ${keyOf('old')}, old.record AS text FROM ${past} AS old WHERE old.since = ?
    UNION ALL SELECT ${keyOf('old')}, NULL FROM ${past} AS old
      WHERE old.until = ? AND NOT ${replaced(now)} AND NOT ${replaced(past)}`;
  const changed = `SELECT ${keyOf('was')}, stands.record AS text FROM (${left}) AS was
    LEFT JOIN ${now} AS stands ON ${same('stands', 'was')}
    WHERE stands.record IS DISTINCT FROM was.text`;
  const sameText = `SELECT min(once.since) FROM ${past} AS once
    WHERE ${same('once', 'changed')} AND once.since > ? AND once.record = changed.text`;
  const standing = `SELECT since FROM ${now} AS stands WHERE ${same('stands', 'changed')}`;
  const retired = `SELECT min(once.until) FROM ${past} AS once
    WHERE ${same('once', 'changed')} AND once.until > ? AND NOT EXISTS (
      SELECT 1 FROM ${past} AS next WHERE ${same('next', 'once')} AND next.since = once.until)`;
  const sql = `SELECT DISTINCT coalesce((${sameText}), (${standing}), (${retired})) AS later
    FROM (${changed}) AS changed ORDER BY later`;
  const rows = yield* rowsOf<{ later: number }>(sql, Array(6).fill(revision));
  return rows.map(({ later }) => later);
}
