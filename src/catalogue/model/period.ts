import { getLastDayOfMonth, MONTH_ABBREVIATIONS } from '../../shared/calendar.ts';

/** A kind of period. Labels are stored as published and ordered by their ordinals. */
export interface PeriodKind {
  readonly name: 'annual' | 'quarterly' | 'monthly';
  /** The name of one period, and how many months it has. */
  readonly unit: 'year' | 'quarter' | 'month';
  readonly months: 12 | 3 | 1;
  /** The text after "must be". */
  readonly requirement: string;
  /** A note on every series of the kind. */
  readonly labelNote?: string;
  /** In the OpenAPI document as well, so without what other languages cannot compile. */
  readonly pattern: RegExp;
  /** Periods since year 0; undefined if the text is no label of this kind. */
  readonly toOrdinal: (label: string) => number | undefined;
  /** The plain label of an ordinal. */
  readonly formatLabel: (ordinal: number) => string;
  /** The label of the next period, written like this one. */
  readonly getNextLabel: (label: string) => string;
  /** The number of the last day of the period; undefined if the text is no label of this kind. */
  readonly findLastDay: (label: string) => number | undefined;
}

/** A year: `2024`, or the fiscal year that ends in it as `FY24`, `FY2024`, `2023-24`. */
export const annual: PeriodKind = {
  name: 'annual',
  unit: 'year',
  months: 12,
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
  formatLabel: (ordinal) => String(ordinal).padStart(4, '0'),
  getNextLabel: (label) =>
    label.replace(/[0-9]+/g, (digits) =>
      String(Number(digits) + 1)
        .padStart(digits.length, '0')
        .slice(-digits.length),
    ),
  findLastDay(label) {
    const isFiscal = !/^[0-9]{4}$/.test(label);
    return findLastDay(this.toOrdinal(label), this.months, isFiscal ? FISCAL_YEAR_OFFSET : 0);
  },
};

/** A fiscal year ends in June, six months before the calendar year that it is named after. */
const FISCAL_YEAR_OFFSET = -6;

/** What follows from the ordinals of labels that are written in one way. */
const BY_ORDINAL: Pick<PeriodKind, 'getNextLabel' | 'findLastDay'> & ThisType<PeriodKind> = {
  getNextLabel(label) {
    return this.formatLabel((this.toOrdinal(label) ?? 0) + 1);
  },
  findLastDay(label) {
    return findLastDay(this.toOrdinal(label), this.months);
  },
};

/** A quarter: `Q1 2024`. */
export const quarterly: PeriodKind = {
  ...BY_ORDINAL,
  name: 'quarterly',
  unit: 'quarter',
  months: 3,
  requirement: 'a quarter such as Q1 2024',
  labelNote:
    'Quarters are labelled as published: the source does not say whether they are of the calendar year or of the fiscal one, from July to June.',
  pattern: /^Q([1-4]) ([0-9]{4})$/,
  toOrdinal(label) {
    const [, quarter, year] = this.pattern.exec(label) ?? [];
    return quarter && year ? Number(year) * 4 + Number(quarter) - 1 : undefined;
  },
  formatLabel: (ordinal) => `Q${(ordinal % 4) + 1} ${annual.formatLabel(Math.floor(ordinal / 4))}`,
};

/** A month: `Jan 2024`. */
export const monthly: PeriodKind = {
  ...BY_ORDINAL,
  name: 'monthly',
  unit: 'month',
  months: 1,
  requirement: 'a month such as Jan 2024',
  pattern: new RegExp(`^(${MONTH_ABBREVIATIONS.join('|')}) ([0-9]{4})$`),
  toOrdinal(label) {
    const [, month, year] = this.pattern.exec(label) ?? [];
    return month && year ? Number(year) * 12 + MONTH_ABBREVIATIONS.indexOf(month) : undefined;
  },
  formatLabel: (ordinal) =>
    `${MONTH_ABBREVIATIONS[ordinal % 12]} ${annual.formatLabel(Math.floor(ordinal / 12))}`,
};

/**
 * Whether two labels of one period are of one kind, so that one may correct the other: they differ
 * in digits alone, as `FY24` and `FY2024` do, but neither `2024` nor `2023-24`.
 */
export function isSameLabelKind(label: string, other: string): boolean {
  return label.replace(/[0-9]/g, '') === other.replace(/[0-9]/g, '');
}

function expandYear(digits: string, century: number): number {
  return digits.length === 4 ? Number(digits) : century + Number(digits);
}

function findLastDay(ordinal: number | undefined, months: number, offset = 0): number | undefined {
  return ordinal === undefined ? undefined : getLastDayOfMonth((ordinal + 1) * months - 1 + offset);
}
