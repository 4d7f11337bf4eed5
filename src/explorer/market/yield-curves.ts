import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { ChartCurve, ChartPoint } from '../charts/chart-points.ts';
import { hasYield } from '../security/quote.ts';
import { type CurveFit, fitNelsonSiegel } from './fit-nelson-siegel.ts';

/** Lines through quotes that belong together: what companies owe yields more than what states do. */
export const ISSUER_GROUPS = [
  { name: 'Government', colorIndex: 7, holds: ({ type }: Quote) => type !== 'corporate' },
  { name: 'Corporate', colorIndex: 3, holds: ({ type }: Quote) => type === 'corporate' },
] as const;

type IssuerGroup = (typeof ISSUER_GROUPS)[number];

/** By quotes: a day's curve is wanted wherever something of the day is shown. */
const fitCache = new WeakMap<readonly Quote[], Map<IssuerGroup, CurveFit | undefined>>();

/** The curve of a group on a day; undefined where it has too few quotes. */
export function getFit(quotes: readonly Quote[], group: IssuerGroup): CurveFit | undefined {
  const known = fitCache.get(quotes) ?? new Map<IssuerGroup, CurveFit | undefined>();
  fitCache.set(quotes, known);
  if (!known.has(group)) known.set(group, computeFit(quotes, group));
  return known.get(group);
}

function computeFit(quotes: readonly Quote[], group: IssuerGroup): CurveFit | undefined {
  const observed = quotes.filter((quote) => hasYield(quote) && group.holds(quote));
  return fitNelsonSiegel(observed.map(({ maturityYears, ytm }) => [maturityYears, ytm]));
}

/** The lines through all quotes of a day, as far as those of them reach that are wanted. */
export function buildCurves(
  quotes: readonly Quote[],
  wanted: readonly Quote[],
  isComparison: boolean,
): ChartCurve[] {
  return ISSUER_GROUPS.flatMap((group) => {
    const fit = getFit(quotes, group);
    const drawn = wanted.filter((quote) => hasYield(quote) && group.holds(quote));
    if (!fit || drawn.length === 0) return [];
    const years = drawn.map(({ maturityYears }) => maturityYears);
    const reach = { yieldAt: fit.yieldAt, from: Math.min(...years), to: Math.max(...years) };
    return {
      name: group.name,
      colorIndex: group.colorIndex,
      isComparison,
      points: sampleCurve(reach),
    };
  });
}

const CURVE_SAMPLES = 80;

/** Evenly over the axis, which grows with the square root. */
function sampleCurve({ yieldAt, from, to }: CurveFit): [number, number][] {
  const [low, high] = [Math.sqrt(from), Math.sqrt(to)];
  return Array.from({ length: CURVE_SAMPLES + 1 }, (_, step) => {
    const years = (low + ((high - low) * step) / CURVE_SAMPLES) ** 2;
    return [years, yieldAt(years)];
  });
}

/** The points of a day's quotes. Keys tell the days apart. */
export function buildPoints(
  quotes: readonly Quote[],
  tones: Readonly<Record<string, number>>,
  isComparison: boolean,
): ChartPoint[] {
  return quotes.filter(hasYield).map(({ date, symbol, type, maturityYears, ytm }) => ({
    key: `${date} ${symbol}`,
    x: maturityYears,
    y: ytm,
    colorIndex: tones[type] ?? 7,
    isComparison,
  }));
}

/** Maturities that people ask for. */
export const TENORS = [
  { years: 0.25, text: '3 months', tick: '3M' },
  { years: 0.5, text: '6 months', tick: '6M' },
  { years: 1, text: '1 year', tick: '1Y' },
  { years: 2, text: '2 years', tick: '2Y' },
  { years: 3, text: '3 years', tick: '3Y' },
  { years: 5, text: '5 years', tick: '5Y' },
  { years: 7, text: '7 years', tick: '7Y' },
  { years: 10, text: '10 years', tick: '10Y' },
  { years: 15, text: '15 years', tick: '15Y' },
  { years: 20, text: '20 years', tick: '20Y' },
  { years: 30, text: '30 years', tick: '30Y' },
] as const;
