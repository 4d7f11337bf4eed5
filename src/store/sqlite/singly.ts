import type { Database } from 'bun:sqlite';
import type { Table } from '../../derive/table.ts';
import type { RowSum } from '../checksum.ts';
import type { Key, Row } from '../store.ts';

type Value = string | number;

/** What a revision can do with one record of a table; adds what it did to a sum. */
export function singly(database: Database, table: Table, revision: number, sum: RowSum) {
  const { now, past, columns, key } = table;
  const names = columns.map(({ name }) => name);
  const keyNames = key.map(({ column }) => column);
  const keyAt = keyNames.map((name) => names.indexOf(name));
  const matches = keyNames.map((name) => `${name} = ?`).join(' AND ');
  const stored = [...names, 'record', 'since'].join(', ');
  const holes = [...names, 'record', 'since'].map(() => '?').join(', ');
  const replaced = [...names, 'record', 'since'].filter((name) => !keyNames.includes(name));

  const add = database.prepare<unknown, Value[]>(
    `INSERT INTO ${now} (${stored}) VALUES (${holes}) ON CONFLICT DO NOTHING`,
  );
  const current = database.prepare<Standing, Value[]>(
    `SELECT record, since FROM ${now} WHERE ${matches}`,
  );
  const keep = database.prepare<unknown, Value[]>(
    `INSERT INTO ${past} (${stored}, until) SELECT ${stored}, ? FROM ${now} WHERE ${matches}`,
  );
  const correct = database.prepare<unknown, Value[]>(
    `UPDATE ${now} SET ${replaced.map((name) => `${name} = ?`).join(', ')} WHERE ${matches}`,
  );
  const remove = database.prepare<unknown, Value[]>(`DELETE FROM ${now} WHERE ${matches}`);

  // Keys that leave no mark in the table: what is added or corrected has this revision there. A
  // file may have more of them than memory holds.
  database.run('DROP TABLE IF EXISTS temp.seen');
  database.run(
    `CREATE TEMP TABLE seen (${keyNames.join(', ')}, PRIMARY KEY (${keyNames.join(', ')})) WITHOUT ROWID`,
  );
  const see = database.prepare<unknown, Value[]>(
    `INSERT INTO temp.seen VALUES (${keyNames.map(() => '?').join(', ')}) ON CONFLICT DO NOTHING`,
  );
  const isFirst = (rowKey: Key) => see.run(...rowKey).changes === 1;
  const replacedAt = replaced.slice(0, -2).map((name) => names.indexOf(name));

  return {
    put({ columns, text }: Row): 'added' | 'corrected' | 'unchanged' | 'repeated' {
      if (add.run(...columns, text, revision).changes === 1) {
        sum.began(text);
        return 'added';
      }
      const rowKey = keyAt.map((at) => columns[at] as Value);
      const standing = current.get(...rowKey) as Standing;
      if (standing.since === revision || !isFirst(rowKey)) return 'repeated';
      if (standing.record === text) return 'unchanged';
      keep.run(revision, ...rowKey);
      correct.run(...replacedAt.map((at) => columns[at] as Value), text, revision, ...rowKey);
      sum.ended(standing.record, standing.since);
      sum.began(text);
      return 'corrected';
    },
    retire(rowKey: Key): 'retired' | 'unchanged' | 'repeated' {
      const standing = current.get(...rowKey);
      if (standing?.since === revision || !isFirst(rowKey)) return 'repeated';
      if (!standing) return 'unchanged';
      keep.run(revision, ...rowKey);
      remove.run(...rowKey);
      sum.ended(standing.record, standing.since);
      return 'retired';
    },
    /** Keys of the records that stand, and that this revision has not been given. */
    absent(): Iterable<Key> {
      const list = keyNames.join(', ');
      const same = keyNames.map((name) => `seen.${name} = standing.${name}`).join(' AND ');
      database.run('DROP TABLE IF EXISTS temp.absent');
      database.run(
        `CREATE TEMP TABLE absent AS SELECT ${list} FROM ${now} AS standing WHERE since < ?
           AND NOT EXISTS (SELECT 1 FROM temp.seen WHERE ${same})`,
        [revision],
      );
      return rowsOf(database, `SELECT ${list} FROM temp.absent`);
    },
  };
}

interface Standing {
  readonly record: string;
  readonly since: number;
}

/** The values of each row of a table that nothing writes to in the meantime. */
function* rowsOf(database: Database, sql: string): Generator<Value[]> {
  const rows = database.prepare<Record<string, Value>, []>(sql).iterate();
  for (const row of rows) yield Object.values(row);
}
