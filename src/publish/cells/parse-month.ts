import { formatDay, parseDay } from '../../calendar.ts';
import { expandTwoDigitYear, parseMonthName } from './month-names.ts';
import { parseDayText, stripMidnight } from './parse-day.ts';

/** The ordinal of a month, which may be written as its first or last day. */
export function parseMonth(text: string): number | undefined {
  const { name, year = '', number } = matchMonthPattern(text) ?? {};
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

function matchMonthPattern(text: string): Readonly<Record<string, string>> | undefined {
  for (const pattern of MONTH_PATTERNS) {
    const groups = pattern.exec(text)?.groups;
    if (groups) return groups;
  }
  return undefined;
}

/** Other days are invalid: a spreadsheet turns Jul-22 into 22 July of the current year. */
function isFirstOrLastOfMonth(day: string): boolean {
  return day.endsWith('-01') || formatDay(parseDay(day) + 1).endsWith('-01');
}
