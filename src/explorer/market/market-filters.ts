import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { PeriodUnit } from '../../catalogue/model/period-unit.ts';
import { isDay } from '../../shared/calendar.ts';
import { getEarlierDay } from '../formatting/dates.ts';
import { parseOption } from '../routing/parse-option.ts';
import { formatTypePlural } from '../security/quote-fields.ts';
import { DEFAULT_KEY_RATE, HISTORY_RANGES, type HistoryRange } from './key-rates.ts';
import { CURVE_RATE_TITLES, type ShownRate } from './yield-curves.ts';

export interface MarketFilters {
  readonly date: string | undefined;
  /** Keys of `COMPARISON_OPTIONS`, or days; at most two. Changes are computed against the first. */
  readonly comparisons: readonly string[];
  readonly type: string;
  readonly search: string;
  readonly maturityRange: string;
  readonly sort: string;
  readonly rate: ShownRate;
  /** The key of the rate or slope shown over time. */
  readonly historyKey: string;
  readonly historyRange: HistoryRange;
}

export const COMPARISON_OPTIONS = {
  day: 'Day before',
  week: 'Week',
  month: 'Month',
  year: 'Year',
} satisfies Partial<Record<PeriodUnit, string>>;
const MAX_COMPARISONS = 2;

export const MATURITY_OPTIONS = [
  { key: '', text: 'Any maturity' },
  { key: '0-1', text: 'Up to 1 year' },
  { key: '1-3', text: '1 to 3 years' },
  { key: '3-5', text: '3 to 5 years' },
  { key: '5-10', text: '5 to 10 years' },
  { key: '10-', text: 'Over 10 years' },
] as const;

const DEFAULT_COMPARISON = 'month';
export const DEFAULT_SORT = 'maturityYears';

export function parseMarketFilters(params: Readonly<Record<string, string>>): MarketFilters {
  return {
    date: isDay(params.date ?? '') ? params.date : undefined,
    comparisons: (params.against ?? DEFAULT_COMPARISON)
      .split(',')
      .filter((text) => Object.hasOwn(COMPARISON_OPTIONS, text) || isDay(text))
      .slice(0, MAX_COMPARISONS),
    type: params.type ?? 'all',
    search: params.find ?? '',
    maturityRange: params.years ?? '',
    sort: (params.sort ?? DEFAULT_SORT).replace(/\w+/, getColumnName),
    rate: parseOption(CURVE_RATE_TITLES, params.rate),
    historyKey: params.through ?? DEFAULT_KEY_RATE,
    historyRange: parseOption(HISTORY_RANGES, params.since),
  };
}

/** Former names of columns, in links and stored choices, before columns were named after fields. */
const FORMER_COLUMN_NAMES = new Map([
  ['years', 'maturityYears'],
  ['points', 'ytmChange'],
  ['price', 'lastPriceChange'],
]);

export function getColumnName(name: string): string {
  return FORMER_COLUMN_NAMES.get(name) ?? name;
}

/** The day to compare a day with. */
export function getComparisonDay(day: string, comparison: string): string {
  return isDay(comparison) ? comparison : getEarlierDay(day, comparison as PeriodUnit);
}

/** The URL parameter of comparisons; empty for the default. */
export function formatComparisons(comparisons: readonly string[]): string {
  const text = comparisons.join() || 'none';
  return text === DEFAULT_COMPARISON ? '' : text;
}

/** The URL parameter after adding a comparison to the first one, or removing it. */
export function toggleComparison(comparisons: readonly string[], chosen: string): string {
  const others = comparisons.filter((comparison) => comparison !== chosen);
  const isGivenUp = others.length < comparisons.length;
  return formatComparisons(isGivenUp ? others : [...comparisons.slice(0, 1), chosen]);
}

/** `Only T-bills, 3 to 5 years, “PIB”.`; undefined if all quotes are shown. */
export function describeFilters({ type, search, maturityRange }: MarketFilters) {
  const maturity = MATURITY_OPTIONS.find(({ key }) => key !== '' && key === maturityRange);
  const parts = [
    type === 'all' ? [] : formatTypePlural(type),
    maturity?.text.toLowerCase() ?? [],
    search.trim() === '' ? [] : `“${search.trim()}”`,
  ].flat();
  return parts.length === 0 ? undefined : `Only ${parts.join(', ')}.`;
}

/** Creates the filter of quotes once, because there may be ten thousand. */
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
