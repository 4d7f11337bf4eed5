import { isInstant, isIsoDateTime } from '../../catalogue/model/iso-date-time.ts';
import {
  PERIOD_TRAITS,
  type PeriodUnit,
  type PeriodUnitTraits,
} from '../../catalogue/model/period-unit.ts';
import {
  addMonths,
  formatDay,
  isDay,
  MONTH_ABBREVIATIONS,
  parseDay,
} from '../../shared/calendar.ts';
import { memoize } from '../../shared/memoize.ts';

/** `30 Jun 2026`. */
export function formatDayLabel(day: string): string {
  const locale = getLocale();
  if (locale !== undefined) return getDayFormatter(locale).format(new Date(day));
  const [year, month, date] = day.split('-');
  return `${Number(date)} ${MONTH_ABBREVIATIONS[Number(month) - 1]} ${year}`;
}

/** The label of a period; daily periods are written like other days. */
export function formatPeriodLabel(label: string): string {
  return isDay(label) ? formatDayLabel(label) : label;
}

const getDayFormatter = memoize(
  10,
  (locale: string) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }),
);

/** `Jun`. */
export function formatMonthLabel(date: Date): string {
  const locale = getLocale();
  if (locale === undefined) return MONTH_ABBREVIATIONS[date.getUTCMonth()] ?? '';
  return date.toLocaleDateString(locale, { month: 'short', timeZone: 'UTC' });
}

/** `30 Jun`. */
export function formatDayOfMonthLabel(date: Date): string {
  const locale = getLocale();
  if (locale === undefined) return `${date.getUTCDate()} ${formatMonthLabel(date)}`;
  return date.toLocaleDateString(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
}

/** `29 May`, with the year if it differs from that of the adjacent day. */
export function formatOtherDay(other: string, day: string): string {
  const isSameYear = other.slice(0, 4) === day.slice(0, 4);
  return isSameYear ? formatDayOfMonthLabel(new Date(other)) : formatDayLabel(other);
}

/** `3 Jul 2026, 06:13 UTC`, with seconds if there are any. */
export function formatInstantLabel(instant: string): string {
  // Without an offset it cannot be converted to UTC, and `Date` does not read every ISO 8601 format.
  if (isIsoDateTime(instant) && !isInstant(instant)) return instant;
  const iso = new Date(instant).toISOString();
  const seconds = iso.slice(17, 19) === '00' ? '' : iso.slice(16, 19);
  return `${formatDayLabel(iso.slice(0, 10))}, ${iso.slice(11, 16)}${seconds} UTC`;
}

export function addDaysToDay(day: string, days: number): string {
  return formatDay(parseDay(day) + days);
}

/** The same day of another month, or the last day of a shorter month. */
export function addMonthsToDay(day: string, months: number): string {
  return formatDay(addMonths(parseDay(day), months));
}

export function getEarlierDay(day: string, period: PeriodUnit): string {
  const { days = 0, months = 0 }: PeriodUnitTraits['length'] = PERIOD_TRAITS[period].length;
  return addMonthsToDay(addDaysToDay(day, -days), -months);
}

export function getInstantBefore(publishedAt: string): string {
  return new Date(Date.parse(publishedAt) - 1).toISOString();
}

let locale: string | undefined;

/** The locale of numbers and dates; undefined for English, with the day before the month. */
export function getLocale(): string | undefined {
  return locale;
}

export function setLocale(newLocale: string | undefined): void {
  locale = newLocale;
}
