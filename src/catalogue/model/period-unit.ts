import {
  addMonths,
  formatDay,
  getLastDayOfMonth,
  isDay,
  MONTH_ABBREVIATIONS,
  parseDay,
} from '../../shared/calendar.ts';
import { createLookupTable } from '../../shared/lookup-table.ts';

/** The traits of a unit of periods, with or without fiscal years. */
export interface PeriodUnitTraits {
  /** The adjective for data of such periods. */
  readonly name: string;
  /** The description of the field with the label. */
  readonly title: string;
  readonly periodsPerYear: number;
  readonly length: { readonly days?: number; readonly months?: number };
  /** `YEAR` stands for a year with its prefix. */
  readonly labelPattern: string;
  /** Whether labels are calendar days. */
  readonly hasDayLabels: boolean;
  /** Whether periods without a record are normal, such as weekends, rather than missing. */
  readonly hasHolidays: boolean;
  /** Whether years may begin in a month other than January. */
  readonly hasYearStart: boolean;
  /** The day, counted from 0, that decides which coarser period it belongs to: the Thursday of a week. */
  readonly decisiveDay: number;
  readonly createCalendar: (yearPrefix: string, yearStart: number) => Calendar;
}

/** The days of periods, and their labels; `parse` is called with texts that match the pattern. */
export interface Calendar {
  /** The ordinal of the period that contains a day number. */
  readonly findOrdinal: (day: number) => number;
  readonly getFirstDay: (ordinal: number) => number;
  /** The plain label of an ordinal. */
  readonly formatLabel: (ordinal: number) => string;
  /** The same period of the year before, by the calendar. */
  readonly getYearBefore: (ordinal: number) => number;
  readonly parse: (label: string) => number | undefined;
}

const DAYS: Calendar = {
  getFirstDay: (day) => day,
  findOrdinal: (day) => day,
  parse: (label) => (isDay(label) ? parseDay(label) : undefined),
  formatLabel: formatDay,
  getYearBefore: (day) => addMonths(day, -12),
};

/** ISO 8601 weeks, which belong to the year of their Thursday; week 0 contains day 0, a Thursday. */
const WEEKS: Calendar = {
  getFirstDay: (week) => week * 7 - 3,
  findOrdinal: (day) => Math.floor((day + 3) / 7),
  parse(label) {
    const week = findFirstWeek(Number(label.slice(0, 4))) + Number(label.slice(-2)) - 1;
    // Most years have no week 53.
    return WEEKS.formatLabel(week) === label ? week : undefined;
  },
  formatLabel(week) {
    const year = formatDay(week * 7).slice(0, 4);
    return `${year}-W${String(week - findFirstWeek(Number(year)) + 1).padStart(2, '0')}`;
  },
  getYearBefore(week) {
    const year = Number(formatDay(week * 7).slice(0, 4));
    const first = findFirstWeek(year);
    // Most years have no week 53.
    return Math.min(findFirstWeek(year - 1) + week - first, first - 1);
  },
};

/** The week with 4 January. */
const findFirstWeek = (year: number) => WEEKS.findOrdinal(getLastDayOfMonth(year * 12 - 1) + 4);

/** The calendar of equal parts of a year, given what precedes the year in their labels. */
function divideYears(...parts: readonly string[]): PeriodUnitTraits['createCalendar'] {
  const months = 12 / parts.length;
  return (yearPrefix, yearStart) => {
    // A fiscal year begins in the calendar year before the one it is named after.
    const firstMonth = yearPrefix === '' ? 0 : yearStart - 13;
    return {
      getFirstDay: (ordinal) => getLastDayOfMonth(ordinal * months + firstMonth - 1) + 1,
      findOrdinal(day) {
        const [year = 0, month = 0] = formatDay(day).split('-').map(Number);
        return Math.floor((year * 12 + month - 1 - firstMonth) / months);
      },
      parse: (label) =>
        Number(label.slice(-4)) * parts.length + parts.findIndex((part) => label.startsWith(part)),
      formatLabel(ordinal) {
        const year = String(Math.floor(ordinal / parts.length)).padStart(4, '0');
        return `${parts[ordinal % parts.length]}${yearPrefix}${year}`;
      },
      getYearBefore: (ordinal) => ordinal - parts.length,
    };
  };
}

/** From the finest to the coarsest. */
export const PERIOD_TRAITS = createLookupTable({
  day: {
    name: 'daily',
    title: 'Day',
    periodsPerYear: 365,
    length: { days: 1 },
    hasDayLabels: true,
    hasHolidays: true,
    hasYearStart: false,
    decisiveDay: 0,
    labelPattern: '[0-9]{4}-[0-9]{2}-[0-9]{2}',
    createCalendar: () => DAYS,
  },
  week: {
    name: 'weekly',
    title: 'Week',
    periodsPerYear: 52,
    length: { days: 7 },
    hasDayLabels: false,
    hasHolidays: false,
    hasYearStart: false,
    decisiveDay: 3,
    labelPattern: '([0-9]{4})-W(0[1-9]|[1-4][0-9]|5[0-3])',
    createCalendar: () => WEEKS,
  },
  month: {
    name: 'monthly',
    title: 'Month',
    periodsPerYear: 12,
    length: { months: 1 },
    hasDayLabels: false,
    hasHolidays: false,
    hasYearStart: false,
    decisiveDay: 0,
    labelPattern: `(${MONTH_ABBREVIATIONS.join('|')}) ([0-9]{4})`,
    createCalendar: divideYears(...MONTH_ABBREVIATIONS.map((month) => `${month} `)),
  },
  quarter: {
    name: 'quarterly',
    title: 'Quarter',
    periodsPerYear: 4,
    length: { months: 3 },
    hasDayLabels: false,
    hasHolidays: false,
    hasYearStart: true,
    decisiveDay: 0,
    labelPattern: 'Q([1-4]) YEAR',
    createCalendar: divideYears('Q1 ', 'Q2 ', 'Q3 ', 'Q4 '),
  },
  year: {
    name: 'annual',
    title: 'Year identifier',
    periodsPerYear: 1,
    length: { months: 12 },
    hasDayLabels: false,
    hasHolidays: false,
    hasYearStart: true,
    decisiveDay: 0,
    labelPattern: 'YEAR',
    createCalendar: divideYears(''),
  },
} as const satisfies Readonly<Record<string, PeriodUnitTraits>>);

export type PeriodUnit = keyof typeof PERIOD_TRAITS;
export type PeriodName = (typeof PERIOD_TRAITS)[PeriodUnit]['name'];

/** From the finest to the coarsest. */
export const PERIOD_UNITS = Object.keys(PERIOD_TRAITS) as readonly PeriodUnit[];
export const PERIOD_NAMES = PERIOD_UNITS.map((unit) => PERIOD_TRAITS[unit].name);

export function listFinerUnits(unit: PeriodUnit): readonly PeriodUnit[] {
  return PERIOD_UNITS.slice(0, PERIOD_UNITS.indexOf(unit));
}

export function listCoarserUnits(unit: PeriodUnit): readonly PeriodUnit[] {
  return PERIOD_UNITS.slice(PERIOD_UNITS.indexOf(unit) + 1);
}
