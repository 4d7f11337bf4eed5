import type { PeriodUnit } from '../../catalogue/model/period-unit.ts';
import type { CurveRecord } from '../../client/generated.ts';
import { formatDay, parseDay } from '../../shared/calendar.ts';
import { getEarlierDay } from '../formatting/dates.ts';
import { formatQuantity } from '../formatting/numbers.ts';
import { findSpanStart } from '../formatting/spans.ts';
import type { ShownRate } from './yield-curves.ts';

/** A rate at a tenor, in percent, or the difference of two rates, in basis points. */
export interface KeyRate {
  readonly key: string;
  readonly tenor: string;
  /** The tenor that is subtracted; only slopes have one. */
  readonly shortTenor?: string;
}

const TENORS = ['1M', '3M', '6M', '1Y', '2Y', '3Y', '5Y', '7Y', '10Y', '15Y', '20Y', '30Y'];
export const KEY_TENORS = TENORS.join();

const SLOPES: readonly KeyRate[] = [
  { key: '2s10s', shortTenor: '2Y', tenor: '10Y' },
  { key: '2s5s', shortTenor: '2Y', tenor: '5Y' },
  { key: '5s10s', shortTenor: '5Y', tenor: '10Y' },
  { key: '3m10y', shortTenor: '3M', tenor: '10Y' },
  { key: '10s30s', shortTenor: '10Y', tenor: '30Y' },
];

export const KEY_RATES: readonly KeyRate[] = [
  ...TENORS.map((tenor) => ({ key: tenor, tenor })),
  ...SLOPES,
];

export const DEFAULT_KEY_RATE = '2s10s';

/** Undefined if the curve does not reach a tenor. */
export function getKeyRateValue(
  curve: CurveRecord | undefined,
  { tenor, shortTenor }: KeyRate,
  rate: ShownRate,
): number | undefined {
  const getRate = (name: string) =>
    curve?.points.find((point) => point.tenor === name)?.[rate] ?? undefined;
  const long = getRate(tenor);
  if (shortTenor === undefined || long === undefined) return long;
  const short = getRate(shortTenor);
  return short === undefined ? undefined : (long - short) * 100;
}

export function getKeyRateChange(
  later: number | undefined,
  earlier: number | undefined,
  { shortTenor }: KeyRate,
): number | undefined {
  if (later === undefined || earlier === undefined) return undefined;
  return shortTenor === undefined ? (later - earlier) * 100 : later - earlier;
}

export interface ReferenceDay {
  readonly name: string;
  readonly date: string;
}

/** Earlier days that rates are compared with, newest first; weekends count as the preceding Friday. */
export function listReferenceDays(day: string, chosenDay: string | undefined): ReferenceDay[] {
  const weekday = toWeekdayIndex(day);
  const references = [
    { name: 'Day before', date: fromWeekdayIndex(weekday - 1) },
    { name: 'Week', date: getEarlierDay(day, 'week') },
    { name: 'Month', date: getEarlierDay(day, 'month') },
    { name: 'Since January', date: getLastDayOfYearBefore(day) },
    { name: 'Year', date: getEarlierDay(day, 'year') },
    ...(chosenDay === undefined ? [] : [{ name: 'Chosen day', date: chosenDay }]),
  ];
  return references
    .map(({ name, date }) => ({ name, date: fromWeekdayIndex(toWeekdayIndex(date)) }))
    .filter(({ date }) => date < day)
    .toSorted((a, b) => (a.date < b.date ? 1 : -1));
}

function getLastDayOfYearBefore(day: string): string {
  return `${Number(day.slice(0, 4)) - 1}-12-31`;
}

/** The spans of a rate through time; addresses have their keys. */
export const HISTORY_RANGES = { year: 'Since January', '12m': '1Y', all: 'All' };
export type HistoryRange = keyof typeof HISTORY_RANGES;

export function getHistoryStart(day: string, range: string, first: string): string {
  if (range === 'all') return first;
  const start = range === '12m' ? findSpanStart('1Y', day) : getLastDayOfYearBefore(day);
  return !start || start < first ? first : start;
}

/** The days of a history: every day for a year, else the last day of each week or month. */
export interface HistoryDays {
  readonly from: string;
  readonly to: string;
  readonly every: PeriodUnit;
}

const MAX_DAILY_DAYS = 370;
const MAX_WEEKLY_DAYS = 3_660;

export function chooseHistoryDays(from: string, to: string): HistoryDays {
  const days = parseDay(to) - parseDay(from);
  const every = days <= MAX_DAILY_DAYS ? 'day' : days <= MAX_WEEKLY_DAYS ? 'week' : 'month';
  return { from, to, every };
}

/** Day 0, 1 January 1970, was a Thursday. */
const THURSDAY = 3;

/** Weekdays since a Monday long ago; weekends count as the preceding Friday. */
export function toWeekdayIndex(day: string): number {
  const days = parseDay(day) + THURSDAY;
  const weeks = Math.floor(days / 7);
  return weeks * 5 + Math.min(days - weeks * 7, 4);
}

export function fromWeekdayIndex(index: number): string {
  const weeks = Math.floor(index / 5);
  return formatDay(weeks * 7 + (index - weeks * 5) - THURSDAY);
}

export function describeKeyRate({ tenor, shortTenor }: KeyRate): string {
  if (shortTenor === undefined) return formatTenor(tenor);
  return `${formatTenor(tenor)} over ${formatTenor(shortTenor)}`;
}

function formatTenor(tenor: string): string {
  return formatQuantity(Number.parseInt(tenor, 10), tenor.endsWith('M') ? 'month' : 'year');
}
