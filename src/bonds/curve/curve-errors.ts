import type { CurveParameters } from './curve-rates.ts';
import type { PricedFlows } from './priced-flows.ts';
import { getBiweight, getBiweightLoss } from './tukey-biweight.ts';

/** A curve as a fit varies it: beta0 to beta3, which are no percent, ln tau1, ln tau2. */
export type CurveVector = Float64Array;

export const FIRST_DECAY = 4;

/** The positions in a vector of the parameters that are fitted, betas first. */
export type FreeParameters = readonly number[];

export function toCurveParameters(vector: CurveVector): CurveParameters {
  const [beta0 = 0, beta1 = 0, beta2 = 0, beta3 = 0, logTau1 = 0, logTau2 = 0] = vector;
  return {
    beta0: beta0 * 100,
    beta1: beta1 * 100,
    beta2: beta2 * 100,
    beta3: beta3 * 100,
    tau1: Math.exp(logTau1),
    tau2: Math.exp(logTau2),
  };
}

/** The error of a curve, and how it changes with the free parameters. */
export interface LossModel {
  /** The sum of the losses of securities. */
  readonly loss: number;
  /** Half of the gradient of the loss. */
  readonly gradient: Float64Array;
  /** Half of its Hessian, as Gauss and Newton approximate it, by rows. */
  readonly hessian: Float64Array;
}

export interface CurveErrors extends LossModel {
  /** The yield error of each security, no percent. */
  readonly deviations: Float64Array;
}

/** Compares the prices on a curve with those given; no security counts from the cutoff on. */
export function evaluateErrors(
  { years, amounts, starts, prices, durations }: PricedFlows,
  vector: CurveVector,
  free: FreeParameters,
  cutoff: number,
): CurveErrors {
  const size = free.length;
  const deviations = new Float64Array(prices.length);
  const gradient = new Float64Array(size);
  const hessian = new Float64Array(size * size);
  const derivatives = new Float64Array(6);
  const addPresentValue = createPricer(vector);
  let loss = 0;
  for (let security = 0; security < prices.length; security += 1) {
    derivatives.fill(0);
    let value = 0;
    const end = starts[security + 1] as number;
    for (let flow = starts[security] as number; flow < end; flow += 1)
      value += addPresentValue(years[flow] as number, amounts[flow] as number, derivatives);
    const price = prices[security] as number;
    const scale = 1 / (price * (durations[security] as number));
    const deviation = (value - price) * scale;
    deviations[security] = deviation;
    loss += getBiweightLoss(deviation, cutoff);
    const weight = getBiweight(deviation, cutoff) * scale;
    for (let row = 0; row < size; row += 1) {
      const weighted = weight * (derivatives[free[row] as number] as number);
      add(gradient, row, weighted * deviation);
      for (let column = 0; column < size; column += 1)
        add(
          hessian,
          row * size + column,
          weighted * scale * (derivatives[free[column] as number] as number),
        );
    }
  }
  return { deviations, loss, gradient, hessian };
}

/** Values a cash flow on the curve, and adds how the value changes with the vector. */
function createPricer(vector: CurveVector) {
  const [beta0 = 0, beta1 = 0, beta2 = 0, beta3 = 0, logTau1 = 0, logTau2 = 0] = vector;
  const [rate1, rate2] = [Math.exp(-logTau1), Math.exp(-logTau2)];
  // The loadings are written out, rather than shared with `discount-function.ts`, and without
  // `expm1`: this is the inner loop, and the times are at least a day.
  return (time: number, amount: number, derivatives: Float64Array): number => {
    const scaled1 = time * rate1;
    const exponential1 = Math.exp(-scaled1);
    const slope1 = (1 - exponential1) / scaled1;
    const hump1 = slope1 - exponential1;
    const scaled2 = time * rate2;
    const exponential2 = Math.exp(-scaled2);
    const hump2 = (1 - exponential2) / scaled2 - exponential2;
    const rate = beta0 + beta1 * slope1 + beta2 * hump1 + beta3 * hump2;
    const value = amount * Math.exp(-rate * time);
    const change = -time * value;
    add(derivatives, 0, change);
    add(derivatives, 1, change * slope1);
    add(derivatives, 2, change * hump1);
    add(derivatives, 3, change * hump2);
    add(derivatives, 4, change * (beta1 * hump1 + beta2 * (hump1 - scaled1 * exponential1)));
    add(derivatives, 5, change * beta3 * (hump2 - scaled2 * exponential2));
    return value;
  };
}

function add(sums: Float64Array, index: number, value: number): void {
  sums[index] = (sums[index] as number) + value;
}
