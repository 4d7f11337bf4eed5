import {
  annual,
  monthly,
  type PeriodKind,
  PUBLISHED_KINDS,
  quarterly,
} from '../../catalogue/model/period.ts';
import type { PeriodUnit } from '../../catalogue/model/period-unit.ts';
import { formatDay, isDay, MONTH_NAME, parseDay } from '../../shared/calendar.ts';
import {
  expandTwoDigitYear,
  parseDayText,
  parseMonthName,
  parseSerialDay,
  stripMidnight,
} from './parse-day.ts';
import { MAX_MARKED_LENGTH, splitMarks } from './status-marks.ts';
import { InvalidCell, memoizeByText, quoteShort, type ValueFormat } from './value-format.ts';

/** Parses a quarter with its number and year, of whatever kind, or with its months, counted from `yearStart`. */
function parseQuarterLabel(text: string, yearStart: YearStart): string | undefined {
  const { q, n, year } = (NUMBER_FIRST.exec(text) ?? YEAR_FIRST.exec(text))?.groups ?? {};
  const endYear = year === undefined ? undefined : parseYear(year);
  if (endYear !== undefined) return `Q${q ?? n} ${annual.formatLabel(endYear)}`;
  const month =
    parseSingleMonth(text) ??
    parseFirstOfTwoMonths(text) ??
    parseFirstOfMonthRange(text, yearStart);
  // A year that does not start in January is named after the one in which it ends.
  const quartersAhead = yearStart === 1 ? 0 : (13 - yearStart) / 3;
  return month === undefined
    ? undefined
    : quarterly.formatLabel(Math.floor(month / 3) + quartersAhead);
}

const NUMBER_FIRST = /^(?:Q(?<q>[1-4])|(?<n>[1-4])Q)[-/,' ]{0,2}(?<year>(?:FY|\d).*)$/i;
const YEAR_FIRST = /^(?<year>(?:FY[- ]?)?\d[-/\d]*?)[-/, ]{0,2}(?:Q(?<q>[1-4])|(?<n>[1-4])Q)$/i;

/** A month that stands for its quarter; the middle month of a quarter suggests a monthly file. */
function parseSingleMonth(text: string): number | undefined {
  // 3/2024 could be March or the third quarter.
  if (/^\d[-/]/.test(text)) return undefined;
  const month = parseMonth(text);
  return month === undefined || month % 3 === 1 ? undefined : month;
}

const TWO_MONTHS = /^([a-z]+\.?[-,' ]{0,2}\d+) ?(?:-|\bto\b) ?([a-z]+\.?[-,' ]{0,2}\d+)$/i;

/** The ordinal of the first month in `Jul 2022 - Sep 2022`. */
function parseFirstOfTwoMonths(text: string): number | undefined {
  const [, first = '', last = ''] = TWO_MONTHS.exec(text) ?? [];
  const [from, to] = [parseMonth(first), parseMonth(last)];
  if (from === undefined || from % 3 !== 0 || to !== from + 2) return undefined;
  return from;
}

const MONTH_RANGE = /^([a-z]{3,9})\.? ?(?:-|\bto\b) ?([a-z]{3,9})\.?[-,' ]{0,2}((?:FY|\d).*)$/i;

/** The ordinal of the first month in `Jul-Sep 22`, or in `Oct-Dec FY24`, which is in 2023. */
function parseFirstOfMonthRange(text: string, yearStart: YearStart): number | undefined {
  const [, first = '', last = '', year = ''] = MONTH_RANGE.exec(text) ?? [];
  const month = parseMonthName(first);
  if (!month || month % 3 !== 1 || parseMonthName(last) !== month + 2) return undefined;
  if (/^(\d{4}|\d{2})$/.test(year)) return expandTwoDigitYear(year) * 12 + month - 1;
  const endYear = isFiscalYear(year) ? parseYear(year) : undefined;
  if (endYear === undefined) return undefined;
  const isInEndYear = yearStart === 1 || month < yearStart;
  return (isInEndYear ? endYear : endYear - 1) * 12 + month - 1;
}

/** Parses labels of one kind of period; other spellings only in the given style. */
export function createPeriodParser(
  kind: PeriodKind,
  { periodStyle, onQuarterByMonths }: Pick<ValueFormat, 'periodStyle' | 'onQuarterByMonths'>,
): (text: string) => string | InvalidCell {
  return memoizeByText((text) => {
    if (kind.toOrdinal(text) !== undefined) return text;
    // Only kinds without other spellings, such as weeks, may be named by any day in the period.
    const ordinal = isDay(text) && hasOtherSpellings(kind) ? undefined : kind.parseRequest(text);
    if (ordinal !== undefined && kind.yearStart !== null) return kind.formatLabel(ordinal);
    const first = kind.yearStart === null ? undefined : findPeriodOfFirstDay(kind, text);
    if (first !== undefined) return first;
    const label = parsePeriodLabel(kind, text);
    if (label === undefined) {
      const day = parseSerialDay(text);
      const hint = day
        ? `; as a number of a spreadsheet, ${text} is ${day}, no first day of a ${kind.unit}`
        : '';
      return new InvalidCell(kind.requirement + hint);
    }
    if (
      periodStyle === 'sbp' ||
      (Number(kind.yearStart) > 1 && isSpelledFiscal(text)) ||
      (kind.name === 'monthly' && MONTH_NAME.test(text) && !hasMarks(text))
    ) {
      const isFiscal = kind.name === 'quarterly' && kind.yearStart !== 1;
      if (isFiscal && !/q/i.test(text)) onQuarterByMonths?.(text, label);
      return label;
    }
    return new InvalidCell(
      `${kind.requirement}; with --periods sbp ${quoteShort(text)} becomes ${label}`,
    );
  });
}

/** The month in which years start, and from which quarters are counted. */
export type YearStart = 1 | 4 | 7 | 10;

/** The label of the period that begins with a day, such as Jan 2026 of 2026-01-01, or of its number in a spreadsheet; or of a year as 2026.0. */
function findPeriodOfFirstDay(kind: PeriodKind, text: string): string | undefined {
  if (kind.unit === 'year' && kind.yearStart === 1) {
    const [, year] = /^(\d{4})\.0+$/.exec(text) ?? [];
    if (year) return year;
  }
  const day = parseSerialDay(text) ?? stripMidnight(text);
  if (!isDay(day)) return undefined;
  const ordinal = kind.findOrdinal(parseDay(day));
  return kind.getFirstDay(ordinal) === parseDay(day) ? kind.formatLabel(ordinal) : undefined;
}

/**
 * The label of a period as central banks write it. The State Bank of Pakistan's fiscal year runs from July to
 * June and is named after the year it ends in: FY24 began in July 2023, and its Q1 was July to September.
 * Status and footnote marks are dropped.
 */
export function parsePeriodLabel(
  kind: PeriodKind,
  text: string,
  yearStart = (kind.yearStart ?? 7) as YearStart,
): string | undefined {
  if (text.length > MAX_MARKED_LENGTH) return undefined;
  const spaced = text.trim().replace(/\s+/g, ' ');
  const plain = String(splitMarks(spaced, 'period').plain).replace(/[\u2010-\u2014]/g, '-');
  const label =
    kind.toOrdinal(plain) === undefined ? LABEL_PARSERS[kind.unit]?.(plain, yearStart) : plain;
  if (label === undefined) return undefined;
  const isDeclared = kind.yearStart !== null && kind.hasYearStart;
  const known = isDeclared ? toKnownYear(kind, label, plain) : label;
  return known !== undefined && kind.toOrdinal(known) !== undefined ? known : undefined;
}

/** FY2024 of FY24 and 2023-24, and Q1 FY2024 of Q1 2024, for years that are known to be fiscal. */
function toKnownYear(kind: PeriodKind, label: string, text: string): string | undefined {
  const isQuarter = kind.unit === 'quarter';
  // A quarter such as 2024-03 is named by its month.
  const isFiscal = isQuarter ? /FY/i.test(text) : isSpelledFiscal(text);
  if (kind.yearStart === 1) return isFiscal ? undefined : label;
  const ordinal = PUBLISHED_KINDS[kind.unit].toOrdinal(label);
  return ordinal === undefined || !(isFiscal || isQuarter) ? undefined : kind.formatLabel(ordinal);
}

/** Whether a label says that its year is fiscal: Q1-FY24, FY24, 2023-24. */
const isSpelledFiscal = (text: string) => /FY/i.test(text) || /^\d{4} ?[-/] ?\d{2,4}$/.test(text);

const hasMarks = (text: string) => splitMarks(text, 'period').marks.length > 0;

const LABEL_PARSERS: Readonly<
  Record<PeriodUnit, ((text: string, yearStart: YearStart) => string | undefined) | undefined>
> = {
  day: undefined,
  week: undefined,
  month(text) {
    const month = parseMonth(text);
    return month === undefined ? undefined : monthly.formatLabel(month);
  },
  quarter: parseQuarterLabel,
  year: (text, yearStart) =>
    parseYearLabel(text) ?? (yearStart === 1 ? findYearOfLastDay(text) : undefined),
};

/** Whether labels of a kind can be converted from other spellings. */
export const hasOtherSpellings = ({ unit }: PeriodKind) => LABEL_PARSERS[unit] !== undefined;

/** The label of a year, kept as close to its spelling as the catalogue allows. */
function parseYearLabel(text: string): string | undefined {
  const [, year] = /^FY[- ]?(\d{4}|\d{2})$/i.exec(text) ?? [];
  if (year) return `FY${year}`;
  const [, start, end] = /^(?:FY[- ]?)?(\d{4}) ?[-/] ?(\d{4}|\d{2})$/i.exec(text) ?? [];
  if (start) return `${start}-${end}`;
  const [, first, last] = /^FY[- ]?(\d{2}) ?[-/] ?(\d{2})$/i.exec(text) ?? [];
  if (first) return `${expandTwoDigitYear(first)}-${last}`;
  // A spreadsheet number that became text.
  return /^(\d{4})\.0+$/.exec(text)?.[1];
}

/** The calendar year that a day ends. */
function findYearOfLastDay(text: string): string | undefined {
  const day = parseDayText(stripMidnight(text));
  return day?.endsWith('-12-31') ? day.slice(0, 4) : undefined;
}

/** The year that a year ends in; may have two digits. */
function parseYear(text: string): number | undefined {
  if (/^\d{2}$/.test(text)) return expandTwoDigitYear(text);
  return annual.toOrdinal(parseYearLabel(text) ?? text);
}

/** Whether a year is spelled as a fiscal year, from July to June. */
function isFiscalYear(text: string): boolean {
  return /^FY|^\d{4} ?[-/]/i.test(text);
}

/** The ordinal of a month, which may be written as its first or last day. */
function parseMonth(text: string): number | undefined {
  const matches = MONTH_PATTERNS.map((pattern) => pattern.exec(text)?.groups);
  const { name, year = '', number } = matches.find(Boolean) ?? {};
  const month = name === undefined ? Number(number) : parseMonthName(name);
  if (month && month <= 12) return expandTwoDigitYear(year) * 12 + month - 1;
  const day = parseDayText(stripMidnight(text));
  if (!day || !isFirstOrLastOfMonth(day)) return undefined;
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
}

/** A year of two digits must follow a name: 07/22 may be 22 July. */
const MONTH_PATTERNS = [
  /^(?<name>[a-z]{3,9})\.?[-/,' ]{0,2}(?<year>\d{4}|\d{2})$/i,
  /^(?<year>\d{4})[-/, ]{0,2}(?<name>[a-z]{3,9})\.?$/i,
  /^(?<year>\d{4})[- ]?M(?<number>\d{1,2})$/i,
  /^(?<year>\d{4})[-/](?<number>\d{2})$/,
  /^(?<number>\d{1,2})[-/](?<year>\d{4})$/,
];

/** Other days are invalid, because spreadsheets turn Jul-22 into 22 July of the current year. */
function isFirstOrLastOfMonth(day: string): boolean {
  return day.endsWith('-01') || formatDay(parseDay(day) + 1).endsWith('-01');
}
