import { isDay } from '../../calendar.ts';
import type { Field } from '../../catalogue/field.ts';
import { type Habits, remembered, Unfit } from './convert.ts';
import { fullYear, monthNamed } from './months.ts';

type Order = NonNullable<Habits['dates']>;

/** Reads days; other shapes than YYYY-MM-DD only where the order of day and month is given. */
export function dayReader(field: Field, order?: Order): (text: string) => string | Unfit {
  const readOther = remembered((text) => {
    const date = withoutMidnight(text);
    if (isDay(date)) return date;
    const day = order && dayIn(date, order);
    return day ?? new Unfit(field.rule + advice(date));
  });
  return (text) => (CERTAIN.test(text) ? text : readOther(text));
}

/** The day in a text of any known shape; without an order, of those that have but one reading. */
export function dayIn(text: string, order?: Order): string | undefined {
  const counted = (YEAR_FIRST.exec(text) ?? COMPACT.exec(text))?.groups;
  if (counted) return realDay(counted.year, Number(counted.month), counted.day);
  const named = (DAY_MONTH.exec(text) ?? MONTH_DAY.exec(text))?.groups;
  if (named) return realDay(named.year, monthNamed(named.month ?? ''), named.day);
  const { first, second, last } = DIGITS.exec(text)?.groups ?? {};
  if (order === 'dmy') return realDay(last, Number(second), first);
  if (order === 'mdy') return realDay(last, Number(first), second);
  return undefined;
}

/** Spreadsheets and data frames write days as their midnights. */
export function withoutMidnight(text: string): string {
  return text.replace(MIDNIGHT, '');
}

/** Surely a day, without counting those of its month: nine in ten, with nothing to remember. */
const CERTAIN = /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])$/;
const MIDNIGHT = /[T ]00:00(?::00(?:\.0+)?)?Z?$/;

const YEAR_FIRST = /^(?<year>\d{4})(?<by>[-/.])(?<month>\d{1,2})\k<by>(?<day>\d{1,2})$/;
const COMPACT = /^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})$/;
const DAY_MONTH = /^(?<day>\d{1,2})[-/ ]?(?<month>[a-z]{3,9})\.?[-/, ]{0,2}(?<year>\d{4}|\d{2})$/i;
const MONTH_DAY = /^(?<month>[a-z]{3,9})\.? (?<day>\d{1,2}),? (?<year>\d{4})$/i;
const DIGITS = /^(?<first>\d{1,2})(?<by>[-/.])(?<second>\d{1,2})\k<by>(?<last>\d{4}|\d{2})$/;

function realDay(year = '', month = 0, day = ''): string | undefined {
  const pad = (value: string | number, length: number) => String(value).padStart(length, '0');
  const text = `${pad(fullYear(year), 4)}-${pad(month, 2)}-${pad(day, 2)}`;
  return isDay(text) ? text : undefined;
}

/** Which orders would read the text, and as what. */
function advice(text: string): string {
  const [dmy, mdy] = [dayIn(text, 'dmy'), dayIn(text, 'mdy')];
  const ways: string[] = [];
  if (dmy) ways.push(`; with --dates dmy it would be ${dmy}`);
  if (mdy && mdy !== dmy) ways.push(`; with --dates mdy it would be ${mdy}`);
  return ways.join('');
}
