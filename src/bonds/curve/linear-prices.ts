import { getContinuousZero } from './discount-function.ts';
import type { PricedFlows } from './priced-flows.ts';
import { type CurveVector, toCurveParameters } from './yield-errors.ts';

/**
 * Prices as linear functions of zero rates: for each security, the mean rate of its flows, by present
 * value and time, that gives it its price. No rate is in percent.
 */
export interface LinearPrices {
  readonly decays: readonly number[];
  /** By column, the mean loading of each security: level, then slope and hump of each decay. */
  readonly columns: readonly Float64Array[];
  /** The mean rate of each security. */
  readonly rates: Float64Array;
}

/** Prices around a curve, or around the flat rate of each security; exact where rates equal these. */
export function linearizePrices(
  flows: PricedFlows,
  decays: readonly number[],
  around?: CurveVector,
): LinearPrices {
  const { weights, rates } = weighFlows(flows, around);
  const level = new Float64Array(rates.length).fill(1);
  const shapes = decays.flatMap((decay) => averageLoadings(flows, weights, decay));
  return { decays, columns: [level, ...shapes], rates };
}

/** The weights of flows, which are 1 in sum for each security, and the mean rates. */
function weighFlows(flows: PricedFlows, around: CurveVector | undefined) {
  const { years, amounts, starts, prices, flatRates } = flows;
  const curve = around && toCurveParameters(around);
  const weights = new Float64Array(years.length);
  const rates = new Float64Array(prices.length);
  for (let security = 0; security < prices.length; security += 1) {
    const [start, end] = [starts[security] as number, starts[security + 1] as number];
    let [value, total, weightedRates] = [0, 0, 0];
    for (let flow = start; flow < end; flow += 1) {
      const time = years[flow] as number;
      const rate = curve ? getContinuousZero(curve, time) / 100 : (flatRates[security] as number);
      const present = (amounts[flow] as number) * Math.exp(-rate * time);
      weights[flow] = present * time;
      value += present;
      total += present * time;
      weightedRates += present * time * rate;
    }
    for (let flow = start; flow < end; flow += 1) weights[flow] = (weights[flow] as number) / total;
    rates[security] = (weightedRates + value - (prices[security] as number)) / total;
  }
  return { weights, rates };
}

function averageLoadings(
  { years, starts, prices }: PricedFlows,
  weights: Float64Array,
  decay: number,
): [slope: Float64Array, hump: Float64Array] {
  const rate = 1 / decay;
  const slope = new Float64Array(prices.length);
  const hump = new Float64Array(prices.length);
  for (let security = 0; security < prices.length; security += 1) {
    let [slopes, exponentials] = [0, 0];
    const end = starts[security + 1] as number;
    for (let flow = starts[security] as number; flow < end; flow += 1) {
      const scaled = (years[flow] as number) * rate;
      const exponential = Math.exp(-scaled);
      const weight = weights[flow] as number;
      slopes += (weight * (1 - exponential)) / scaled;
      exponentials += weight * exponential;
    }
    slope[security] = slopes;
    hump[security] = slopes - exponentials;
  }
  return [slope, hump];
}
