import type { Table } from '../../derive/table.ts';
import type { RecordChange } from '../store.ts';
import type { Putting } from './standing.ts';
import { orderedList, united, within } from './standing.ts';
import type { Statement, Steps } from './steps.ts';
import { rowsOf } from './steps.ts';

/** What a revision did: first what it corrected or retired, then what it added, each by key. */
export function* changesOf(
  table: Table,
  revision: number,
  limit: number,
  putting: Putting = {},
): Steps<RecordChange[]> {
  const ended = yield* rowsOf<Ended>(endedBy(table), [revision, revision, revision, limit]);
  const { sql, values } = addedBy(table, revision, limit - ended.length, putting);
  const added = yield* rowsOf<Added>(sql, values);
  return [
    ...ended.map(({ old, replacement }): RecordChange => {
      const change = replacement === null ? 'retired' : 'corrected';
      return { change, old, new: replacement };
    }),
    ...added.map(({ record }): RecordChange => ({ change: 'added', old: null, new: record })),
  ];
}

interface Added {
  readonly record: string;
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
 * that a few of many are found without sorting all.
 */
function addedBy(table: Table, revision: number, limit: number, putting: Putting): Statement {
  const { now, past, key } = table;
  const wanted = within(table, [...key.map(({ column }) => column), 'record'], putting);
  const columns = wanted.map((column) => `new.${column} AS ${column}`).join(', ');
  const begun = (from: string): Statement => ({
    sql: `SELECT ${columns} FROM ${from} AS new
      WHERE new.since = ? AND NOT EXISTS (SELECT 1 FROM ${past} AS old
        WHERE old.until = ? AND ${sameKey(table, 'old', 'new')})`,
    values: [revision, revision],
  });
  const tail = { sql: `ORDER BY ${orderedList(key)} LIMIT ?`, values: [limit] };
  return united([begun(now), begun(past)], ['record'], tail, putting);
}

/** Whether two rows have the same key. That they share a home is told to engines that need it. */
export function sameKey(table: Table, a: string, b: string): string {
  return keyColumns(table)
    .map((column) => `${a}.${column} = ${b}.${column}`)
    .join(' AND ');
}

/** The columns that find a record: its key, and where it is kept. */
export function keyColumns({ key, home }: Table): string[] {
  return [...key.map(({ column }) => column), ...(home === undefined ? [] : [home])];
}

function of(table: string) {
  return <T extends { column: string }>(ordered: T): T => ({
    ...ordered,
    column: `${table}.${ordered.column}`,
  });
}
