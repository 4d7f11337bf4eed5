import {
  addMonths,
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
  /** The number of the first day of an ordinal. */
  readonly getFirstDay: (ordinal: number) => number;
  /** The plain label of an ordinal. */
  readonly formatLabel: (ordinal: number) => string;
  /** The label of the next period, written like this one. */
  readonly getNextLabel: (label: string) => string;
  /** The number of the last day of the period; undefined if the text is no label of this kind. */
  readonly findLastDay: (label: string) => number | undefined;
}

/** From the finest to the coarsest. */
export const PERIOD_UNITS = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type PeriodUnit = (typeof PERIOD_UNITS)[number];

/**
 * A kind of period with one label for each period. Years that do not begin in January are fiscal:
 * named by the year in which they end, as their quarters are.
 */
export function createPeriodKind(unit: PeriodUnit, yearStart = 1): PeriodKind {
  const yearPrefix = yearStart === 1 || unit === 'month' ? '' : 'FY';
  const { name, title, periodsPerYear, pattern } = UNITS[unit];
  const { getFirstDay, findOrdinal, parse, formatLabel } = createCalendar(
    unit,
    yearPrefix,
    yearStart,
  );
  const ownPattern = new RegExp(`^${pattern.replace('YEAR', `${yearPrefix}([0-9]{4})`)}$`);
  const toOrdinal = (label: string) => (ownPattern.test(label) ? parse(label) : undefined);
  const toLabel = (text: string) =>
    text
      .replace(/^([0-9]{4})-(Q[1-4])$/, `$2 ${yearPrefix}$1`)
      .replace(
        /^([0-9]{4})-(0[1-9]|1[0-2])$/,
        (_, year, month) => `${MONTH_ABBREVIATIONS[month - 1]} ${year}`,
      );
  return {
    name,
    unit,
    title,
    periodsPerYear,
    yearStart,
    requirement: `a ${unit} such as ${formatLabel(findOrdinal(EXAMPLE_DAY))}`,
    pattern: ownPattern,
    toOrdinal,
    parseRequest: (text) =>
      toOrdinal(toLabel(text)) ?? (isDay(text) ? findOrdinal(parseDay(text)) : undefined),
    findOrdinal,
    getFirstDay,
    formatLabel,
    getNextLabel: (label) => formatLabel((toOrdinal(label) ?? 0) + 1),
    findLastDay(label) {
      const ordinal = toOrdinal(label);
      return ordinal === undefined ? undefined : getFirstDay(ordinal + 1) - 1;
    },
  };
}

/** How far the day a year before may be off, where nothing was recorded on it. */
export const MAX_DAYS_EARLIER = 7;

/** The same period of the year before, by the calendar. */
export function findYearBefore(
  { unit, periodsPerYear, toOrdinal, formatLabel }: PeriodKind,
  ordinal: number,
): number {
  if (unit === 'day') return addMonths(ordinal, -12);
  if (unit !== 'week') return ordinal - periodsPerYear;
  const [year, week] = formatLabel(ordinal).split('-');
  const lastYear = String(Number(year) - 1).padStart(4, '0');
  // Most years have no week 53.
  return toOrdinal(`${lastYear}-${week}`) ?? ordinal - periodsPerYear - 1;
}

/** The periods that one may be compared with on the year, the best first. */
export function listYearBefore(kind: PeriodKind, ordinal: number): number[] {
  const before = findYearBefore(kind, ordinal);
  const length = kind.unit === 'day' ? MAX_DAYS_EARLIER + 1 : 1;
  return Array.from({ length }, (_, days) => before - days);
}

const EXAMPLE_DAY = parseDay('2024-01-31');

/** YEAR stands for a year with its prefix. */
const UNITS = {
  day: { name: 'daily', title: 'Day', periodsPerYear: 365, pattern: '[0-9]{4}-[0-9]{2}-[0-9]{2}' },
  week: {
    name: 'weekly',
    title: 'Week',
    periodsPerYear: 52,
    pattern: '([0-9]{4})-W(0[1-9]|[1-4][0-9]|5[0-3])',
  },
  month: {
    name: 'monthly',
    title: 'Month',
    periodsPerYear: 12,
    pattern: `(${MONTH_ABBREVIATIONS.join('|')}) ([0-9]{4})`,
  },
  quarter: { name: 'quarterly', title: 'Quarter', periodsPerYear: 4, pattern: 'Q([1-4]) YEAR' },
  year: { name: 'annual', title: 'Year identifier', periodsPerYear: 1, pattern: 'YEAR' },
} as const;

/** The days of periods, and their labels; `parse` takes texts that match the pattern. */
interface Calendar extends Pick<PeriodKind, 'findOrdinal' | 'getFirstDay' | 'formatLabel'> {
  readonly parse: (label: string) => number | undefined;
}

function createCalendar(unit: PeriodUnit, yearPrefix: string, yearStart: number): Calendar {
  if (unit === 'day') return DAYS;
  if (unit === 'week') return WEEKS;
  const parts = YEAR_PARTS[unit];
  const months = 12 / parts.length;
  // A fiscal year begins in the year before the one that it is named by.
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
  };
}

/** What is before the year in the labels of the parts of a year. */
const YEAR_PARTS = {
  month: MONTH_ABBREVIATIONS.map((month) => `${month} `),
  quarter: ['Q1 ', 'Q2 ', 'Q3 ', 'Q4 '],
  year: [''],
};

const DAYS: Calendar = {
  getFirstDay: (day) => day,
  findOrdinal: (day) => day,
  parse: (label) => (isDay(label) ? parseDay(label) : undefined),
  formatLabel: formatDay,
};

/** Weeks by ISO 8601. One belongs to the year of its Thursday; week 0 is that of day 0, a Thursday. */
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
};

/** The week with 4 January. */
const findFirstWeek = (year: number) => WEEKS.findOrdinal(getLastDayOfMonth(year * 12 - 1) + 4);

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
  findLastDay(label) {
    const { getFirstDay } = /^[0-9]{4}$/.test(label) ? CALENDAR_YEAR : FISCAL_YEAR;
    const ordinal = this.toOrdinal(label);
    return ordinal === undefined ? undefined : getFirstDay(ordinal + 1) - 1;
  },
};

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
