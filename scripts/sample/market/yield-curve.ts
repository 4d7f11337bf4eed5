import { parseDay } from '../../../src/shared/calendar.ts';
import { createRandom, createRandomWalk } from '../random.ts';

/** The first and last day with quotes. */
export const FIRST_QUOTE_DAY = parseDay('2023-07-03');
export const LAST_QUOTE_DAY = parseDay('2026-06-30');

/** The market yield, in percent, on a day for a maturity in years. */
export type YieldCurve = (day: number, years: number) => number;

/** The level of the long end, the slope that the short end adds to it, and the hump between them. */
interface CurveFactors {
  readonly level: number;
  readonly slope: number;
  readonly hump: number;
}

/**
 * The curve that all prices follow: a level, a slope and a hump that change daily around a trend.
 * Before the first quotes there is no daily noise. A day outside the trend throws.
 */
export function createSampleYieldCurve(): YieldCurve {
  const noise = generateDailyNoise();
  return (day, years) => {
    const trend = getTrendFactors(day);
    const { level, slope, hump } = noise.get(day) ?? { level: 0, slope: 0, hump: 0 };
    // The three Nelson-Siegel shapes as fractions: unlike those of an exponential, the last bit of a quotient
    // does not depend on the machine.
    const decay = 1 / (1 + years / HUMP_MATURITY_YEARS);
    const slopeYield = (trend.slope + slope) * decay;
    return trend.level + level + slopeYield + (trend.hump + hump) * decay * (1 - decay);
  };
}

const HUMP_MATURITY_YEARS = 1.5;

function generateDailyNoise(): Map<number, CurveFactors> {
  const level = createRandomWalk(createRandom('curve level'), 0.025, 0.02);
  const slope = createRandomWalk(createRandom('curve slope'), 0.03, 0.05);
  const hump = createRandomWalk(createRandom('curve hump'), 0.1, 0.05);
  const noise = new Map<number, CurveFactors>();
  for (let day = FIRST_QUOTE_DAY; day <= LAST_QUOTE_DAY; day += 1)
    noise.set(day, { level: level(), slope: slope(), hump: hump() });
  return noise;
}

/** The short end follows the policy rate; level and hump are interpolated between anchors. */
function getTrendFactors(day: number): CurveFactors {
  const next = TREND_ANCHORS.findIndex(([anchorDay]) => anchorDay > day);
  const [from, to] = [TREND_ANCHORS[next - 1], TREND_ANCHORS[next]];
  if (!from || !to) throw new RangeError(`the sample's curve does not reach day ${day}`);
  const part = (day - from[0]) / (to[0] - from[0]);
  const level = from[1] + part * (to[1] - from[1]);
  const hump = from[2] + part * (to[2] - from[2]);
  return { level, slope: getMeanPolicyRate(day, day + LOOKAHEAD_DAYS) - level, hump };
}

/** How far ahead the short end anticipates changes of the policy rate. */
const LOOKAHEAD_DAYS = 90;

function getMeanPolicyRate(from: number, to: number): number {
  const sum = POLICY_RATES.reduce((running, [start, rate], index) => {
    const end = POLICY_RATES[index + 1]?.[0] ?? to;
    return running + rate * Math.max(0, Math.min(end, to) - Math.max(start, from));
  }, 0);
  return sum / (to - from);
}

const POLICY_RATES: readonly [from: number, rate: number][] = (
  [
    ['2000-01-01', 10],
    ['2015-02-02', 8.25],
    ['2016-08-08', 6.5],
    ['2018-04-02', 8.5],
    ['2019-03-11', 12.5],
    ['2020-07-06', 8.25],
    ['2021-09-06', 9.5],
    ['2022-03-14', 13],
    ['2022-10-03', 16.5],
    ['2023-01-30', 19.5],
    ['2023-05-29', 22],
    ['2024-05-27', 21],
    ['2024-07-08', 20],
    ['2024-08-26', 18.25],
    ['2024-10-14', 16],
    ['2024-11-25', 14.25],
    ['2025-01-13', 12.75],
    ['2025-03-10', 12.25],
    ['2025-06-02', 11.5],
    ['2025-09-29', 11],
    ['2025-12-01', 10.5],
    ['2026-04-06', 11],
  ] as const
).map(([from, rate]) => [parseDay(from), rate]);

const TREND_ANCHORS: readonly [day: number, level: number, hump: number][] = (
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
).map(([day, level, hump]) => [parseDay(day), level, hump]);
