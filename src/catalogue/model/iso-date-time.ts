import { formatDay, isDay, parseDay } from '../../shared/calendar.ts';

const MONTH = '(?:0[1-9]|1[0-2])';
const DAY = '(?:0[1-9]|[12][0-9]|3[01])';
const WEEK = 'W(?:0[1-9]|[1-4][0-9]|5[0-3])';
const HOUR = '(?:[01][0-9]|2[0-3])';
const MINUTE = '[0-5][0-9]';
/** 60 is a leap second. */
const SECOND = '(?:[0-5][0-9]|60)';
/** A fraction of the last unit, whichever it is. */
const FRACTION = '(?:[.,][0-9]+)?';
const OFFSET = `(?:Z|[+-]${HOUR}(?::?${MINUTE})?)?`;

/**
 * An ISO 8601 date-time in the extended or the basic format: a calendar, ordinal or week date, the time to
 * the hour, minute or second, and an optional offset from UTC. A pattern cannot verify that the day exists.
 */
export const ISO_DATE_TIME_PATTERN = new RegExp(
  `^(?:${[
    `[0-9]{4}-(?:${MONTH}-${DAY}|[0-3][0-9]{2}|${WEEK}-[1-7])T${buildTimePattern(':')}`,
    `[0-9]{4}(?:${MONTH}${DAY}|[0-3][0-9]{2}|${WEEK}[1-7])T${buildTimePattern('')}`,
  ].join('|')})${OFFSET}$`,
);

export function isIsoDateTime(text: string): boolean {
  if (!ISO_DATE_TIME_PATTERN.test(text)) return false;
  const [date = ''] = text.split('T');
  return isExistingDate(date.replaceAll('-', ''));
}

/** A time of the day to the second, as in HTTP dates. */
export const TIME_PATTERN_SOURCE = `${HOUR}:${MINUTE}:[0-5][0-9]`;
export const INSTANT_PATTERN_SOURCE = `[0-9]{4}-${MONTH}-${DAY}T${TIME_PATTERN_SOURCE}(?:\\.[0-9]+)?(?:Z|[+-]${HOUR}:${MINUTE})`;
const INSTANT_PATTERN = new RegExp(`^${INSTANT_PATTERN_SOURCE}$`);

/** Whether the text names one instant in the common form that `Date` also reads. */
export function isInstant(text: string): boolean {
  return INSTANT_PATTERN.test(text) && isIsoDateTime(text);
}

/** 24:00 is the end of a day. */
function buildTimePattern(separator: ':' | ''): string {
  const ofDay = `${HOUR}(?:${separator}${MINUTE}(?:${separator}${SECOND})?)?${FRACTION}`;
  return `(?:${ofDay}|24(?:${separator}00(?:${separator}00)?)?(?:[.,]0+)?)`;
}

/** A date without hyphens: `20260630`, `2026181` or `2026W272`. */
function isExistingDate(date: string): boolean {
  const year = date.slice(0, 4);
  if (!isDay(`${year}-01-01`)) return false;
  if (date.length === 8 && date[4] !== 'W')
    return isDay(`${year}-${date.slice(4, 6)}-${date.slice(6)}`);
  const [first, last] = [parseDay(`${year}-01-01`), parseDay(`${year}-12-31`)];
  if (date[4] !== 'W') return formatDay(first + Number(date.slice(4)) - 1).startsWith(year);
  // A year has 53 weeks if it begins or ends on a Thursday, such as day 0.
  const weeks = [first, last].some((day) => day % 7 === 0) ? 53 : 52;
  const week = Number(date.slice(5, 7));
  return week >= 1 && week <= weeks;
}
