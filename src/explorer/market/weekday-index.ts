import { formatDay, parseDay } from '../../calendar.ts';

/** Day 0 was a Thursday, three days after a Monday. */
const SINCE_MONDAY = 3;

/** Weekdays since a Monday long ago; Saturday and Sunday count as the Friday before. */
export function toWeekdayIndex(day: string): number {
  const days = parseDay(day) + SINCE_MONDAY;
  const weeks = Math.floor(days / 7);
  return weeks * 5 + Math.min(days - weeks * 7, 4);
}

/** The day of a number. */
export function fromWeekdayIndex(number: number): string {
  const weeks = Math.floor(number / 5);
  return formatDay(weeks * 7 + (number - weeks * 5) - SINCE_MONDAY);
}
