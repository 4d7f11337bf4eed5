import type { StorageTable } from '../../schema/storage-table.ts';
import { formatDay, isDay, parseDay } from '../../shared/calendar.ts';
import { type QuerySteps, queryRow, type SqlRows, type SqlStatement } from './query-steps.ts';
import type { QuerySession } from './session.ts';

export type DateSlice = readonly [from: string, before: string];

/** After fewer rows than this, the next slice has twice as many days; after more, half as many. */
const [MIN_SLICE_ROWS, MAX_SLICE_ROWS] = [5_000, 20_000];

/** Whether records are of days, by which a long read is cut. */
export function hasDays({ key: [first] }: StorageTable): boolean {
  return first?.column === 'date';
}

/** Newest days first. The coordinator collects and sorts a query's rows: never the whole table. */
export async function* streamByDateSlice(
  session: QuerySession,
  table: StorageTable,
  buildStatement: (slice: DateSlice) => SqlStatement,
): AsyncGenerator<SqlRows> {
  const bounds = await session.run(() => findDateBounds(table));
  if (!bounds) return;
  const areDays = isDay(bounds.first) && isDay(bounds.last);
  // Damaged dates that are no days come before or after all days.
  const [firstDay, lastDay] = areDays ? [parseDay(bounds.first), parseDay(bounds.last)] : [0, 0];
  let [before, days, day] = [MAX_TEXT, 1, lastDay + 1];
  while (before !== MIN_TEXT) {
    day -= days;
    const from = areDays && day > firstDay ? formatDay(day) : MIN_TEXT;
    let count = 0;
    for await (const rows of session.stream(buildStatement([from, before]))) {
      count += rows.length;
      yield rows;
    }
    if (count < MIN_SLICE_ROWS) days *= 2;
    else if (count > MAX_SLICE_ROWS) days = Math.ceil(days / 2);
    before = from;
  }
}

/** The first and the last date of any record, or undefined if there is none. */
export function* findDateBounds(
  table: StorageTable,
): QuerySteps<Record<'first' | 'last', string> | undefined> {
  const { currentTable, historyTable, distributionColumn } = table;
  const select = (from: string) => `SELECT date, ${distributionColumn} FROM ${from}`;
  const sql = `SELECT min(date) AS first, max(date) AS last
    FROM (${select(currentTable)} UNION ALL ${select(historyTable)}) AS stored`;
  const { first, last } = (yield* queryRow<{ first: unknown; last: unknown }>({ sql })) ?? {};
  return typeof first === 'string' && typeof last === 'string' ? { first, last } : undefined;
}

/** Before and after every text, by its bytes. */
const [MIN_TEXT, MAX_TEXT] = ['', '\u{10ffff}'];
