/**
 * Calendar days as text (`YYYY-MM-DD`) and as day numbers (days since 1970-01-01).
 * Days have no time zone: nothing here uses the local time of `Date`.
 */

export const DAY_MS = 86_400_000;
const DAY_PATTERN = /^(\d{4})-(\d{2})-(\d{2})$/;
/** Days 1 to 28, which every month has: this pattern alone validates most days. */
export const ALWAYS_VALID_DAY = /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])$/;

export const MONTH_ABBREVIATIONS: readonly string[] =
  'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** A full English month name, as a word of its own. */
export const MONTH_NAME =
  /\b(january|february|march|april|may|june|july|august|september|october|november|december)\b/i;

/** Whether the text is a real day of the calendar, written `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  if (ALWAYS_VALID_DAY.test(text)) return true;
  const [, year, month, day] = DAY_PATTERN.exec(text)?.map(Number) ?? [];
  if (!year || !month || !day) return false;
  return month <= 12 && day <= daysInMonth(year, month);
}

/** The day number of a valid day; throws for any other text. */
export function parseDay(text: string): number {
  if (!isDay(text)) throw new RangeError(`not a calendar day: ${text}`);
  return Date.parse(text) / DAY_MS;
}

export function formatDay(number: number): string {
  return new Date(number * DAY_MS).toISOString().slice(0, 10);
}

/** The same day of the month, `months` later, or the last day of a shorter month. */
export function addMonths(number: number, months: number): number {
  return createMonthAdder(number)(months);
}

/** The calendar repeats after this many years. */
const CYCLE_YEARS = 400;
const CYCLE_DAYS = 146_097;

/** Adds months to the same day many times. */
export function createMonthAdder(number: number): (months: number) => number {
  const startMonth = getMonthNumber(number);
  const dayOfMonth = getDayOfMonth(number);
  return (months) => {
    const monthIndex = startMonth + months;
    const year = Math.floor(monthIndex / 12);
    const month = monthIndex - year * 12;
    const day = Math.min(dayOfMonth, daysInMonth(year, month + 1));
    // Date.UTC maps the years 0 to 99 to the twentieth century.
    return Date.UTC(year + CYCLE_YEARS, month, day) / DAY_MS - CYCLE_DAYS;
  };
}

/** The last day of a month, given as the number of months since January of year 0. */
export function getLastDayOfMonth(month: number): number {
  return new Date(0).setUTCFullYear(0, month + 1, 0) / DAY_MS;
}

/**
 * The day that is a number of business days later, or earlier if the number is negative. Weekends and the
 * given holidays are not business days: counting from one starts at the business day before it.
 */
export function addBusinessDays(
  number: number,
  count: number,
  holidays: ReadonlySet<number> = NO_HOLIDAYS,
): number {
  const step = Math.sign(count);
  let day = number;
  for (let remaining = Math.abs(count); remaining > 0; remaining -= 1) {
    do day += step;
    while (isWeekend(day) || holidays.has(day));
  }
  return day;
}

const NO_HOLIDAYS: ReadonlySet<number> = new Set();

/** From 1 to 31. */
export function getDayOfMonth(number: number): number {
  return new Date(number * DAY_MS).getUTCDate();
}

/** The number of months since January of year 0. */
export function getMonthNumber(number: number): number {
  const date = new Date(number * DAY_MS);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

export function isWeekend(number: number): boolean {
  // Day 0 was a Thursday.
  const weekday = (((number + 4) % 7) + 7) % 7;
  return weekday === 0 || weekday === 6;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
