import { chooseStatus } from '../../catalogue/model/observation-status.ts';
import { PUBLISHED_KINDS } from '../../catalogue/model/period.ts';
import type { FileCell } from '../../formats/read-contents.ts';
import { parseDayText, stripMidnight } from '../cells/parse-day.ts';
import { parseNumberText } from '../cells/parse-number.ts';
import { parsePeriodLabel, type YearStart } from '../cells/parse-period.ts';
import { splitMarks, toStatus } from '../cells/status-marks.ts';
import { type DateOrder, isBlankMark } from '../cells/value-format.ts';

type Cell = FileCell | undefined;

/**
 * The label of a month (`Jan 2024`), quarter (`Q1 2024`) or year, from any usual spelling: `Q2-FY24`,
 * `Jul-Sep 22`, `2024M07`, `2023-24 (P)`; undefined if the cell names none. Quarters that are named
 * by their months count from `yearStart`: 7 for years from July to June (the default), 4 for those
 * from April to March, 1 for calendar years.
 */
export function parsePeriod(
  cell: Cell,
  unit: 'month' | 'quarter' | 'year',
  yearStart?: YearStart,
): string | undefined {
  return parsePeriodLabel(PUBLISHED_KINDS[unit], String(cell ?? ''), yearStart);
}

/** The SDMX code that marks say: `P` for `FY24 (P) Volume`, `12.5 p`, `prov.`; undefined if normal. */
export function parseStatus(cell: Cell): string | undefined {
  const text = String(cell ?? '');
  const marks = [...splitMarks(text, 'period').marks, ...(text.match(/\([^()]*\)/g) ?? [])];
  return chooseStatus((/\d/.test(text) ? marks : [text, ...marks]).map(toStatus));
}

/** The day, as `YYYY-MM-DD`; undefined if the cell has none. 03/04/2026 needs an order. */
export function parseDate(cell: Cell, order?: DateOrder): string | undefined {
  const text = stripMidnight(String(cell ?? '').trim())
    .replace(/^[a-z]{3,9}day,? /i, '')
    .replace(/(?<=\d)(?:st|nd|rd|th)\b/i, '');
  return parseDayText(text, order);
}

/** The first day in a longer text, such as "Portfolio as on 30 June 2026" or the name of a file. */
export function findDate(cell: Cell, order?: DateOrder): string | undefined {
  for (const [text] of String(cell ?? '').matchAll(DATE_IN_TEXT)) {
    const day = parseDate(text, order);
    if (day !== undefined) return day;
  }
  return undefined;
}

const DATE_IN_TEXT = new RegExp(
  [
    String.raw`(?<!\d)\d{4}([-/.])\d{1,2}\1\d{1,2}(?!\d)`,
    String.raw`(?<!\d)\d{8}(?!\d)`,
    String.raw`(?<!\d)\d{1,2}(?:st|nd|rd|th)?[-/ ]?[a-z]{3,9}\.?[-/, ]{0,2}\d{4}(?!\d)`,
    String.raw`(?<![a-z])[a-z]{3,9}\.? \d{1,2}(?:st|nd|rd|th)?(?:, ?| )\d{4}(?!\d)`,
    String.raw`(?<!\d)\d{1,2}([-/.])\d{1,2}\2(?:\d{4}|\d{2})(?!\d)`,
    String.raw`(?<!\d)\d{1,2}-[a-z]{3,9}-\d{2}(?!\d)`,
  ].join('|'),
  'gi',
);

/**
 * The number in a cell: grouped, in parentheses, with a currency, a percent sign (13.5 for `13.5%`) or
 * marks; undefined if the cell is blank, or `-`, `n.a.` and the like. Throws if it is no number,
 * and if it may be two, such as `98,125`, unless the decimal sign is given.
 */
export function parseNumber(cell: Cell, decimal?: '.' | ','): number | undefined {
  if (typeof cell === 'number') return cell;
  const text = String(cell ?? '').trim();
  if (text === '' || isBlankMark(text)) return undefined;
  const digits = String(splitMarks(text.replace(CURRENCY, '$1'), 'figure').plain).trim();
  const signs = decimal === undefined ? (['.', ','] as const) : [decimal];
  const values = signs.map((sign) => parseNumberText(digits, sign, 'percent'));
  const [first, ...others] = new Set(values.filter((value) => value !== undefined));
  if (first === undefined) throw new RangeError(`${JSON.stringify(text)} is no number`);
  if (others.length === 0) return first + 0;
  throw new RangeError(
    `${JSON.stringify(text)} may be ${first} or ${others[0]}; parseNumber(cell, ',') or ('.') says which`,
  );
}

/**
 * The first percentage in a longer text, such as the coupon in a name: 9.9 in `NCD 9.90% 2029`, 2.5 in
 * `Bund 2,50 %`, 4.25 in `4¼% Gilt 2032` and `4 1/4% Note`; undefined if there is none.
 */
export function findPercentage(cell: Cell): number | undefined {
  const text = String(cell ?? '').replace(/[¼-¾⅐-⅞]/g, (sign) => ` ${sign.normalize('NFKD')}`);
  const [match, whole = '0', numerator = '0', denominator = '1'] = PERCENTAGE.exec(text) ?? [];
  if (match === undefined || Number(denominator) === 0) return undefined;
  return Number(whole.replace(',', '.')) + Number(numerator) / Number(denominator);
}

const PERCENTAGE =
  /(?<![\d.,/⁄])(?=[\d.,])(\d{0,3}[.,]\d+|\d{1,3}(?![\d/⁄]))?\s*(?:(\d{1,2})[/⁄](\d{1,2}))?\s?%/;

const CURRENCY = /^([-+(]?)(?:[A-Z]{0,3}[$€£¥₨₹]|Rs\.?|PKR|INR|USD|EUR|GBP|BRL|JPY|CNY)\s*/i;
