import {
  formatDay,
  getLastDayOfMonth,
  isDay,
  MONTH_ABBREVIATIONS,
  parseDay,
} from '../../shared/calendar.ts';

/** A kind of period. Labels are stored as published and ordered by their ordinals. */
export interface PeriodKind {
  readonly name: 'annual' | 'quarterly' | 'monthly' | 'weekly' | 'daily';
  /** The name of one period. */
  readonly unit: PeriodUnit;
  /** The description of the field with the label. */
  readonly title: string;
  readonly periodsPerYear: number;
  /** The month in which years begin; null where the source does not say. */
  readonly yearStart: number | null;
  /** The text after "must be". */
  readonly requirement: string;
  /** A note on every series of the kind. */
  readonly labelNote?: string;
  /** In the OpenAPI document as well, so without what other languages cannot compile. */
  readonly pattern: RegExp;
  /** Consecutive periods have consecutive ordinals; undefined if the text is no label of this kind. */
  readonly toOrdinal: (label: string) => number | undefined;
  /** The ordinal by a label, by another spelling such as `2024-01` or `2024-Q1`, or by a day in it. */
  readonly parseRequest: (text: string) => number | undefined;
  /** The ordinal of the period that contains a day, which is given by its number. */
  readonly findOrdinal: (day: number) => number;
  /** The plain label of an ordinal. */
  readonly formatLabel: (ordinal: number) => string;
  /** The label of the next period, written like this one. */
  readonly getNextLabel: (label: string) => string;
  /** The number of the first day of the period; undefined if the text is no label of this kind. */
  readonly findFirstDay: FindDay;
  /** The number of the last day of the period; undefined if the text is no label of this kind. */
  readonly findLastDay: FindDay;
}

export type PeriodUnit = 'day' | 'week' | 'month' | 'quarter' | 'year';
type FindDay = (label: string) => number | undefined;

/**
 * A kind of period with one label for each period. Years that do not begin in January are fiscal:
 * named by the year in which they end, as their quarters are.
 */
export function createPeriodKind(unit: PeriodUnit, yearStart = 1): PeriodKind {
  const yearPrefix = yearStart === 1 ? '' : 'FY';
  const { name, title, periodsPerYear, example, pattern, parse, format } = LABELS[unit];
  const { getFirstDay, findOrdinal } = createCalendar(periodsPerYear, yearStart);
  const ownPattern = new RegExp(`^${pattern.replace('YEAR', `${yearPrefix}([0-9]{4})`)}$`);
  const formatLabel = (ordinal: number) => format(ordinal, yearPrefix);
  const toOrdinal = (label: string) => {
    const match = ownPattern.exec(label);
    const ordinal = match ? parse(match) : undefined;
    // No year has a day such as 2023-02-29, and most have no week 53.
    return ordinal !== undefined && formatLabel(ordinal) === label ? ordinal : undefined;
  };
  const toLabel = (text: string) =>
    text
      .replace(/^([0-9]{4})-(Q[1-4])$/, `$2 ${yearPrefix}$1`)
      .replace(/^([0-9]{4})-(0[1-9]|1[0-2])$/, (_, year, month) =>
        monthly.formatLabel(Number(year) * 12 + Number(month) - 1),
      );
  const findDay =
    (offset: 0 | 1): FindDay =>
    (label) => {
      const ordinal = toOrdinal(label);
      return ordinal === undefined ? undefined : getFirstDay(ordinal + offset) - offset;
    };
  return {
    name,
    unit,
    title,
    periodsPerYear,
    yearStart,
    requirement: `a ${unit} such as ${example.replace('YEAR', `${yearPrefix}2024`)}`,
    pattern: ownPattern,
    toOrdinal,
    parseRequest: (text) =>
      toOrdinal(toLabel(text)) ?? (isDay(text) ? findOrdinal(parseDay(text)) : undefined),
    findOrdinal,
    formatLabel,
    getNextLabel: (label) => formatLabel((toOrdinal(label) ?? 0) + 1),
    findFirstDay: findDay(0),
    findLastDay: findDay(1),
  };
}

interface Labels extends Pick<PeriodKind, 'name' | 'title'> {
  readonly periodsPerYear: PeriodsPerYear;
  /** YEAR stands for a year and its prefix here and in the pattern. */
  readonly example: string;
  readonly pattern: string;
  readonly parse: (match: readonly string[]) => number | undefined;
  readonly format: (ordinal: number, yearPrefix: string) => string;
}

type PeriodsPerYear = 1 | 4 | 12 | 52 | 365;

const formatYear = (year: number) => String(year).padStart(4, '0');

const LABELS: Readonly<Record<PeriodUnit, Labels>> = {
  day: {
    name: 'daily',
    title: 'Day',
    periodsPerYear: 365,
    example: '2024-01-31',
    pattern: '[0-9]{4}-[0-9]{2}-[0-9]{2}',
    parse: ([label = '']) => (isDay(label) ? parseDay(label) : undefined),
    format: formatDay,
  },
  // By ISO 8601.
  week: {
    name: 'weekly',
    title: 'Week',
    periodsPerYear: 52,
    example: '2024-W05',
    pattern: '([0-9]{4})-W(0[1-9]|[1-4][0-9]|5[0-3])',
    parse: ([, year, week]) => findFirstWeek(Number(year)) + Number(week) - 1,
    format(ordinal) {
      const year = formatDay(getThursday(ordinal)).slice(0, 4);
      const week = ordinal - findFirstWeek(Number(year)) + 1;
      return `${year}-W${String(week).padStart(2, '0')}`;
    },
  },
  month: {
    name: 'monthly',
    title: 'Month',
    periodsPerYear: 12,
    example: 'Jan 2024',
    pattern: `(${MONTH_ABBREVIATIONS.join('|')}) ([0-9]{4})`,
    parse: ([, month = '', year]) => Number(year) * 12 + MONTH_ABBREVIATIONS.indexOf(month),
    format: (ordinal) =>
      `${MONTH_ABBREVIATIONS[ordinal % 12]} ${formatYear(Math.floor(ordinal / 12))}`,
  },
  quarter: {
    name: 'quarterly',
    title: 'Quarter',
    periodsPerYear: 4,
    example: 'Q1 YEAR',
    pattern: 'Q([1-4]) YEAR',
    parse: ([, quarter, year]) => Number(year) * 4 + Number(quarter) - 1,
    format: (ordinal, yearPrefix) =>
      `Q${(ordinal % 4) + 1} ${yearPrefix}${formatYear(Math.floor(ordinal / 4))}`,
  },
  year: {
    name: 'annual',
    title: 'Year identifier',
    periodsPerYear: 1,
    example: 'YEAR',
    pattern: 'YEAR',
    parse: ([, year]) => Number(year),
    format: (ordinal, yearPrefix) => `${yearPrefix}${formatYear(ordinal)}`,
  },
};

interface Calendar {
  readonly getFirstDay: (ordinal: number) => number;
  readonly findOrdinal: (day: number) => number;
}

function createCalendar(periodsPerYear: PeriodsPerYear, yearStart: number): Calendar {
  if (periodsPerYear === 365) return { getFirstDay: (day) => day, findOrdinal: (day) => day };
  if (periodsPerYear === 52)
    return { getFirstDay: (week) => getThursday(week) - 3, findOrdinal: findWeek };
  const months = 12 / periodsPerYear;
  // A fiscal year begins in the year before the one that it is named by.
  const firstMonth = yearStart === 1 || months === 1 ? 0 : yearStart - 13;
  return {
    getFirstDay: (ordinal) => getLastDayOfMonth(ordinal * months + firstMonth - 1) + 1,
    findOrdinal(day) {
      const [year = 0, month = 0] = formatDay(day).split('-').map(Number);
      return Math.floor((year * 12 + month - 1 - firstMonth) / months);
    },
  };
}

/** A week belongs to the year of its Thursday. Week 0 is that of day 0, which was one. */
const getThursday = (week: number) => week * 7;
const findWeek = (day: number) => Math.floor((day + 3) / 7);

/** The week with 4 January. */
const findFirstWeek = (year: number) => findWeek(getLastDayOfMonth(year * 12 - 1) + 4);

/** A month: `Jan 2024`. */
export const monthly = createPeriodKind('month');

/** A quarter of the calendar year or of the fiscal one: `Q1 2024`. */
export const quarterly: PeriodKind = {
  ...createPeriodKind('quarter'),
  yearStart: null,
  labelNote:
    'Quarters are labelled as published: the source does not say whether they are of the calendar year or of the fiscal one, from July to June.',
};

const CALENDAR_YEAR = createPeriodKind('year');
const FISCAL_YEAR = createPeriodKind('year', 7);

/** A year: `2024`, or the fiscal year that ends in it as `FY24`, `FY2024`, `2023-24`. */
export const annual: PeriodKind = {
  ...CALENDAR_YEAR,
  yearStart: null,
  requirement: 'a year such as 2024, FY24 or 2023-24',
  labelNote:
    'Years are labelled as published: the source does not say whether they are calendar years or fiscal ones, from July to June.',
  pattern: /^(?:([0-9]{4})|FY([0-9]{2}|[0-9]{4})|([0-9]{4})-([0-9]{2}|[0-9]{4}))$/,
  toOrdinal(label) {
    const [, year, fiscal, start, end] = this.pattern.exec(label) ?? [];
    if (year) return Number(year);
    // From 70 on, two digits belong to the last century: FY99 ended in 1999.
    if (fiscal) return expandYear(fiscal, Number(fiscal) < 70 ? 2000 : 1900);
    if (!start || !end) return undefined;
    const next = Number(start) + 1;
    return expandYear(end, next - (next % 100)) === next ? next : undefined;
  },
  parseRequest(text) {
    return this.toOrdinal(text) ?? CALENDAR_YEAR.parseRequest(text);
  },
  getNextLabel: (label) =>
    label.replace(/[0-9]+/g, (digits) =>
      String(Number(digits) + 1)
        .padStart(digits.length, '0')
        .slice(-digits.length),
    ),
  findFirstDay: (label) => findDayOfYear(label, 'findFirstDay'),
  findLastDay: (label) => findDayOfYear(label, 'findLastDay'),
};

function findDayOfYear(label: string, find: 'findFirstDay' | 'findLastDay'): number | undefined {
  const kind = CALENDAR_YEAR.toOrdinal(label) === undefined ? FISCAL_YEAR : CALENDAR_YEAR;
  const ordinal = annual.toOrdinal(label);
  return ordinal === undefined ? undefined : kind[find](kind.formatLabel(ordinal));
}

function expandYear(digits: string, century: number): number {
  return digits.length === 4 ? Number(digits) : century + Number(digits);
}

/**
 * Whether two labels of one period are of one kind, so that one may correct the other: they differ
 * in digits alone, as `FY24` and `FY2024` do, but neither `2024` nor `2023-24`.
 */
export function isSameLabelKind(label: string, other: string): boolean {
  return label.replace(/[0-9]/g, '') === other.replace(/[0-9]/g, '');
}
