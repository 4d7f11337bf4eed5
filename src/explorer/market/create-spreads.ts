import type { Quote } from '../../catalogue/datasets/quotes.ts';
import { hasYield } from '../security/quote-fields.ts';
import {
  type CurveSample,
  type FilteredDay,
  getMaturityRange,
  interpolate,
  listPoints,
} from './yield-curves.ts';

/** The spread of a quote in basis points; undefined without a yield or a curve. */
export type GetSpread = (quote: Quote) => number | undefined;

/**
 * Computes spreads over the government curve of a day like the service, which would need a request for every
 * 50 quotes. Only within the maturities of government paper.
 */
export function createSpreads(day: Pick<FilteredDay, 'quotes' | 'curves'>): GetSpread {
  const { quotes, curves } = day;
  const points = listPoints(curves.government);
  const [shortest, longest] = getMaturityRange(quotes, 'government');
  return (quote) => {
    const { maturityYears, ytm } = quote;
    if (!hasYield(quote) || maturityYears < shortest || maturityYears > longest) return undefined;
    const fitted = interpolate(points, maturityYears) ?? extrapolate(points, maturityYears);
    return fitted === undefined ? undefined : (ytm - fitted) * 100;
  };
}

/** Extends the curve to the shortest and the longest maturity, which lie between two samples. */
function extrapolate(points: readonly CurveSample[], years: number): number | undefined {
  const isBefore = years < (points[0]?.[0] ?? 0);
  const [first, second] = isBefore ? points : points.slice(-2);
  if (!first || !second) return undefined;
  const slope = (second[1] - first[1]) / (second[0] - first[0]);
  return first[1] + (years - first[0]) * slope;
}
