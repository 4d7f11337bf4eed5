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
    .query<Ended, number[]>(endedBy(table))
    .all(revision, revision, revision, limit)
    .map(({ old, replacement }): RecordChange => {
      const change = replacement === null ? 'retired' : 'corrected';
      return { change, old, new: replacement };
    });
  const added = database
    .query<{ record: string }, number[]>(addedBy(table))
    .all(revision, revision, revision, revision, limit - ended.length)
    .map(({ record }): RecordChange => ({ change: 'added', old: null, new: record }));
  return [...ended, ...added];
}

interface Ended {
  readonly old: string;
  readonly replacement: string | null;
}

/**
 * Records that ended with a revision, each with what it put in their place, which is looked up by
 * key, whether it still stands or not; takes R, R, R, limit.
 */
function endedBy(table: Table): string {
  const { now, past, key } = table;
  const begun = (from: string) =>
    `(SELECT new.record FROM ${from} AS new WHERE ${sameKey(table, 'old', 'new')} AND new.since = ?)`;
  return `SELECT old.record AS old, coalesce(${begun(now)}, ${begun(past)}) AS replacement
    FROM ${past} AS old WHERE old.until = ? ORDER BY ${orderedList(key.map(of('old')))} LIMIT ?`;
}

/**
 * Records that were not there before a revision. Each half comes in order by its own index, so
 * that a few of many are found without sorting all; takes R, R, R, R, limit.
 */
function addedBy(table: Table): string {
  const { now, past, key } = table;
  const columns = key.map(({ column }) => `new.${column} AS ${column}`).join(', ');
  const begun = (from: string) => `SELECT ${columns}, new.record AS record FROM ${from} AS new
    WHERE new.since = ? AND NOT EXISTS (SELECT 1 FROM ${past} AS old
      WHERE old.until = ? AND ${sameKey(table, 'old', 'new')})`;
  return `SELECT record FROM (${begun(now)} UNION ALL ${begun(past)}
    ORDER BY ${orderedList(key)} LIMIT ?) AS added`;
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
