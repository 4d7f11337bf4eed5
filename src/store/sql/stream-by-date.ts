import { formatDay, isDay, parseDay } from '../../calendar.ts';
import type { StorageTable } from '../../schema/storage-table.ts';
import type { SqlRows, SqlStatement } from './query-steps.ts';
import { queryRow } from './query-steps.ts';
import type { QuerySession } from './session.ts';

/** A part of a table: its records from one day on, and before another. */
export type DateSlice = readonly [from: string, below: string];

/** Fewer records than this, and the next part has twice as many days; more, and it has half. */
const [MIN_SLICE_ROWS, MAX_SLICE_ROWS] = [5_000, 20_000];

/**
 * Walks through records that are spread over machines, a part at a time, the newest days first.
 * What is asked for at once is gathered and sorted on one of the machines: that must never be
 * everything there is.
 */
export async function* streamByDateSlice(
  { run, stream }: QuerySession,
  table: StorageTable,
  statementOf: (part: DateSlice) => SqlStatement,
): AsyncGenerator<SqlRows> {
  const ends = await run(() => queryRow<DateBoundsRow>(dateBoundsSql(table)));
  if (typeof ends?.first !== 'string' || typeof ends.last !== 'string') return;
  const isCalendar = isDay(ends.first) && isDay(ends.last);
  // What is not a day, because it was damaged, is found beyond the ends.
  const [first, last] = isCalendar ? [ends.first, ends.last].map(parseDay) : [0, 0];
  let [below, days] = [MAX_TEXT, 1];
  for (let from = (last ?? 0) + 1; below !== MIN_TEXT; ) {
    from -= days;
    const start = isCalendar && from > (first ?? 0) ? formatDay(from) : MIN_TEXT;
    let count = 0;
    for await (const rows of stream(statementOf([start, below]))) {
      count += rows.length;
      yield rows;
    }
    if (count < MIN_SLICE_ROWS) days *= 2;
    else if (count > MAX_SLICE_ROWS) days = Math.ceil(days / 2);
    below = start;
  }
}

/** Before and behind every text, by its bytes. */
const [MIN_TEXT, MAX_TEXT] = ['', '\u{10ffff}'];

interface DateBoundsRow {
  readonly first: string | null;
  readonly last: string | null;
}

function dateBoundsSql({ currentTable, historyTable, distributionColumn }: StorageTable): string {
  const from = (half: string) => `SELECT date, ${distributionColumn} FROM ${half}`;
  return `SELECT min(date) AS first, max(date) AS last
    FROM (${from(currentTable)} UNION ALL ${from(historyTable)}) AS stored`;
}
