import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { ChartCurve, ChartPoint } from '../charts/chart-data.ts';
import { hasYield } from '../security/quote.ts';
import { type CurveFit, fitNelsonSiegel } from './fit-nelson-siegel.ts';

/** The quotes of a day, and those of them that match the filters. */
export interface FilteredDay {
  readonly date: string;
  readonly quotes: readonly Quote[];
  readonly filteredQuotes: readonly Quote[];
}

/** Each group has its own curve: corporate paper yields more than government paper. */
export const ISSUER_GROUPS = [
  { name: 'Government', colorIndex: 7, includes: ({ type }: Quote) => type !== 'corporate' },
  { name: 'Corporate', colorIndex: 3, includes: ({ type }: Quote) => type === 'corporate' },
] as const;

type IssuerGroup = (typeof ISSUER_GROUPS)[number];

/** Tiles and chart show the same fits. */
const fitCache = new WeakMap<readonly Quote[], Map<IssuerGroup, CurveFit | undefined>>();

/** The curve of a group on a day; undefined where it has too few quotes. */
export function getFit(quotes: readonly Quote[], group: IssuerGroup): CurveFit | undefined {
  const fits = fitCache.get(quotes) ?? new Map<IssuerGroup, CurveFit | undefined>();
  fitCache.set(quotes, fits);
  if (!fits.has(group)) {
    const points = getCurveQuotes(quotes, group);
    const observations = points.map(({ maturityYears, ytm }) => [maturityYears, ytm] as const);
    fits.set(group, fitNelsonSiegel(observations));
  }
  return fits.get(group);
}

export function getCurveQuotes(quotes: readonly Quote[], group: IssuerGroup): Quote[] {
  return quotes.filter((quote) => hasYield(quote) && group.includes(quote));
}

/** The curves through all quotes of a day, as far as the filtered quotes reach. */
export function buildCurves(
  { quotes, filteredQuotes }: FilteredDay,
  isComparison: boolean,
): ChartCurve[] {
  return ISSUER_GROUPS.flatMap((group) => {
    const fit = getFit(quotes, group);
    const years = getCurveQuotes(filteredQuotes, group).map(({ maturityYears }) => maturityYears);
    if (!fit || years.length === 0) return [];
    const points = sampleCurve({ ...fit, from: Math.min(...years), to: Math.max(...years) });
    return { name: group.name, colorIndex: group.colorIndex, isComparison, points };
  });
}

const CURVE_SAMPLES = 80;

/** Samples evenly along the axis, which has a square-root scale. */
function sampleCurve({ yieldAt, from, to }: CurveFit): [number, number][] {
  const [low, high] = [Math.sqrt(from), Math.sqrt(to)];
  return Array.from({ length: CURVE_SAMPLES + 1 }, (_, step) => {
    const years = (low + ((high - low) * step) / CURVE_SAMPLES) ** 2;
    return [years, yieldAt(years)];
  });
}

export function buildPoints(
  { filteredQuotes }: FilteredDay,
  typeColors: Readonly<Record<string, number>>,
  isComparison: boolean,
): ChartPoint[] {
  return filteredQuotes.filter(hasYield).map((quote) => ({
    key: getPointKey(quote),
    x: quote.maturityYears,
    y: quote.ytm,
    colorIndex: typeColors[quote.type] ?? 7,
    isComparison,
  }));
}

export function getPointKey({ date, symbol }: Quote): string {
  return `${date} ${symbol}`;
}
