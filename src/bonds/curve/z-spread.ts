import type { CashFlows } from './cash-flows.ts';
import { type CurveParameters, getZeroRate } from './curve-rates.ts';

const MAX_STEPS = 100;

/**
 * The spread in percent, compounded twice a year, over the zero rates of a curve at which flows are worth a
 * price; undefined if there is none.
 */
export function computeZSpread(
  { years, amounts }: CashFlows,
  dirtyPrice: number,
  curve: CurveParameters,
): number | undefined {
  const zeros = years.map((time) => getZeroRate(curve, time));
  const lowestZero = Math.min(...zeros);
  let spread = 0;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    let [value, slope] = [0, 0];
    for (const [index, time] of years.entries()) {
      const growth = 1 + ((zeros[index] as number) + spread) / 200;
      const present = (amounts[index] as number) * growth ** (-2 * time);
      value += present;
      slope += (present * time) / growth / 100;
    }
    // Newton's method on the logarithm of the price, which is convex.
    const change = Math.log(value / dirtyPrice) * (value / slope);
    if (!Number.isFinite(change)) return undefined;
    // No growth may become negative: the lowest one is halved at most.
    spread += Math.max(change, -(200 + lowestZero + spread) / 2);
    if (Math.abs(change) < 1e-10) return spread;
  }
  return undefined;
}
