import { dayNumber, dayText } from '../../calendar.ts';
import type { PeriodKind } from '../../catalogue/period.ts';
import { annual, monthly, quarterly } from '../../catalogue/period.ts';
import { dayIn, withoutMidnight } from './day.ts';
import { fullYear, monthNamed } from './months.ts';

/**
 * The label of the period that the State Bank of Pakistan would mean by the text; undefined where
 * it cannot be told. Its year runs from July to June and goes by the year it ends in: FY24 began
 * in July 2023, and Q1 of it was July to September. Marks of revision are dropped.
 */
export function sbpLabel(kind: PeriodKind, text: string): string | undefined {
  if (text.length > LONGEST) return undefined;
  const written = tidy(text).replace(MARK, '');
  const label = kind.place(written) === undefined ? readers[kind.name](written) : written;
  return label !== undefined && kind.place(label) !== undefined ? label : undefined;
}

/** Whether the label is marked as provisional or revised: `2023-24 (P)`, `Q2-FY24P`. */
export function hasRevisionMark(text: string): boolean {
  return text.length <= LONGEST && MARK.test(tidy(text));
}

/** "July-September 2022 (Provisional)" and some spaces. */
const LONGEST = 60;
const MARK = / ?(?:\( ?(?:P|R|Prov\.?|Provisional|Rev\.?|Revised) ?\)|(?<=\d ?)[PR])$/i;

const readers: Record<PeriodKind['name'], (text: string) => string | undefined> = {
  annual: yearLabel,
  quarterly: quarterLabel,
  monthly: monthLabel,
};

/** Kept as near to the writing as the kind allows: a file of FY23 and FY24P gives FY23 and FY24. */
function yearLabel(text: string): string | undefined {
  const [, year] = /^FY[- ]?(\d{4}|\d{2})$/i.exec(text) ?? [];
  if (year) return `FY${year}`;
  const [, start, end] = /^(?:FY[- ]?)?(\d{4}) ?[-/] ?(\d{4}|\d{2})$/i.exec(text) ?? [];
  return start && end && `${start}-${end}`;
}

function quarterLabel(text: string): string | undefined {
  const { q, n, year = '' } = FISCAL.exec(text)?.groups ?? {};
  const ends = annual.place(yearLabel(year) ?? '');
  if (ends !== undefined) return `Q${q ?? n} ${annual.label(ends)}`;
  const month = monthIn(text) ?? firstMonthIn(text);
  // A month from the midst of a quarter is rather of a file by month.
  if (month === undefined || month % 3 === 1) return undefined;
  return quarterly.label(Math.floor(month / 3) + 2);
}

function monthLabel(text: string): string | undefined {
  const month = monthIn(text);
  return month === undefined ? undefined : monthly.label(month);
}

/** The place of the first month of a quarter such as `Jul-Sep 22`. */
function firstMonthIn(text: string): number | undefined {
  const [, first = '', last = '', year = ''] = MONTHS.exec(text) ?? [];
  const month = monthNamed(first);
  if (!month || month % 3 !== 1 || monthNamed(last) !== month + 2) return undefined;
  return fullYear(year) * 12 + month - 1;
}

const FISCAL = /^(?:Q(?<q>[1-4])|(?<n>[1-4])Q)[- ]?(?<year>FY.+)$/i;
const MONTHS = /^([a-z]{3,9})\.? ?- ?([a-z]{3,9})\.?[-,' ]{0,2}(\d{4}|\d{2})$/i;
const MONTH = /^([a-z]{3,9})\.?[-,' ]{0,2}(\d{4}|\d{2})$/i;

/** The place of the month that is written, or that a day at either end of it stands for. */
function monthIn(text: string): number | undefined {
  const [, name = '', year = ''] = MONTH.exec(text) ?? [];
  const month = monthNamed(name);
  if (month) return fullYear(year) * 12 + month - 1;
  const day = /^\d{4}-\d{2}$/.test(text) ? dayIn(`${text}-01`) : dayIn(withoutMidnight(text));
  if (!day || !isFirstOrLast(day)) return undefined;
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
}

/** Other days are refused: a spreadsheet that is given Jul-22 makes it this year's 22 July. */
function isFirstOrLast(day: string): boolean {
  return day.endsWith('-01') || dayText(dayNumber(day) + 1).endsWith('-01');
}

function tidy(text: string): string {
  return text
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/[\u2010-\u2014]/g, '-');
}
