import { annual } from '../../catalogue/model/period.ts';
import { expandTwoDigitYear } from './month-names.ts';

/**
 * The label of a year in another spelling, kept as close to it as the catalogue allows: a file of
 * FY23 and FY24P gives FY23 and FY24.
 */
export function parseYearLabel(text: string): string | undefined {
  const [, year] = /^FY[- ]?(\d{4}|\d{2})$/i.exec(text) ?? [];
  if (year) return `FY${year}`;
  const [, start, end] = /^(?:FY[- ]?)?(\d{4}) ?[-/] ?(\d{4}|\d{2})$/i.exec(text) ?? [];
  if (start) return `${start}-${end}`;
  const [, first, last] = /^FY[- ]?(\d{2}) ?[-/] ?(\d{2})$/i.exec(text) ?? [];
  if (first) return `${expandTwoDigitYear(first)}-${last}`;
  // A number of a spreadsheet that became text.
  return /^(\d{4})\.0+$/.exec(text)?.[1];
}

/** The year that a year ends in; may have two digits. */
export function parseYear(text: string): number | undefined {
  if (/^\d{2}$/.test(text)) return expandTwoDigitYear(text);
  return annual.toOrdinal(parseYearLabel(text) ?? text);
}

/** Whether a year is spelled as a fiscal year, from July to June. */
export function isFiscalYear(text: string): boolean {
  return /^FY|^\d{4} ?[-/]/i.test(text);
}
