import { WARNING_THRESHOLDS, type Warning } from './warning-rules.ts';

/** A day, and how many quotes it has. */
export interface DayCount {
  readonly date: string;
  readonly count: number;
}

/** Warns of a newest day with far fewer quotes than the days before it; the newest day is first. */
export function findThinDay([newest, ...earlier]: readonly DayCount[]): Warning | undefined {
  const { thinDayShare, thinDayDays, thinDayMinQuotes } = WARNING_THRESHOLDS;
  if (!newest || earlier.length < thinDayDays) return undefined;
  const counts = earlier.slice(0, thinDayDays).map(({ count }) => count);
  const median = counts.toSorted((a, b) => a - b)[Math.floor(thinDayDays / 2)] ?? 0;
  if (median < thinDayMinQuotes || newest.count >= thinDayShare * median) return undefined;
  const { date, count } = newest;
  const quotes = count === 1 ? '1 quote' : `${count} quotes`;
  const text = `${date}, the newest day, has ${quotes}; the median of the ${thinDayDays} days before it is ${median}`;
  return { rule: 'thin-day', field: 'date', value: date, text };
}
