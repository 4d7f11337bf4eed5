import type { StorageTable } from '../../schema/storage-table.ts';
import { formatDay, isDay, parseDay } from '../../shared/calendar.ts';
import { system } from '../../shared/system.ts';
import type { KeyRange } from '../inspector.ts';
import type { StoredRow } from '../rows.ts';
import {
  type QuerySteps,
  queryCount,
  queryRow,
  queryRows,
  type SqlStatement,
} from './query-steps.ts';
import {
  buildSql,
  getStoredColumns,
  joinSql,
  type SqlCondition,
  selectWhere,
} from './sql-fragments.ts';
import { toStoredRow } from './stored-rows.ts';

/** Random starts of slices, ascending; all of a small table is one slice. */
export function* pickSliceStarts(
  { currentTable, historyTable, key: [first] }: StorageTable,
  count: number,
  sliceRows: number,
): QuerySteps<(string | number)[]> {
  const column = first?.column ?? '';
  const union = `SELECT ${column} FROM ${currentTable} UNION ALL SELECT ${column} FROM ${historyTable}`;
  const bounds = yield* queryRow<{ low: string | number | null; high: string | number | null }>({
    sql: `SELECT min(${column}) AS low, max(${column}) AS high FROM (${union}) AS stored`,
  });
  const { low = null, high = null } = bounds ?? {};
  if (low === null || high === null) return [];
  const sql = `SELECT count(*) AS count FROM (SELECT ${column} FROM (${union}) AS stored LIMIT ${sliceRows + 1}) AS slice`;
  if ((yield* queryCount({ sql })) <= sliceRows) return [low];
  // Days are drawn without reading rows; other keys are of tables with few of them.
  const areDays = isDay(String(low)) && isDay(String(high));
  const starts = new Set<string | number>();
  for (let drawn = 0; drawn < count; drawn++) {
    starts.add(areDays ? drawDay(String(low), String(high)) : yield* drawKey(union, column));
  }
  return [...starts].toSorted((a, b) => (a < b ? -1 : 1));
}

function drawDay(low: string, high: string): string {
  const [first, last] = [parseDay(low), parseDay(high)];
  return formatDay(first + Math.floor(system.random() * (last - first + 1)));
}

function* drawKey(union: string, column: string): QuerySteps<string | number> {
  const total = yield* queryCount({ sql: `SELECT count(*) AS count FROM (${union}) AS stored` });
  const offset = Math.floor(system.random() * total);
  const sql = `SELECT ${column} AS drawn FROM (${union}) AS stored ORDER BY ${column} LIMIT 1 OFFSET ${offset}`;
  const row = yield* queryRow<{ drawn: string | number }>({ sql });
  return row?.drawn ?? '';
}

/** The range from a start to the next one, but of no more rows than a slice has. */
export function* limitRange(
  { currentTable, historyTable, key: [first] }: StorageTable,
  from: string | number,
  next: string | number | undefined,
  rows: number,
): QuerySteps<KeyRange> {
  const row = yield* queryRow<{ boundary: string | number }>(
    boundaryStatement([currentTable, historyTable], first?.column ?? '', from, rows),
  );
  const boundaries = [row?.boundary, next].filter((boundary) => boundary !== undefined);
  const [before] = boundaries.toSorted((a, b) => (a < b ? -1 : 1));
  return before === undefined ? { from } : { from, before };
}

/** The value of a column so many rows after another one, or after the first. */
export function boundaryStatement(
  tables: readonly string[],
  column: string,
  after: string | number | undefined,
  rows: number,
  isDescending?: boolean,
): SqlStatement {
  const [comparison, direction] = isDescending ? ['<', ' DESC'] : ['>', ''];
  const isAfter: SqlCondition[] = after === undefined ? [] : [[`${column} ${comparison} ?`, after]];
  const union = tables.map((table) => selectWhere([column], table, isAfter));
  return buildSql`SELECT ${column} AS boundary FROM (${joinSql(union, ' UNION ALL ')}) AS stored
    ORDER BY ${column}${direction} LIMIT 1 OFFSET ${String(rows)}`;
}

/** The rows that a revision published, and those that it superseded. */
export function* findRevisionRows(
  table: StorageTable,
  revision: number,
): QuerySteps<{ published: StoredRow[]; superseded: StoredRow[] }> {
  const { currentTable, historyTable } = table;
  const stored = getStoredColumns(table).join(', ');
  const published = yield* queryRows({
    sql: `SELECT ${stored}, cast(NULL AS INTEGER) AS until FROM ${currentTable} WHERE since = ?
      UNION ALL SELECT ${stored}, until FROM ${historyTable} WHERE since = ?`,
    values: [revision, revision],
  });
  const superseded = yield* queryRows({
    sql: `SELECT ${stored}, until FROM ${historyTable} WHERE until = ?`,
    values: [revision],
  });
  return { published: published.map(toStoredRow), superseded: superseded.map(toStoredRow) };
}
