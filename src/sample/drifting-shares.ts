import { createRandomWalk, type Random } from './random.ts';
import { apportion } from './rounding.ts';

/** A part of a whole: its weight in the first period and in the last, and how it wavers. */
export interface DriftingShare {
  readonly from: number;
  readonly to: number;
  /** About how far it strays from the straight way between them, as a part of its weight. */
  readonly volatility: number;
}

/** Each period's whole, oldest first, divided into whole units that add up to exactly that. */
export function generateDriftingShares(
  parts: readonly DriftingShare[],
  wholes: readonly number[],
  random: Random,
): number[][] {
  const strays = parts.map(({ volatility }) => createRandomWalk(random, volatility / 2, 0.15));
  return wholes.map((whole, period) => {
    const way = period / Math.max(1, wholes.length - 1);
    const weights = parts.map(({ from, to }, index) => {
      const stray = strays[index]?.() ?? 0;
      return Math.max(0, (from + way * (to - from)) * (1 + stray));
    });
    return apportion(weights, whole);
  });
}
