import { isWeekend, parseDay } from '../../shared/calendar.ts';

/** The first and last day with quotes. */
export const FIRST_QUOTE_DAY = parseDay('2023-07-03');
export const LAST_QUOTE_DAY = parseDay('2026-06-30');

/** The day itself, or the Monday after a weekend. */
export function toWeekday(day: number): number {
  let weekday = day;
  while (isWeekend(weekday)) weekday += 1;
  return weekday;
}
