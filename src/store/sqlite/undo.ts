import type { Database } from 'bun:sqlite';
import type { Table } from '../../derive/table.ts';
import type { Row, Undoing } from '../store.ts';
import { sameKey } from './changes.ts';
import { rowsOf } from './writer.ts';

/**
 * The change that takes a revision back: what it replaced or retired stands again, what it added
 * is retired. The rows are copied aside first, because the change writes where they are read.
 */
export function undoing(database: Database, table: Table, revision: number): Undoing {
  const { now, past, columns, key } = table;
  const names = columns.map(({ name }) => name);
  const keyNames = key.map(({ column }) => column).join(', ');
  const ended = `SELECT 1 FROM ${past} AS old WHERE old.until = ? AND ${sameKey(table, 'old', 'new')}`;
  copy('undone', `SELECT ${names.join(', ')}, record FROM ${past} WHERE until = ?`, [revision]);
  copy('begun', `SELECT ${keyNames} FROM ${now} AS new WHERE since = ? AND NOT EXISTS (${ended})`, [
    revision,
    revision,
  ]);
  return {
    rows: batches(rowsOf(database, 'SELECT * FROM temp.undone'), names.length),
    retired: rowsOf(database, 'SELECT * FROM temp.begun'),
    inTheWay: laterRevisions(database, table, revision),
  };

  function copy(name: string, select: string, values: number[]): void {
    database.run(`DROP TABLE IF EXISTS temp.${name}`);
    database.run(`CREATE TEMP TABLE ${name} AS ${select}`, values);
  }
}

/** Later revisions that changed what this one left behind. */
function laterRevisions(database: Database, table: Table, revision: number): number[] {
  const { now, past } = table;
  // What began with it has ended; or what it retired stands, or stood, again.
  const sql = `SELECT until AS later FROM ${past} WHERE since = ?
    UNION SELECT new.since FROM ${past} AS old JOIN ${now} AS new ON ${sameKey(table, 'old', 'new')}
      WHERE old.until = ? AND new.since > ?
    UNION SELECT new.since FROM ${past} AS old JOIN ${past} AS new ON ${sameKey(table, 'old', 'new')}
      WHERE old.until = ? AND new.since > ?
    ORDER BY later`;
  const values = [revision, revision, revision, revision, revision];
  return database
    .query<{ later: number }, number[]>(sql)
    .all(...values)
    .map(({ later }) => later);
}

function* batches(rows: Iterable<(string | number)[]>, columns: number): Generator<Row[]> {
  for (const row of rows) yield [{ columns: row.slice(0, columns), text: String(row[columns]) }];
}
