import { annual, quarterly } from '../../catalogue/model/period.ts';
import { expandTwoDigitYear, parseMonthName } from './month-names.ts';
import { parseMonth } from './parse-month.ts';
import { isFiscalYear, parseYear } from './parse-year.ts';

/**
 * The label of a quarter in another spelling: by its number and a year, which are kept whatever year
 * is meant, or by its months, which are counted from July.
 */
export function parseQuarterLabel(text: string): string | undefined {
  const { q, n, year } = (NUMBER_FIRST.exec(text) ?? YEAR_FIRST.exec(text))?.groups ?? {};
  const endYear = year === undefined ? undefined : parseYear(year);
  if (endYear !== undefined) return `Q${q ?? n} ${annual.formatLabel(endYear)}`;
  const month =
    parseSingleMonth(text) ?? parseFirstOfTwoMonths(text) ?? parseFirstOfMonthRange(text);
  return month === undefined ? undefined : quarterly.formatLabel(Math.floor(month / 3) + 2);
}

const NUMBER_FIRST = /^(?:Q(?<q>[1-4])|(?<n>[1-4])Q)[-/,' ]{0,2}(?<year>(?:FY|\d).*)$/i;
const YEAR_FIRST = /^(?<year>(?:FY[- ]?)?\d[-/\d]*?)[-/, ]{0,2}(?:Q(?<q>[1-4])|(?<n>[1-4])Q)$/i;

/** A month that names its quarter; the middle month of a quarter suggests a monthly file. */
function parseSingleMonth(text: string): number | undefined {
  // 3/2024 may be March or the third quarter.
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
function parseFirstOfMonthRange(text: string): number | undefined {
  const [, first = '', last = '', year = ''] = MONTH_RANGE.exec(text) ?? [];
  const month = parseMonthName(first);
  if (!month || month % 3 !== 1 || parseMonthName(last) !== month + 2) return undefined;
  if (/^(\d{4}|\d{2})$/.test(year)) return expandTwoDigitYear(year) * 12 + month - 1;
  const endYear = isFiscalYear(year) ? parseYear(year) : undefined;
  if (endYear === undefined) return undefined;
  return (month < 7 ? endYear : endYear - 1) * 12 + month - 1;
}
