import type { DatasetRows, StorageTable } from '../../schema/storage-table.ts';
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
  andOwnRows,
  buildSql,
  getStoredColumns,
  joinSql,
  ownRows,
  type SqlCondition,
  selectWhere,
} from './sql-fragments.ts';
import { toStoredRow } from './stored-rows.ts';

/** Random starts of slices, ascending; all of a small table is one slice. */
export function* pickSliceStarts(
  table: StorageTable,
  count: number,
  sliceRows: number,
): QuerySteps<(string | number)[]> {
  const column = table.key[0]?.column ?? '';
  const union = [table.currentTable, table.historyTable]
    .map((from) => selectWhere([column], from, ownRows(table)).sql)
    .join(' UNION ALL ');
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
  table: StorageTable,
  from: string | number,
  next: string | number | undefined,
  rows: number,
): QuerySteps<KeyRange> {
  const row = yield* queryRow<{ boundary: string | number }>(
    boundaryStatement(table, [table.currentTable, table.historyTable], from, rows, false),
  );
  const boundaries = [row?.boundary, next].filter((boundary) => boundary !== undefined);
  const [before] = boundaries.toSorted((a, b) => (a < b ? -1 : 1));
  return before === undefined ? { from } : { from, before };
}

/** The value of the first key column so many rows after another one, or after the first. */
export function boundaryStatement(
  datasetRows: DatasetRows,
  tables: readonly string[],
  after: string | number | undefined,
  rows: number,
  isDescending: boolean,
): SqlStatement {
  const column = datasetRows.key[0]?.column ?? '';
  const [comparison, direction] = isDescending ? ['<', ' DESC'] : ['>', ''];
  const isAfter: SqlCondition[] = [
    ...ownRows(datasetRows),
    ...(after === undefined ? [] : [[`${column} ${comparison} ?`, after] as const]),
  ];
  const union = tables.map((from) => selectWhere([column], from, isAfter));
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
  const isOwn = andOwnRows(table);
  const published = yield* queryRows({
    sql: `SELECT ${stored}, cast(NULL AS INTEGER) AS until FROM ${currentTable} WHERE since = ?${isOwn}
      UNION ALL SELECT ${stored}, until FROM ${historyTable} WHERE since = ?${isOwn}`,
    values: [revision, revision],
  });
  const superseded = yield* queryRows({
    sql: `SELECT ${stored}, until FROM ${historyTable} WHERE until = ?${isOwn}`,
    values: [revision],
  });
  return { published: published.map(toStoredRow), superseded: superseded.map(toStoredRow) };
}
