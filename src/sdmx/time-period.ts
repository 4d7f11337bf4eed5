import type { PeriodKind } from '../catalogue/model/period.ts';
import { createPeriodKind } from '../catalogue/model/period.ts';
import type { PeriodUnit } from '../catalogue/model/period-unit.ts';
import { addMonths, getLastDayOfMonth, isDay, parseDay } from '../shared/calendar.ts';
import { createLookupTable } from '../shared/lookup-table.ts';
import { memoize } from '../shared/memoize.ts';

/** The code of each kind of period in CL_FREQ. */
export const FREQUENCIES: Readonly<
  Record<PeriodUnit, { readonly id: string; readonly name: string }>
> = createLookupTable({
  day: { id: 'D', name: 'Daily' },
  week: { id: 'W', name: 'Weekly' },
  month: { id: 'M', name: 'Monthly' },
  quarter: { id: 'Q', name: 'Quarterly' },
  year: { id: 'A', name: 'Annual' },
});

/** A period as SDMX writes it, and the first day of its year unless that is 1 January. */
export interface TimePeriod {
  readonly text: string;
  readonly yearStartDay?: string;
}

/** The month in which the years of a label begin: a source that does not say labels fiscal years `FY24`. */
function findYearStart({ unit, yearStart }: PeriodKind, label: string): number {
  if (yearStart !== null) return yearStart;
  return unit === 'year' && !/^[0-9]{4}$/.test(label) ? 7 : 1;
}

/** Whether the first day of a year depends on the record. */
export const hasMixedYears = ({ unit, yearStart }: PeriodKind) =>
  unit === 'year' && yearStart === null;

/** Whether all years begin on one day that is not 1 January. */
export const hasFiscalYears = ({ hasYearStart, yearStart }: PeriodKind) =>
  hasYearStart && yearStart !== null && yearStart !== 1;

const MAX_CACHED_PERIODS = 50_000;

/** Formats labels; years and quarters of fiscal years are named by the year in which they begin. */
export function createPeriodFormatter(kind: PeriodKind): (label: string) => TimePeriod {
  return memoize(MAX_CACHED_PERIODS, (label) => {
    const ordinal = kind.toOrdinal(label) ?? Number.NaN;
    const yearStart = findYearStart(kind, label);
    const isFiscal = yearStart !== 1 && kind.hasYearStart;
    const text = FORMATTERS[kind.unit](label, ordinal, isFiscal);
    if (!isFiscal) return { text };
    return { text, yearStartDay: `--${String(yearStart).padStart(2, '0')}-01` };
  });
}

const formatYear = (year: number) => String(year).padStart(4, '0');

const FORMATTERS: Readonly<
  Record<PeriodUnit, (label: string, ordinal: number, isFiscal: boolean) => string>
> = {
  day: (label) => label,
  week: (label) => label,
  month: (_, month) =>
    `${formatYear(Math.floor(month / 12))}-${String((month % 12) + 1).padStart(2, '0')}`,
  quarter: (_, quarter, isFiscal) =>
    `${formatYear(Math.floor(quarter / 4) - Number(isFiscal))}-Q${(quarter % 4) + 1}`,
  year: (_, year, isFiscal) => (isFiscal ? `${formatYear(year - 1)}-A1` : formatYear(year)),
};

type Days = readonly [first: number, last: number];

const TIME_PATTERN =
  /^(\d{4})(?:-(?:(\d\d)(?:-(\d\d)(?:T[0-9:.Z+-]{2,25})?)?|([ASTQMWD])(\d{1,3})))?$/;
/** How many months a reporting period has, and how many there are in a year. */
const REPORTING_MONTHS: ReadonlyMap<string, number> = new Map(
  Object.entries({ A: 12, S: 6, T: 4, Q: 3, M: 1 }),
);
const WEEK = createPeriodKind('week');

/** The days of a period in a request, in years that begin in a month; undefined if it is invalid. */
export function parseTimePeriod(text: string, yearStart = 1): Days | undefined {
  const [, year = '', month, day, unit, index = ''] = TIME_PATTERN.exec(text) ?? [];
  if (!(Number(year) > 0)) return undefined;
  if (day !== undefined) {
    const date = text.slice(0, 10);
    return isDay(date) ? [parseDay(date), parseDay(date)] : undefined;
  }
  if (unit === undefined) {
    const number = Number(month ?? 1);
    if (number < 1 || number > 12) return undefined;
    return monthDays(Number(year) * 12 + number - 1, month === undefined ? 12 : 1);
  }
  const months = REPORTING_MONTHS.get(unit);
  const number = Number(index);
  const firstMonth = Number(year) * 12 + yearStart - 1;
  if (months !== undefined) {
    if (number < 1 || number * months > 12) return undefined;
    return monthDays(firstMonth + (number - 1) * months, months);
  }
  if (unit === 'W') {
    const week = WEEK.toOrdinal(`${year}-W${index.padStart(2, '0')}`);
    return week === undefined ? undefined : [WEEK.getFirstDay(week), WEEK.getFirstDay(week) + 6];
  }
  const first = monthDays(firstMonth, 1)[0] + number - 1;
  return number < 1 || number > 366 ? undefined : [first, first];
}

/** The days of so many months from one on, given as the number of months since January of year 0. */
function monthDays(first: number, months: number): Days {
  return [getLastDayOfMonth(first - 1) + 1, getLastDayOfMonth(first + months - 1)];
}

/**
 * Reads periods as labels, each after the month in which its years begin (by default that of the dataset) and a
 * space. Other texts stay as they are; a period that has a label keeps it.
 */
export function createLabelReader(
  kind: PeriodKind,
  labels: ReadonlyMap<number, string>,
): (yearStartAndPeriod: string) => string {
  // A source whose years differ says of those alone that are fiscal when they begin, and not in each message.
  const usualYearStart = Math.max(1, ...labels.values().map((label) => findYearStart(kind, label)));
  return memoize(MAX_CACHED_PERIODS, (text) => {
    const [, start, period = ''] = /^(\d*) (.*)$/s.exec(text) ?? [];
    const yearStart = Number(start) || (kind.yearStart ?? usualYearStart);
    const days = parseTimePeriod(period, yearStart);
    if (!days) return period;
    const own = hasMixedYears(kind) ? createPeriodKind('year', yearStart) : kind;
    const ordinal = own.findOrdinal(days[0]);
    if (own.getFirstDay(ordinal) !== days[0] || own.getFirstDay(ordinal + 1) - 1 !== days[1])
      return period;
    const current = labels.get(ordinal) ?? '';
    return kind.findLastDay(current) === days[1] ? current : own.formatLabel(ordinal);
  });
}

/** What selects the periods of a request: ordinals, and if labels are mixed, a test of each. */
export interface PeriodFilter {
  readonly from?: number;
  readonly to?: number;
  readonly includes?: (label: string) => boolean;
}

/**
 * The periods from the one that a text names to the one that another names. A period within one of
 * the data means that; otherwise the periods that begin in it (weeks: those whose Thursday is in it).
 */
export function createPeriodFilter(
  kind: PeriodKind,
  { start, end }: { readonly start?: string | undefined; readonly end?: string | undefined },
): PeriodFilter {
  if (hasMixedYears(kind)) {
    const bounds = [1, 7].map((yearStart) => [
      start === undefined ? undefined : parseTimePeriod(start, yearStart),
      end === undefined ? undefined : parseTimePeriod(end, yearStart),
    ]);
    if (start === undefined && end === undefined) return {};
    return {
      includes(label) {
        const [from, to] = bounds[findYearStart(kind, label) === 1 ? 0 : 1] ?? [];
        const last = kind.findLastDay(label) ?? Number.NaN;
        const first = addMonths(last + 1, -12);
        const startsLate = !from || first >= from[0] || last >= from[1];
        return startsLate && (!to || first <= to[1]);
      },
    };
  }
  const yearStart = kind.hasYearStart ? (kind.yearStart ?? 1) : 1;
  const from = start === undefined ? undefined : parseTimePeriod(start, yearStart);
  const to = end === undefined ? undefined : parseTimePeriod(end, yearStart);
  return {
    ...(from && { from: findFirst(kind, from) }),
    ...(to && { to: findLast(kind, to) }),
  };
}

function findFirst({ findOrdinal, getFirstDay, decisiveDay }: PeriodKind, [first, last]: Days) {
  const ordinal = findOrdinal(first);
  if (getFirstDay(ordinal + 1) > last) return ordinal;
  return getFirstDay(ordinal) + decisiveDay >= first ? ordinal : ordinal + 1;
}

function findLast({ findOrdinal, getFirstDay, decisiveDay }: PeriodKind, [first, last]: Days) {
  const ordinal = findOrdinal(last);
  if (getFirstDay(ordinal) <= first) return ordinal;
  return getFirstDay(ordinal) + decisiveDay <= last ? ordinal : ordinal - 1;
}
