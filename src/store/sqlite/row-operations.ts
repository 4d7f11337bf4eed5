import type { Database } from 'bun:sqlite';
import type { StorageTable } from '../../schema/storage-table.ts';
import type { RowChecksum } from '../checksum.ts';
import type { EncodedRow, RecordKey } from '../publisher.ts';

type ColumnValue = string | number;

/** What a revision can do with one record of a table; adds what it did to a sum. */
export function createRowOperations(
  database: Database,
  table: StorageTable,
  revision: number,
  sum: RowChecksum,
) {
  const { currentTable, historyTable, columns, key } = table;
  const names = columns.map(({ name }) => name);
  const keyNames = key.map(({ column }) => column);
  const keyAt = keyNames.map((name) => names.indexOf(name));
  const matches = keyNames.map((name) => `${name} = ?`).join(' AND ');
  const stored = [...names, 'record', 'since'].join(', ');
  const holes = [...names, 'record', 'since'].map(() => '?').join(', ');
  const replaced = [...names, 'record', 'since'].filter((name) => !keyNames.includes(name));

  const add = database.prepare<unknown, ColumnValue[]>(
    `INSERT INTO ${currentTable} (${stored}) VALUES (${holes}) ON CONFLICT DO NOTHING`,
  );
  const current = database.prepare<CurrentRow, ColumnValue[]>(
    `SELECT record, since FROM ${currentTable} WHERE ${matches}`,
  );
  const keep = database.prepare<unknown, ColumnValue[]>(
    `INSERT INTO ${historyTable} (${stored}, until) SELECT ${stored}, ? FROM ${currentTable} WHERE ${matches}`,
  );
  const correct = database.prepare<unknown, ColumnValue[]>(
    `UPDATE ${currentTable} SET ${replaced.map((name) => `${name} = ?`).join(', ')} WHERE ${matches}`,
  );
  const remove = database.prepare<unknown, ColumnValue[]>(
    `DELETE FROM ${currentTable} WHERE ${matches}`,
  );

  // Keys that leave no mark in the table: what is added or corrected has this revision there. A
  // file may have more of them than memory holds.
  database.run('DROP TABLE IF EXISTS temp.seen');
  database.run(
    `CREATE TEMP TABLE seen (${keyNames.join(', ')}, PRIMARY KEY (${keyNames.join(', ')})) WITHOUT ROWID`,
  );
  const see = database.prepare<unknown, ColumnValue[]>(
    `INSERT INTO temp.seen VALUES (${keyNames.map(() => '?').join(', ')}) ON CONFLICT DO NOTHING`,
  );
  const isFirst = (rowKey: RecordKey) => see.run(...rowKey).changes === 1;
  const replacedAt = replaced.slice(0, -2).map((name) => names.indexOf(name));

  return {
    put({ columns, json }: EncodedRow): 'added' | 'corrected' | 'unchanged' | 'repeated' {
      if (add.run(...columns, json, revision).changes === 1) {
        sum.addStarted(json);
        return 'added';
      }
      const rowKey = keyAt.map((at) => columns[at] as ColumnValue);
      const standing = current.get(...rowKey) as CurrentRow;
      if (standing.since === revision || !isFirst(rowKey)) return 'repeated';
      if (standing.record === json) return 'unchanged';
      keep.run(revision, ...rowKey);
      correct.run(...replacedAt.map((at) => columns[at] as ColumnValue), json, revision, ...rowKey);
      sum.addEnded(standing.record, standing.since);
      sum.addStarted(json);
      return 'corrected';
    },
    retire(rowKey: RecordKey): 'retired' | 'unchanged' | 'repeated' {
      const standing = current.get(...rowKey);
      if (standing?.since === revision || !isFirst(rowKey)) return 'repeated';
      if (!standing) return 'unchanged';
      keep.run(revision, ...rowKey);
      remove.run(...rowKey);
      sum.addEnded(standing.record, standing.since);
      return 'retired';
    },
    /** Keys of the records that stand, and that this revision has not been given. */
    absent(): Iterable<RecordKey> {
      const list = keyNames.join(', ');
      const same = keyNames.map((name) => `seen.${name} = standing.${name}`).join(' AND ');
      database.run('DROP TABLE IF EXISTS temp.absent');
      database.run(
        `CREATE TEMP TABLE absent AS SELECT ${list} FROM ${currentTable} AS standing WHERE since < ?
           AND NOT EXISTS (SELECT 1 FROM temp.seen WHERE ${same})`,
        [revision],
      );
      return streamRowValues(database, `SELECT ${list} FROM temp.absent`);
    },
  };
}

interface CurrentRow {
  readonly record: string;
  readonly since: number;
}

/** The values of each row of a table that nothing writes to in the meantime. */
function* streamRowValues(database: Database, sql: string): Generator<ColumnValue[]> {
  const rows = database.prepare<Record<string, ColumnValue>, []>(sql).iterate();
  for (const row of rows) yield Object.values(row);
}
