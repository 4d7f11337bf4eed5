import { formatDay, isDay, parseDay } from '../../calendar.ts';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import { addDaysToDay, addMonthsToDay } from '../formatting/dates.ts';

export interface MarketFilters {
  readonly date: string | undefined;
  /** A key of `COMPARISON_OPTIONS`, or a day. */
  readonly comparison: string;
  readonly type: string;
  readonly search: string;
  readonly maturityRange: string;
  readonly sort: string;
}

export const COMPARISON_OPTIONS = [
  { key: 'none', text: 'Nothing' },
  { key: 'day', text: 'Day before' },
  { key: 'week', text: 'Week' },
  { key: 'month', text: 'Month' },
  { key: 'year', text: 'Year' },
] as const;

export const MATURITY_OPTIONS = [
  { key: '', text: 'Any maturity' },
  { key: '0-1', text: 'Up to 1 year' },
  { key: '1-3', text: '1 to 3 years' },
  { key: '3-5', text: '3 to 5 years' },
  { key: '5-10', text: '5 to 10 years' },
  { key: '10-', text: 'Over 10 years' },
] as const;

export const DEFAULT_COMPARISON = 'month';
export const DEFAULT_SORT = 'years';

export function parseMarketFilters(params: Readonly<Record<string, string>>): MarketFilters {
  return {
    date: isDay(params.date ?? '') ? params.date : undefined,
    comparison: params.against ?? DEFAULT_COMPARISON,
    type: params.type ?? 'all',
    search: params.find ?? '',
    maturityRange: params.years ?? '',
    sort: params.sort ?? DEFAULT_SORT,
  };
}

/** The day to compare a day with; undefined where there is no comparison. */
export function getComparisonDay(day: string, comparison: string): string | undefined {
  if (isDay(comparison)) return comparison;
  if (comparison === 'day') return addDaysToDay(day, -1);
  if (comparison === 'week') return addDaysToDay(day, -7);
  if (comparison === 'month') return addMonthsToDay(day, -1);
  return comparison === 'year' ? addMonthsToDay(day, -12) : undefined;
}

/** Says which quotes match; prepared once, because there may be ten thousand. */
export function createQuoteFilter({
  type,
  search,
  maturityRange,
}: Pick<MarketFilters, 'type' | 'search' | 'maturityRange'>): (quote: Quote) => boolean {
  const [from = '', to = ''] = maturityRange.split('-');
  const [minYears, maxYears] = [Number(from), to === '' ? Infinity : Number(to)];
  const part = search.trim().toUpperCase();
  return (quote) =>
    (type === 'all' || quote.type === type) &&
    !(quote.maturityYears < minYears) &&
    !(quote.maturityYears >= maxYears) &&
    (part === '' ||
      quote.symbol.toUpperCase().includes(part) ||
      quote.isin.toUpperCase().includes(part));
}

/** Day 0, 1 January 1970, was a Thursday. */
const THURSDAY = 3;

/** Weekdays since a Monday long ago; Saturday and Sunday count as the Friday before. */
export function toWeekdayIndex(day: string): number {
  const days = parseDay(day) + THURSDAY;
  const weeks = Math.floor(days / 7);
  return weeks * 5 + Math.min(days - weeks * 7, 4);
}

export function fromWeekdayIndex(index: number): string {
  const weeks = Math.floor(index / 5);
  return formatDay(weeks * 7 + (index - weeks * 5) - THURSDAY);
}

/** Up to `count` weekdays at equal distances, both ends among them. */
export function spreadWeekdays(from: string, to: string, count: number): string[] {
  const [start, end] = [toWeekdayIndex(from), toWeekdayIndex(to)];
  const days = Array.from({ length: count }, (_, step) =>
    fromWeekdayIndex(Math.round(start + ((end - start) * step) / (count - 1))),
  );
  return [...new Set(days)];
}
