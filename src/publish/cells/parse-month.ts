import { formatDay, parseDay } from '../../calendar.ts';
import { expandTwoDigitYear, parseMonthName } from './month-names.ts';
import { parseDayText, stripMidnight } from './parse-day.ts';

/** The place of the month that is written, or that a day at either end of it stands for. */
export function parseMonth(text: string): number | undefined {
  const { name, year = '', number } = matchMonthPattern(text) ?? {};
  const month = name === undefined ? Number(number) : parseMonthName(name);
  if (month && month <= 12) return expandTwoDigitYear(year) * 12 + month - 1;
  const day = parseDayText(stripMidnight(text));
  if (!day || !isFirstOrLastOfMonth(day)) return undefined;
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
}

/** Two digits for the year only behind a name: 07/22 may as well be 22 July. */
const MONTH_PATTERNS = [
  /^(?<name>[a-z]{3,9})\.?[-/,' ]{0,2}(?<year>\d{4}|\d{2})$/i,
  /^(?<year>\d{4})[-/, ]{0,2}(?<name>[a-z]{3,9})\.?$/i,
  /^(?<year>\d{4})[- ]?M(?<number>\d{1,2})$/i,
  /^(?<year>\d{4})[-/](?<number>\d{2})$/,
  /^(?<number>\d{1,2})[-/](?<year>\d{4})$/,
];

function matchMonthPattern(text: string): Readonly<Record<string, string>> | undefined {
  for (const writing of MONTH_PATTERNS) {
    const groups = writing.exec(text)?.groups;
    if (groups) return groups;
  }
  return undefined;
}

/** Other days are refused: a spreadsheet that is given Jul-22 makes it this year's 22 July. */
function isFirstOrLastOfMonth(day: string): boolean {
  return day.endsWith('-01') || formatDay(parseDay(day) + 1).endsWith('-01');
}
