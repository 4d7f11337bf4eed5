import type { PricedFlows } from './cash-flows.ts';
import { type CurveVector, toCurveParameters } from './curve-errors.ts';
import { getContinuousZero } from './curve-rates.ts';

/**
 * Prices as linear functions of zero rates: for each security, the mean rate of its flows, weighted by
 * present value and time, that yields its price. Rates are fractions.
 */
export interface LinearPrices {
  /** In years, ascending, at equal ratios. */
  readonly decays: readonly number[];
  readonly loadings: readonly MeanLoadings[];
  /** The mean rate of each security. */
  readonly rates: Float64Array;
  /** 1 for each security, whatever the decay. */
  readonly level: Float64Array;
}

/** The mean of a shape over the flows of each security. */
export interface MeanLoadings {
  readonly slope: Float64Array;
  /** Also how the slope changes with the logarithm of the decay. */
  readonly hump: Float64Array;
  /** How the hump changes with the logarithm of the decay. */
  readonly humpChange: Float64Array;
}

/**
 * Prices around a curve, or around the flat rate of each security; exact if rates equal these. Decays
 * double every `decaysPerOctave` steps.
 */
export function linearizePrices(
  flows: PricedFlows,
  decays: readonly number[],
  decaysPerOctave: number,
  around?: CurveVector,
): LinearPrices {
  const { weights, rates } = weighFlows(flows, around);
  const loadings: MeanLoadings[] = [];
  const exponentials: Float64Array[] = [];
  for (let index = decays.length - 1; index >= 0; index -= 1) {
    const decay = decays[index] as number;
    const decayExponentials = computeExponentials(
      flows.years,
      decay,
      exponentials[index + decaysPerOctave],
    );
    exponentials[index] = decayExponentials;
    loadings[index] = averageLoadings(flows, { weights, exponentials: decayExponentials }, decay);
  }
  return { decays, loadings, rates, level: rates.map(() => 1) };
}

/** The weights of flows, which sum to 1 for each security, and the mean rates. */
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

/** At half the decay an exponential is squared, which is faster to compute. */
function computeExponentials(
  years: Float64Array,
  decay: number,
  atTwiceTheDecay: Float64Array | undefined,
): Float64Array {
  const exponentials = new Float64Array(years.length);
  for (let flow = 0; flow < years.length; flow += 1)
    exponentials[flow] = atTwiceTheDecay
      ? (atTwiceTheDecay[flow] as number) ** 2
      : Math.exp(-(years[flow] as number) / decay);
  return exponentials;
}

function averageLoadings(
  { years, starts, prices }: PricedFlows,
  { weights, exponentials }: { weights: Float64Array; exponentials: Float64Array },
  decay: number,
): MeanLoadings {
  const rate = 1 / decay;
  const slope = new Float64Array(prices.length);
  const hump = new Float64Array(prices.length);
  const humpChange = new Float64Array(prices.length);
  for (let security = 0; security < prices.length; security += 1) {
    let slopes = 0;
    let declines = 0;
    let scaledDeclines = 0;
    const end = starts[security + 1] as number;
    for (let flow = starts[security] as number; flow < end; flow += 1) {
      const scaled = (years[flow] as number) * rate;
      const weight = weights[flow] as number;
      const decline = weight * (exponentials[flow] as number);
      slopes += (weight - decline) / scaled;
      declines += decline;
      scaledDeclines += decline * scaled;
    }
    slope[security] = slopes;
    hump[security] = slopes - declines;
    humpChange[security] = slopes - declines - scaledDeclines;
  }
  return { slope, hump, humpChange };
}

/**
 * The mean loadings at any decay within the grid, without exponentials: cubic Hermite interpolation between
 * the two neighbouring decays. The result's arrays are reused.
 */
export function createInterpolator({ decays, loadings, rates }: LinearPrices) {
  const start = Math.log(decays[0] as number);
  const step = Math.log((decays[1] as number) / (decays[0] as number));
  const [slope, hump, humpChange] = [rates.slice(), rates.slice(), rates.slice()];
  const interpolate = (logDecay: number): void => {
    const steps = (logDecay - start) / step;
    const index = Math.max(0, Math.min(decays.length - 2, Math.floor(steps)));
    const [low, high] = [loadings[index] as MeanLoadings, loadings[index + 1] as MeanLoadings];
    const part = steps - index;
    const remaining = 1 - part;
    // The factors of the values at both ends of the step.
    const lowFactor = (1 + 2 * part) * remaining * remaining;
    const highFactor = (1 + 2 * remaining) * part * part;
    const lowChangeFactor = part * remaining * remaining * step;
    const highChangeFactor = -remaining * part * part * step;
    for (let security = 0; security < rates.length; security += 1) {
      const [lowHump, highHump] = [low.hump[security] as number, high.hump[security] as number];
      const lowChange = low.humpChange[security] as number;
      const highChange = high.humpChange[security] as number;
      slope[security] =
        lowFactor * (low.slope[security] as number) +
        lowChangeFactor * lowHump +
        highFactor * (high.slope[security] as number) +
        highChangeFactor * highHump;
      hump[security] =
        lowFactor * lowHump +
        lowChangeFactor * lowChange +
        highFactor * highHump +
        highChangeFactor * highChange;
      humpChange[security] =
        ((6 * part * remaining) / step) * (highHump - lowHump) +
        remaining * (1 - 3 * part) * lowChange +
        part * (1 - 3 * remaining) * highChange;
    }
  };
  return { slope, hump, humpChange, interpolate };
}
