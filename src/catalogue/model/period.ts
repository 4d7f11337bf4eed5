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
  /** The month in which years begin; null if unknown. */
  readonly yearStart: number | null;
  /** Follows "must be" in messages. */
  readonly requirement: string;
  /** A note shown on every series of this kind. */
  readonly labelNote?: string;
  /** Also in the OpenAPI document, so it uses only syntax that other languages can compile. */
  readonly pattern: RegExp;
  /** Consecutive periods have consecutive ordinals; undefined if the text is not a label of this kind. */
  readonly toOrdinal: (label: string) => number | undefined;
  /** The ordinal of a label, of `2024-01`, of `2024-Q1` for calendar quarters, or of a day in the period. */
  readonly parseRequest: (text: string) => number | undefined;
  /** The label of the next period, written like this one. */
  readonly getNextLabel: (label: string) => string;
  /** The number of the last day of the period; undefined if the text is no label of this kind. */
  readonly findLastDay: (label: string) => number | undefined;
}

/**
 * A kind of period with a single label per period. Years that do not begin in January are fiscal: named, like
 * their quarters, after the year in which they end.
 */
export function createPeriodKind(unit: PeriodUnit, yearStart = 1): PeriodKind {
  const { createCalendar, ...traits } = PERIOD_TRAITS[unit];
  const yearPrefix = yearStart === 1 || !traits.hasYearStart ? '' : 'FY';
  const { parse, ...calendar } = createCalendar(yearPrefix, yearStart);
  const { findOrdinal, getFirstDay, formatLabel } = calendar;
  const year = `${yearPrefix}([0-9]{4})`;
  const pattern = new RegExp(`^${traits.labelPattern.replace('YEAR', year)}$`);
  const toOrdinal = (label: string) => (pattern.test(label) ? parse(label) : undefined);
  // In fiscal years, 2024-Q1 could be the calendar quarter, because it has no prefix.
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

/** How many days earlier the day of the previous year may be, if nothing was recorded on it. */
export const MAX_DAYS_EARLIER = 7;

/** The periods that one may be compared with a year earlier, the best first. */
export function listYearBefore(kind: PeriodKind, ordinal: number): number[] {
  const before = kind.getYearBefore(ordinal);
  const length = kind.hasHolidays ? MAX_DAYS_EARLIER + 1 : 1;
  return Array.from({ length }, (_, days) => before - days);
}

const EXAMPLE_DAY = parseDay('2024-01-31');

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
    // Two digits from 70 on belong to the twentieth century: FY99 ended in 1999.
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

/** Kinds with labels as published, for sources that do not say when years begin. */
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
 * Whether two labels of one period are of the same kind, so that one may correct the other: they differ only
 * in digits, like `FY24` and `FY2024`, but not like `2024` and `2023-24`.
 */
export function isSameLabelKind(label: string, other: string): boolean {
  return label.replace(/[0-9]/g, '') === other.replace(/[0-9]/g, '');
}
