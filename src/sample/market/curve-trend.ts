import { parseDay } from '../../calendar.ts';

/** What a curve is made of: its far end, what the near end adds to that, and its middle. */
export interface CurveFactors {
  readonly level: number;
  readonly slope: number;
  readonly hump: number;
}

/**
 * Where the curve is bound for on a day: the near end follows the policy rate, the rest goes from
 * bearing to bearing. A day outside of the bearings throws.
 */
export function getTrendFactors(day: number): CurveFactors {
  const after = TREND_ANCHORS.findIndex(([bearing]) => bearing > day);
  const [from, to] = [TREND_ANCHORS[after - 1], TREND_ANCHORS[after]];
  if (!from || !to) throw new RangeError(`the sample's curve does not reach day ${day}`);
  const part = (day - from[0]) / (to[0] - from[0]);
  const level = from[1] + part * (to[1] - from[1]);
  const hump = from[2] + part * (to[2] - from[2]);
  return { level, slope: getMeanPolicyRate(day, day + LOOKAHEAD_DAYS) - level, hump };
}

/** How far ahead the short end sees decisions on the policy rate. */
const LOOKAHEAD_DAYS = 90;

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

/** The level and the hump on some days; between two of them they go straight. */
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

function getMeanPolicyRate(from: number, to: number): number {
  const ratedDays = POLICY_RATES.map(([start, rate], index) => {
    const end = POLICY_RATES[index + 1]?.[0] ?? to;
    return rate * Math.max(0, Math.min(end, to) - Math.max(start, from));
  });
  return ratedDays.reduce((sum, each) => sum + each, 0) / (to - from);
}
