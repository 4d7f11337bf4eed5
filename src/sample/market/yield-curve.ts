import { createRandom, createRandomWalk } from '../random.ts';
import { type CurveFactors, getTrendFactors } from './curve-trend.ts';
import { FIRST_QUOTE_DAY, LAST_QUOTE_DAY } from './days.ts';

/** The yield in percent that the market asks on a day for a loan of so many years. */
export type YieldCurve = (day: number, years: number) => number;

/**
 * The curve that everything is priced off: a level, a slope and a hump that move day by day. The
 * short end follows the policy rate; before the quotes begin, the path has no daily noise.
 */
export function createSampleYieldCurve(): YieldCurve {
  const wobbles = generateDailyNoise();
  const factors = new Map<number, CurveFactors>();
  return (day, years) => {
    let found = factors.get(day);
    if (!found) {
      found = addFactors(getTrendFactors(day), wobbles.get(day));
      factors.set(day, found);
    }
    // Nelson and Siegel's three shapes, as fractions: an exponential's last bit depends on the
    // machine, a quotient's does not.
    const fade = 1 / (1 + years / HUMP_MATURITY_YEARS);
    return found.level + found.slope * fade + found.hump * fade * (1 - fade);
  };
}

const HUMP_MATURITY_YEARS = 1.5;

function generateDailyNoise(): Map<number, CurveFactors> {
  const level = createRandomWalk(createRandom('curve level'), 0.025, 0.02);
  const slope = createRandomWalk(createRandom('curve slope'), 0.03, 0.05);
  const hump = createRandomWalk(createRandom('curve hump'), 0.1, 0.05);
  const wobbles = new Map<number, CurveFactors>();
  for (let day = FIRST_QUOTE_DAY; day <= LAST_QUOTE_DAY; day += 1) {
    wobbles.set(day, { level: level(), slope: slope(), hump: hump() });
  }
  return wobbles;
}

function addFactors(
  trend: CurveFactors,
  { level, slope, hump }: CurveFactors = ZERO_FACTORS,
): CurveFactors {
  return { level: trend.level + level, slope: trend.slope + slope, hump: trend.hump + hump };
}

const ZERO_FACTORS: CurveFactors = { level: 0, slope: 0, hump: 0 };
