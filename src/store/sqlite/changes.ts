import type { Database } from 'bun:sqlite';
import type { Table } from '../../derive/table.ts';
import { orderedList } from '../statements.ts';
import type { RecordChange } from '../store.ts';

/** What a revision did: first what it corrected or retired, then what it added, each by key. */
export function changesOf(
  database: Database,
  table: Table,
  revision: number,
  limit: number,
): RecordChange[] {
  const ended = database
    .query<Ended, [number, number, number]>(endedBy(table))
    .all(revision, revision, limit)
    .map(({ old, replacement }): RecordChange => {
      const change = replacement === null ? 'retired' : 'corrected';
      return { change, old, new: replacement };
    });
  const added = database
    .query<{ record: string }, number[]>(addedBy(table))
    .all(revision, revision, revision, limit - ended.length)
    .map(({ record }): RecordChange => ({ change: 'added', old: null, new: record }));
  return [...ended, ...added];
}

interface Ended {
  readonly old: string;
  readonly replacement: string | null;
}

/** Records that ended with a revision, each with what it put in their place; takes R, R, limit. */
function endedBy(table: Table): string {
  const { past, key } = table;
  return `SELECT old.record AS old, new.record AS replacement FROM ${past} AS old
    LEFT JOIN (${begunWith(table)}) AS new ON ${sameKey(table, 'old', 'new')}
    WHERE old.until = ? ORDER BY ${orderedList(key.map(of('old')))} LIMIT ?`;
}

/** Records that were not there before a revision; takes R, R, R, limit. */
function addedBy(table: Table): string {
  const { past, key } = table;
  return `SELECT new.record AS record FROM (${begunWith(table)}) AS new
    WHERE NOT EXISTS (SELECT 1 FROM ${past} AS old
      WHERE old.until = ? AND ${sameKey(table, 'old', 'new')})
    ORDER BY ${orderedList(key.map(of('new')))} LIMIT ?`;
}

/** Every row that began with a revision, whether it still stands or not. */
function begunWith({ now, past, key }: Table): string {
  const columns = [...key.map(({ column }) => column), 'record'].join(', ');
  const from = (table: string) => `SELECT ${columns} FROM ${table} WHERE since = ?`;
  return `${from(now)} UNION ALL ${from(past)}`;
}

/** Whether two rows have the same key. */
export function sameKey({ key }: Table, a: string, b: string): string {
  return key.map(({ column }) => `${a}.${column} = ${b}.${column}`).join(' AND ');
}

function of(table: string) {
  return <T extends { column: string }>(ordered: T): T => ({
    ...ordered,
    column: `${table}.${ordered.column}`,
  });
}
