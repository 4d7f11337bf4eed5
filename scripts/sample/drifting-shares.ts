import { createRandomWalk, type Random } from './random.ts';
import { apportion } from './rounding.ts';

/**
 * A component of a total: its weight in the first and last period, and how much it typically deviates from
 * the line between them, relative to its weight.
 */
export type DriftingShare = readonly [from: number, to: number, volatility: number];

/** Splits each period's total, oldest first, into integers that sum to it exactly. */
export function generateDriftingShares(
  shares: readonly DriftingShare[],
  totals: readonly number[],
  random: Random,
): number[][] {
  const walks = shares.map(([, , volatility]) => createRandomWalk(random, volatility / 2, 0.15));
  return totals.map((total, period) => {
    const elapsed = period / Math.max(1, totals.length - 1);
    const weights = shares.map(([from, to], index) => {
      const deviation = walks[index]?.() ?? 0;
      return Math.max(0, (from + elapsed * (to - from)) * (1 + deviation));
    });
    return apportion(weights, total);
  });
}
