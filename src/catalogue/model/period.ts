import { isDay, MONTH_ABBREVIATIONS, parseDay } from '../../shared/calendar.ts';
import {
  type Calendar,
  PERIOD_TRAITS,
  type PeriodName,
  type PeriodUnit,
  type PeriodUnitTraits,
} from './period-unit.ts';

/** A kind of period. Labels are stored as published and ordered by their ordinals. */
export interface PeriodKind
  extends Omit<PeriodUnitTraits, 'createCalendar'>,
    Omit<Calendar, 'parse'> {
  readonly name: PeriodName;
  readonly unit: PeriodUnit;
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
  /** The ordinal by a label, by `2024-01`, by `2024-Q1` where quarters are the calendar's, or by a day in it. */
  readonly parseRequest: (text: string) => number | undefined;
  /** The label of the next period, written like this one. */
  readonly getNextLabel: (label: string) => string;
  /** The number of the last day of the period; undefined if the text is no label of this kind. */
  readonly findLastDay: (label: string) => number | undefined;
}

/**
 * A kind of period with one label for each period. Years that do not begin in January are fiscal:
 * named by the year in which they end, as their quarters are.
 */
export function createPeriodKind(unit: PeriodUnit, yearStart = 1): PeriodKind {
  const { createCalendar, ...traits } = PERIOD_TRAITS[unit];
  const yearPrefix = yearStart === 1 || !traits.hasYearStart ? '' : 'FY';
  const { parse, ...calendar } = createCalendar(yearPrefix, yearStart);
  const { findOrdinal, getFirstDay, formatLabel } = calendar;
  const year = `${yearPrefix}([0-9]{4})`;
  const pattern = new RegExp(`^${traits.labelPattern.replace('YEAR', year)}$`);
  const toOrdinal = (label: string) => (pattern.test(label) ? parse(label) : undefined);
  // Of a fiscal year, 2024-Q1 could be the quarter of the calendar: its label has no prefix.
  const toLabel = (text: string) =>
    text
      .replace(/^([0-9]{4})-(Q[1-4])$/, '$2 $1')
      .replace(
        /^([0-9]{4})-(0[1-9]|1[0-2])$/,
        (_, year, month) => `${MONTH_ABBREVIATIONS[month - 1]} ${year}`,
      );
  return {
    ...traits,
    ...calendar,
    unit,
    yearStart,
    requirement: `a ${unit} such as ${formatLabel(findOrdinal(EXAMPLE_DAY))}`,
    pattern,
    toOrdinal,
    parseRequest: (text) =>
      toOrdinal(toLabel(text)) ?? (isDay(text) ? findOrdinal(parseDay(text)) : undefined),
    getNextLabel: (label) => formatLabel((toOrdinal(label) ?? 0) + 1),
    findLastDay(label) {
      const ordinal = toOrdinal(label);
      return ordinal === undefined ? undefined : getFirstDay(ordinal + 1) - 1;
    },
  };
}

/** How far the day a year before may be off, where nothing was recorded on it. */
export const MAX_DAYS_EARLIER = 7;

/** The periods that one may be compared with on the year, the best first. */
export function listYearBefore(kind: PeriodKind, ordinal: number): number[] {
  const before = kind.getYearBefore(ordinal);
  const length = kind.hasHolidays ? MAX_DAYS_EARLIER + 1 : 1;
  return Array.from({ length }, (_, days) => before - days);
}

const EXAMPLE_DAY = parseDay('2024-01-31');

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

/** Kinds whose labels are as published, where the source does not say when years begin. */
export const PUBLISHED_KINDS: Readonly<Record<PeriodUnit, PeriodKind>> = {
  day: createPeriodKind('day'),
  week: createPeriodKind('week'),
  month: monthly,
  quarter: quarterly,
  year: annual,
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
