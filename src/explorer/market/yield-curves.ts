import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { CurveRecord } from '../../client/generated.ts';
import type { Market } from '../../operations/curve/curve-operation.ts';
import type { ApiRequest } from '../api/types.ts';
import { type ChartCurve, type ChartPoint, findExtent } from '../charts/chart-data.ts';
import { formatDayLabel } from '../formatting/dates.ts';
import { hasYield } from '../security/quote-fields.ts';

/** The quotes of a day with its fitted curves, and those quotes that match the filters. */
export interface FilteredDay {
  readonly date: string;
  readonly quotes: readonly Quote[];
  readonly curves: MarketCurves;
  readonly filteredQuotes: readonly Quote[];
}

/** Corporate paper yields more than government paper, so each has its own curve. */
export type MarketCurves = Readonly<Partial<Record<Market, CurveRecord>>>;

export type ShownRate = keyof typeof CURVE_RATE_TITLES;

export const CURVE_RATE_TITLES = { yield: 'Yield', zero: 'Zero', par: 'Par', forward: 'Forward' };
export const CURVE_RATES = Object.keys(CURVE_RATE_TITLES) as ShownRate[];

/** `Zero rate`. */
export function describeRate(rate: ShownRate): string {
  return rate === 'yield' ? CURVE_RATE_TITLES.yield : `${CURVE_RATE_TITLES[rate]} rate`;
}

/** Evenly spaced along the square-root axis up to four years, then every half-year up to thirty. */
const SHORT_SAMPLES = Array.from({ length: 30 }, (_, index) => {
  const days = Math.round(4 * 365 * ((index + 1) / 30) ** 2);
  return `${Math.max(index + 1, days)}D`;
});
const HALF_YEARS = Array.from({ length: 60 }, (_, index) => `${(index + 1) * 6}M`);
/** Includes the tenors that the page mentions. */
const TENORS = [...new Set([...SHORT_SAMPLES, ...HALF_YEARS, '2Y', '10Y'])].join();

export const CURVE_PATH = '/2.0/bnb/curve';

const MARKETS: readonly { market: Market; name: string; colorIndex: number }[] = [
  { market: 'government', name: 'Government', colorIndex: 7 },
  { market: 'corporate', name: 'Corporate', colorIndex: 3 },
];

export const CURVE_REQUESTS = MARKETS.map(({ market }) => ({
  market,
  createRequest: (date: string | undefined): ApiRequest => ({
    path: CURVE_PATH,
    parameters: { date, market, tenors: TENORS },
  }),
}));

export type CurveSample = readonly [years: number, percent: number];

/**
 * The points of a fitted curve, shortest maturity first. Par rates are those of whole coupon periods; between
 * them they depend on the length of the first period.
 */
export function listPoints(
  curve: CurveRecord | undefined,
  rate: ShownRate = 'yield',
): CurveSample[] {
  const points = (curve?.points ?? []).flatMap((point): CurveSample[] => {
    const percent = point[rate];
    const isBroken = rate === 'par' && point.years > 0.5 && point.tenor.endsWith('D');
    return percent === null || isBroken ? [] : [[point.years, percent]];
  });
  return points.toSorted(([a], [b]) => a - b);
}

/** Undefined before the first point and after the last. */
export function interpolate(points: readonly CurveSample[], years: number): number | undefined {
  const next = points.findIndex(([time]) => time >= years);
  const [after, before = after] = [points[next], points[next - 1]];
  if (!after || !before || before[0] > years) return undefined;
  const part = after === before ? 0 : (years - before[0]) / (after[0] - before[0]);
  return before[1] + part * (after[1] - before[1]);
}

/** The shortest and the longest maturity of the quotes that a curve is fitted to. */
export function getMaturityRange(quotes: readonly Quote[], market: Market) {
  const fitted = quotes.filter(
    (quote) => hasYield(quote) && (quote.type === 'corporate') === (market === 'corporate'),
  );
  return findExtent(fitted.map(({ maturityYears }) => maturityYears));
}

/**
 * The curves through all quotes of a day, as far as the filtered quotes reach, or all quotes if no quote
 * matches the filters.
 */
export function buildCurves(
  { date, curves, quotes, filteredQuotes }: FilteredDay,
  comparison: number | undefined,
  rate: ShownRate = 'yield',
): ChartCurve[] {
  const shown = filteredQuotes.length > 0 ? filteredQuotes : quotes;
  return MARKETS.flatMap(({ market, name, colorIndex }) => {
    const range = getMaturityRange(shown, market);
    const points = clipPoints(listPoints(curves[market], rate), ...range);
    const label = comparison === undefined ? `${name} ${rate}` : formatDayLabel(date);
    return points.length === 0 ? [] : { name, label, colorIndex, comparison, points };
  });
}

/** The points between two maturities, with points at both, if the curve reaches them. */
function clipPoints(points: readonly CurveSample[], from: number, to: number): CurveSample[] {
  const inner = points.filter(([years]) => years > from && years < to);
  const ends = [from, to].map((years) => {
    const percent = interpolate(points, years);
    return percent === undefined ? [] : [[years, percent] as const];
  });
  return [...(ends[0] ?? []), ...inner, ...(ends[1] ?? [])];
}

export interface QuotePoint extends ChartPoint {
  readonly quote: Quote;
}

export function buildPoints(
  { filteredQuotes }: FilteredDay,
  typeColors: Readonly<Record<string, number>>,
  isComparison: boolean,
): QuotePoint[] {
  return filteredQuotes.filter(hasYield).map((quote) => ({
    key: `${quote.date} ${quote.symbol}`,
    quote,
    x: quote.maturityYears,
    y: quote.ytm,
    colorIndex: typeColors[quote.type] ?? 7,
    isComparison,
  }));
}
