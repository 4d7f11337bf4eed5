import { dayNumber } from '../calendar.ts';
import { FIRST_DAY, LAST_DAY } from './days.ts';
import { randomFrom, wandering } from './random.ts';

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

interface Factors {
  readonly level: number;
  readonly slope: number;
  readonly hump: number;
}

const HUMP_YEARS = 1.5;

/** How far ahead the short end sees decisions on the policy rate, in days. */
const FORESIGHT = 90;

const POLICY: readonly [from: number, rate: number][] = (
  [
    ['2000-01-01', 10],
    ['2015-03-24', 8],
    ['2016-05-23', 6.25],
    ['2018-07-16', 8.5],
    ['2019-06-17', 12.75],
    ['2020-05-18', 8],
    ['2021-11-15', 9.75],
    ['2022-05-23', 13.5],
    ['2022-11-28', 16],
    ['2023-03-06', 20],
    ['2023-06-26', 22],
    ['2024-06-03', 21],
    ['2024-07-22', 20],
    ['2024-09-09', 18],
    ['2024-10-28', 16],
    ['2024-12-09', 14],
    ['2025-01-20', 12.5],
    ['2025-03-24', 12],
    ['2025-05-12', 11.5],
    ['2025-09-08', 11],
    ['2025-12-15', 10.5],
    ['2026-04-20', 11],
  ] as const
).map(([from, rate]) => [dayNumber(from), rate]);

/** Where the long end and the hump are bound for; between two days they go straight. */
const BEARINGS: readonly [day: number, level: number, hump: number][] = (
  [
    ['2000-01-01', 12, 0],
    ['2016-06-01', 8.6, 0],
    ['2019-07-01', 13, 0],
    ['2020-08-01', 9.8, 0],
    ['2022-06-01', 12.8, 2],
    ['2023-07-01', 13.9, 7],
    ['2024-01-15', 13.5, 3],
    ['2024-07-01', 13.4, 1],
    ['2024-12-01', 12.2, -3],
    ['2025-06-01', 12.4, -1.5],
    ['2025-12-01', 11.9, -2],
    ['2026-04-01', 12.9, -1],
    ['2026-07-01', 12.6, -0.5],
  ] as const
).map(([day, level, hump]) => [dayNumber(day), level, hump]);

function trendOn(day: number): Factors {
  const after = Math.max(
    1,
    BEARINGS.findIndex(([bearing]) => bearing > day),
  );
  const [from, to] = BEARINGS.slice(after - 1, after + 1);
  if (!from || !to) throw new RangeError(`the sample's curve does not reach day ${day}`);
  const part = (day - from[0]) / (to[0] - from[0]);
  const level = from[1] + part * (to[1] - from[1]);
  const hump = from[2] + part * (to[2] - from[2]);
  return { level, slope: meanPolicyRate(day, day + FORESIGHT) - level, hump };
}

function meanPolicyRate(from: number, to: number): number {
  const ratedDays = POLICY.map(([start, rate], place) => {
    const end = POLICY[place + 1]?.[0] ?? to;
    return rate * Math.max(0, Math.min(end, to) - Math.max(start, from));
  });
  return ratedDays.reduce((sum, each) => sum + each, 0) / (to - from);
}

function dailyWobbles(): Map<number, Factors> {
  const level = wandering(randomFrom('curve level'), 0.035, 0.02);
  const slope = wandering(randomFrom('curve slope'), 0.05, 0.06);
  const hump = wandering(randomFrom('curve hump'), 0.12, 0.05);
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
