import type { Field } from '../../catalogue/model/field.ts';
import {
  ALWAYS_VALID_DAY,
  formatDay,
  isDay,
  MONTH_ABBREVIATIONS,
  MONTH_NAME,
} from '../../shared/calendar.ts';
import { type DateOrder, InvalidCell, memoizeByText } from './value-format.ts';

/** Parses days; formats other than YYYY-MM-DD only if the date order is known. */
export function createDayParser(
  field: Field,
  order?: DateOrder,
): (text: string) => string | InvalidCell {
  const parseOther = memoizeByText((text) => {
    const date = stripMidnight(text);
    if (isDay(date)) return date;
    const isClear = MONTH_NAME.test(date) && /\d{4}/.test(date);
    const day = order || isClear ? parseDayText(date, order) : undefined;
    return day ?? new InvalidCell(field.requirement + suggestDateOrder(date));
  });
  return (text) => (ALWAYS_VALID_DAY.test(text) ? text : parseOther(text));
}

/** The day in a text of any known format; without an order, only of unambiguous ones. */
export function parseDayText(text: string, order?: DateOrder): string | undefined {
  const numeric = (YEAR_FIRST.exec(text) ?? COMPACT.exec(text))?.groups;
  if (numeric) return toValidDay(numeric.year, Number(numeric.month), numeric.day);
  const named = (DAY_MONTH.exec(text) ?? MONTH_DAY.exec(text))?.groups;
  if (named) return toValidDay(named.year, parseMonthName(named.month ?? ''), named.day);
  const { first, second, last } = NUMERIC_DATE.exec(text)?.groups ?? {};
  if (order === 'dmy') return toValidDay(last, Number(second), first);
  if (order === 'mdy') return toValidDay(last, Number(first), second);
  return order === 'serial' ? parseSerialDay(text) : undefined;
}

/** The day of a number by which spreadsheets store days, from 1954 to 2119. */
export function parseSerialDay(text: string): string | undefined {
  const [, serial] = /^([2-7]\d{4})(?:\.0+)?$/.exec(text) ?? [];
  return serial && formatDay(Number(serial) - SERIAL_OF_1970);
}

const SERIAL_OF_1970 = 25_569;

/** Spreadsheets and data frames write days as midnights. */
export function stripMidnight(text: string): string {
  return text.replace(MIDNIGHT, '');
}

const MIDNIGHT = /[T ]00:00(?::00(?:\.0+)?)?Z?$/;

const YEAR_FIRST = /^(?<year>\d{4})(?<by>[-/.])(?<month>\d{1,2})\k<by>(?<day>\d{1,2})$/;
const COMPACT = /^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})$/;
const DAY_MONTH = /^(?<day>\d{1,2})[-/ ]?(?<month>[a-z]{3,9})\.?[-/, ]{0,2}(?<year>\d{4}|\d{2})$/i;
const MONTH_DAY = /^(?<month>[a-z]{3,9})\.? (?<day>\d{1,2})(?:, ?| )(?<year>\d{4})$/i;
const NUMERIC_DATE = /^(?<first>\d{1,2})(?<by>[-/.])(?<second>\d{1,2})\k<by>(?<last>\d{4}|\d{2})$/;

function toValidDay(year = '', month = 0, day = ''): string | undefined {
  const pad = (value: string | number, length: number) => String(value).padStart(length, '0');
  const text = `${pad(expandTwoDigitYear(year), 4)}-${pad(month, 2)}-${pad(day, 2)}`;
  return isDay(text) ? text : undefined;
}

function suggestDateOrder(text: string): string {
  const [dmy, mdy] = [parseDayText(text, 'dmy'), parseDayText(text, 'mdy')];
  const suggestions: string[] = [];
  if (dmy) suggestions.push(`; with --dates dmy it would be ${dmy}`);
  if (mdy && mdy !== dmy) suggestions.push(`; with --dates mdy it would be ${mdy}`);
  const serial = parseSerialDay(text);
  if (serial)
    suggestions.push(`; with --dates serial, as a number of a spreadsheet, it would be ${serial}`);
  return suggestions.join('');
}

/** 1 to 12 for an English name, in full, as three letters or as Sept, in any letter case. */
export function parseMonthName(name: string): number | undefined {
  if (name.length > 3 && !/^sept$/i.test(name) && !MONTH_NAME.test(name)) return undefined;
  const start = name.slice(0, 3).toLowerCase();
  const index = MONTH_ABBREVIATIONS.findIndex((month) => month.toLowerCase() === start);
  return index < 0 ? undefined : index + 1;
}

/** A year of two or four digits; two digits from 70 on belong to the twentieth century, as in `FY99`. */
export function expandTwoDigitYear(digits: string): number {
  const year = Number(digits);
  if (digits.length > 2) return year;
  return year + (year < 70 ? 2000 : 1900);
}
