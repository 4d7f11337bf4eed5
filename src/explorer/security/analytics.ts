import type { AnalyticsRecord } from '../../client/generated.ts';
import type { ApiRequest, DatasetEntry } from '../api/types.ts';
import type { UnitInfo } from '../formatting/numbers.ts';
import type { DayRange } from './day-range.ts';

export type { AnalyticsRecord };

/** A figure that the service computes from a quote and the terms of its security. */
type AnalyticsFigure = Exclude<keyof AnalyticsRecord, 'date' | 'symbol' | 'settlementDate'>;

interface FigureInfo extends UnitInfo {
  readonly title: string;
  readonly hint: string;
}

export const SPREAD: FigureInfo = {
  title: 'Spread over the government curve',
  hint: 'Yield over the fitted government yield of the day at the same maturity',
  kind: 'basisPoints',
  unit: 'bp',
};

/** Figures whose newest values are shown next to those of the quote itself. */
export const ANALYTICS_FIGURES = {
  accrued: {
    title: 'Accrued interest',
    hint: 'Since the last coupon day, or since issue',
    kind: 'price',
    unit: 'per 100 of face value',
  },
  dirtyPrice: {
    title: 'Dirty price',
    hint: 'Clean price and accrued interest',
    kind: 'price',
    unit: 'per 100 of face value',
  },
  dv01: {
    title: 'DV01',
    hint: 'Price change of 100 of face value for one basis point',
    kind: 'sensitivity',
    unit: 'per 100',
  },
  convexity: {
    title: 'Convexity',
    hint: 'Second derivative of price by yield, over price',
    kind: 'years',
    unit: 'years²',
  },
} as const satisfies Partial<Record<AnalyticsFigure, FigureInfo>>;

/** Requests all quotes of securities over a range of days. */
export function createQuotesRequest(
  { path }: Pick<DatasetEntry, 'path'>,
  symbols: readonly string[],
  { from, to }: DayRange,
  limit = MAX_PAGE_SIZE,
): ApiRequest {
  return { path, parameters: { symbol: symbols.join(), from, to, limit }, allPages: true };
}

export const ANALYTICS_REQUEST = { path: '/2.0/bnb/analytics' };

/** Requests the figures of all quotes of securities over a range of days. */
export function createAnalyticsRequest(symbols: readonly string[], range: DayRange): ApiRequest {
  return createQuotesRequest(ANALYTICS_REQUEST, symbols, range, ANALYTICS_PAGE_SIZE);
}

/** Fitting the curves of this many days takes a second or two; ten years could time out. */
const ANALYTICS_PAGE_SIZE = 500;

export const MAX_PAGE_SIZE = 10_000;

export type SpreadsByDay = ReadonlyMap<string, number>;

export function indexSpreads(records: readonly AnalyticsRecord[]): SpreadsByDay {
  return new Map(
    records.flatMap(({ date, spread }) => (spread === null ? [] : [[date, spread] as const])),
  );
}
