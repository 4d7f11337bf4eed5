import { dayNumber, dayText, isDay } from '../../calendar.ts';
import type { Table } from '../../derive/table.ts';
import type { Session } from './session.ts';
import type { Rows, Statement } from './steps.ts';
import { rowOf } from './steps.ts';

/** A part of a table: its records from one day on, and before another. */
export type Part = readonly [from: string, below: string];

/** Fewer records than this, and the next part has twice as many days; more, and it has half. */
const [FEW, MANY] = [5_000, 20_000];

/**
 * Walks through records that are spread over machines, a part at a time, the newest days first.
 * What is asked for at once is gathered and sorted on one of the machines: that must never be
 * everything there is.
 */
export async function* walkInParts(
  { run, walk }: Session,
  table: Table,
  statementOf: (part: Part) => Statement,
): AsyncGenerator<Rows> {
  const ends = await run(() => rowOf<Ends>(endsOf(table)));
  if (typeof ends?.first !== 'string' || typeof ends.last !== 'string') return;
  const isCalendar = isDay(ends.first) && isDay(ends.last);
  // What is not a day, because it was damaged, is found beyond the ends.
  const [first, last] = isCalendar ? [ends.first, ends.last].map(dayNumber) : [0, 0];
  let [below, days] = [HIGHEST, 1];
  for (let from = (last ?? 0) + 1; below !== LOWEST; ) {
    from -= days;
    const start = isCalendar && from > (first ?? 0) ? dayText(from) : LOWEST;
    let count = 0;
    for await (const rows of walk(statementOf([start, below]))) {
      count += rows.length;
      yield rows;
    }
    if (count < FEW) days *= 2;
    else if (count > MANY) days = Math.ceil(days / 2);
    below = start;
  }
}

/** Before and behind every text, by its bytes. */
const [LOWEST, HIGHEST] = ['', '\u{10ffff}'];

interface Ends {
  readonly first: string | null;
  readonly last: string | null;
}

function endsOf({ now, past, home }: Table): string {
  const from = (half: string) => `SELECT date, ${home} FROM ${half}`;
  return `SELECT min(date) AS first, max(date) AS last
    FROM (${from(now)} UNION ALL ${from(past)}) AS stored`;
}
