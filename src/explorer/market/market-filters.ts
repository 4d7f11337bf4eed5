import type { Quote } from '../../catalogue/datasets/quotes.ts';
import { isDay } from '../../shared/calendar.ts';
import { getEarlierDay, type PastPeriod } from '../formatting/dates.ts';
import { parseOption } from '../routing/parse-option.ts';
import { DEFAULT_KEY_RATE, HISTORY_RANGES, type HistoryRange } from './key-rates.ts';
import { CURVE_RATES, type CurveRate } from './yield-curves.ts';

export interface MarketFilters {
  readonly date: string | undefined;
  /** A key of `COMPARISON_OPTIONS`, or a day. */
  readonly comparison: string;
  readonly type: string;
  readonly search: string;
  readonly maturityRange: string;
  readonly sort: string;
  readonly rate: CurveRate;
  /** Key of the rate or slope that is shown through time. */
  readonly historyKey: string;
  readonly historyRange: HistoryRange;
}

export const COMPARISON_OPTIONS = {
  none: 'Nothing',
  day: 'Day before',
  week: 'Week',
  month: 'Month',
  year: 'Year',
};

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
    rate: parseOption(CURVE_RATES, params.rate),
    historyKey: params.through ?? DEFAULT_KEY_RATE,
    historyRange: parseOption(HISTORY_RANGES, params.since),
  };
}

const PAST_PERIODS: readonly PastPeriod[] = ['day', 'week', 'month', 'year'];

/** The day to compare a day with; undefined where there is no comparison. */
export function getComparisonDay(day: string, comparison: string): string | undefined {
  if (isDay(comparison)) return comparison;
  const period = PAST_PERIODS.find((key) => key === comparison);
  return period && getEarlierDay(day, period);
}

/** Says which quotes match; prepared once, because there may be ten thousand. */
export function createQuoteFilter(
  filters: Pick<MarketFilters, 'type' | 'search' | 'maturityRange'>,
): (quote: Quote) => boolean {
  const { type, search, maturityRange } = filters;
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
