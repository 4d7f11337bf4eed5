import { isDay } from '../../calendar.ts';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import { addDaysToDay, addMonthsToDay } from '../formatting/dates.ts';

/** What the visitor wants to see of the market: all of it stands in the address. */
export interface MarketFilters {
  readonly date: string | undefined;
  /** What it is compared with: a distance, a day, or nothing. */
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

/** What the address asks for; what it does not say is as usual. */
export function parseMarketFilters(at: Readonly<Record<string, string>>): MarketFilters {
  return {
    date: isDay(at.date ?? '') ? at.date : undefined,
    comparison: at.against ?? DEFAULT_COMPARISON,
    type: at.type ?? 'all',
    search: at.find ?? '',
    maturityRange: at.years ?? '',
    sort: at.sort ?? DEFAULT_SORT,
  };
}

/** The day to compare a day with; undefined where nothing is compared. */
export function getComparisonDay(day: string, against: string): string | undefined {
  if (isDay(against)) return against;
  const distances: Readonly<Record<string, string>> = {
    day: addDaysToDay(day, -1),
    week: addDaysToDay(day, -7),
    month: addMonthsToDay(day, -1),
    year: addMonthsToDay(day, -12),
  };
  return Object.hasOwn(distances, against) ? distances[against] : undefined;
}

/** Whether a quote is among those that are wanted. */
export function matchesFilters(
  quote: Quote,
  { type, search, maturityRange }: MarketFilters,
): boolean {
  if (type !== 'all' && quote.type !== type) return false;
  const [from = '', to = ''] = maturityRange.split('-');
  if (from !== '' && quote.maturityYears < Number(from)) return false;
  if (to !== '' && quote.maturityYears >= Number(to)) return false;
  const sought = search.trim().toUpperCase();
  return [quote.symbol, quote.isin].some((name) => name.toUpperCase().includes(sought));
}
