import { randomFrom, wandering } from '../random.ts';
import { FIRST_DAY, LAST_DAY } from './days.ts';
import { type Factors, trendOn } from './trend.ts';

/** The yield in percent that the market asks on a day for a loan of so many years. */
export type Curve = (day: number, years: number) => number;

/**
 * The curve that everything is priced off: a level, a slope and a hump that move day by day. The
 * short end follows the policy rate; before the quotes begin, the path has no daily noise.
 */
export function sampleCurve(): Curve {
  const wobbles = dailyWobbles();
  const factors = new Map<number, Factors>();
  return (day, years) => {
    let found = factors.get(day);
    if (!found) {
      found = sumOf(trendOn(day), wobbles.get(day));
      factors.set(day, found);
    }
    // Nelson and Siegel's three shapes, as fractions: an exponential's last bit depends on the
    // machine, a quotient's does not.
    const fade = 1 / (1 + years / HUMP_YEARS);
    return found.level + found.slope * fade + found.hump * fade * (1 - fade);
  };
}

const HUMP_YEARS = 1.5;

function dailyWobbles(): Map<number, Factors> {
  const level = wandering(randomFrom('curve level'), 0.025, 0.02);
  const slope = wandering(randomFrom('curve slope'), 0.03, 0.05);
  const hump = wandering(randomFrom('curve hump'), 0.1, 0.05);
  const wobbles = new Map<number, Factors>();
  for (let day = FIRST_DAY; day <= LAST_DAY; day += 1) {
    wobbles.set(day, { level: level(), slope: slope(), hump: hump() });
  }
  return wobbles;
}

function sumOf(trend: Factors, { level, slope, hump }: Factors = NONE): Factors {
  return { level: trend.level + level, slope: trend.slope + slope, hump: trend.hump + hump };
}

const NONE: Factors = { level: 0, slope: 0, hump: 0 };
