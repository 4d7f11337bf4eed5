import { formatDay, parseDay } from '../../shared/calendar.ts';

/** Day 0, 1 January 1970, was a Thursday. */
const THURSDAY = 3;

/** Weekdays since a Monday long ago; Saturday and Sunday count as the Friday before. */
export function toWeekdayIndex(day: string): number {
  const days = parseDay(day) + THURSDAY;
  const weeks = Math.floor(days / 7);
  return weeks * 5 + Math.min(days - weeks * 7, 4);
}

export function fromWeekdayIndex(index: number): string {
  const weeks = Math.floor(index / 5);
  return formatDay(weeks * 7 + (index - weeks * 5) - THURSDAY);
}

/** Up to `count` weekdays at equal distances, both ends among them. */
export function spreadWeekdays(from: string, to: string, count: number): string[] {
  const [start, end] = [toWeekdayIndex(from), toWeekdayIndex(to)];
  const days = Array.from({ length: count }, (_, step) =>
    fromWeekdayIndex(Math.round(start + ((end - start) * step) / (count - 1))),
  );
  return [...new Set(days)];
}
