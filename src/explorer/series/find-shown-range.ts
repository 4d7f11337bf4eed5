import { formatDay } from '../../shared/calendar.ts';
import type { PeriodTimeline } from './period-timeline.ts';

/** The spans up to the newest period, in years. */
export const SPAN_YEARS: ReadonlyMap<string, number> = new Map([
  ['All', Infinity],
  ['10Y', 10],
  ['5Y', 5],
  ['1Y', 1],
]);

export type ShownTimeline = Pick<PeriodTimeline, 'labels' | 'lastDays'>;

/** Indexes of the first shown period, and of the one after the last. */
export type ShownRange = readonly [start: number, end: number];

/** The periods that the URL asks for: a span up to the newest, or from one label to another. */
export function findShownRange(
  { labels, lastDays }: ShownTimeline,
  { span = '', from = '', to = '' }: Readonly<Record<string, string>>,
): ShownRange {
  const { length } = labels;
  const [first, last] = [labels.indexOf(from), labels.lastIndexOf(to)];
  if (from !== '' || to !== '') {
    const range = [Math.max(0, first), last < 0 ? length : last + 1] as const;
    if (range[0] < range[1]) return range;
  }
  const days = (SPAN_YEARS.get(span) ?? Infinity) * 366;
  const start = lastDays.findIndex((day) => day >= (lastDays.at(-1) ?? 0) - days);
  return [Math.max(0, start), length];
}

/** The years in which periods end, the newest first. */
export function listYears({ lastDays }: Pick<ShownTimeline, 'lastDays'>): string[] {
  return [...new Set(lastDays.map(toYear))].toReversed();
}

export const toYear = (day: number) => formatDay(day).slice(0, 4);
