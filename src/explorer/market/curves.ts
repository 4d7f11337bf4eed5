import type { Curve, Point } from '../charts/points.ts';
import { hasYield, type Quote } from '../quotes/quote.ts';
import { type Fit, fitted } from './fit.ts';

/** Lines through quotes that belong together: what companies owe yields more than what states do. */
export const GROUPS = [
  { name: 'Government', tone: 7, holds: ({ type }: Quote) => type !== 'corporate' },
  { name: 'Corporate', tone: 3, holds: ({ type }: Quote) => type === 'corporate' },
] as const;

type Group = (typeof GROUPS)[number];

/** By quotes: a day's curve is wanted wherever something of the day is shown. */
const fits = new WeakMap<readonly Quote[], Map<Group, Fit | undefined>>();

/** The curve of a group on a day; undefined where it has too few quotes. */
export function fitOf(quotes: readonly Quote[], group: Group): Fit | undefined {
  const known = fits.get(quotes) ?? new Map<Group, Fit | undefined>();
  fits.set(quotes, known);
  if (!known.has(group)) known.set(group, fitOnce(quotes, group));
  return known.get(group);
}

function fitOnce(quotes: readonly Quote[], group: Group): Fit | undefined {
  const observed = quotes.filter((quote) => hasYield(quote) && group.holds(quote));
  return fitted(observed.map(({ maturityYears, ytm }) => [maturityYears, ytm]));
}

/** The lines through all quotes of a day, as far as those of them reach that are wanted. */
export function curvesOf(
  quotes: readonly Quote[],
  wanted: readonly Quote[],
  isGhost: boolean,
): Curve[] {
  return GROUPS.flatMap((group) => {
    const fit = fitOf(quotes, group);
    const drawn = wanted.filter((quote) => hasYield(quote) && group.holds(quote));
    if (!fit || drawn.length === 0) return [];
    const years = drawn.map(({ maturityYears }) => maturityYears);
    const reach = { at: fit.at, from: Math.min(...years), to: Math.max(...years) };
    return { name: group.name, tone: group.tone, isGhost, points: sampled(reach) };
  });
}

const STEPS = 80;

/** Evenly over the axis, which grows with the square root. */
function sampled({ at, from, to }: Fit): [number, number][] {
  const [low, high] = [Math.sqrt(from), Math.sqrt(to)];
  return Array.from({ length: STEPS + 1 }, (_, step) => {
    const years = (low + ((high - low) * step) / STEPS) ** 2;
    return [years, at(years)];
  });
}

/** The points of a day's quotes. Keys tell the days apart. */
export function pointsOf(
  quotes: readonly Quote[],
  tones: Readonly<Record<string, number>>,
  isGhost: boolean,
): Point[] {
  return quotes.filter(hasYield).map(({ date, symbol, type, maturityYears, ytm }) => ({
    key: `${date} ${symbol}`,
    x: maturityYears,
    y: ytm,
    tone: tones[type] ?? 7,
    isGhost,
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
