import type { PricedFlows } from './cash-flows.ts';
import type { CurveParameters } from './curve-rates.ts';
import { add, type SymmetricMatrix } from './least-squares.ts';
import { getBiweight, getBiweightLoss } from './tukey-biweight.ts';

/** A curve as a fit varies it: beta0 to beta3, as fractions, then ln tau1 and ln tau2. */
export type CurveVector = Float64Array;

export const FIRST_DECAY = 4;

/** The decays of both humps, in years; equal if there is at most one hump. */
export type Decays = readonly [first: number, second: number];

export function toCurveVector(decays: Decays, betas: ArrayLike<number> = []): CurveVector {
  const vector = new Float64Array(6);
  vector.set(betas);
  vector.set(decays.map(Math.log), FIRST_DECAY);
  return vector;
}

export function toCurveParameters(vector: CurveVector): CurveParameters {
  const [beta0 = 0, beta1 = 0, beta2 = 0, beta3 = 0] = vector.map((beta) => beta * 100);
  const [tau1 = 0, tau2 = 0] = vector.subarray(FIRST_DECAY).map(Math.exp);
  return { beta0, beta1, beta2, beta3, tau1, tau2 };
}

/** The shapes that a curve has: level and slope, then the hump, then the second hump. */
export type CurveShape = 'slope' | 'hump' | 'two-humps';

/** How many of the first betas are fitted; there are as many decays as humps. */
export const BETA_COUNTS: Readonly<Record<CurveShape, number>> = {
  slope: 2,
  hump: 3,
  'two-humps': 4,
};

/** The error of a curve, and how it changes with what is fitted: the betas, then the decays. */
export interface LossModel {
  /** The sum of the losses of securities. */
  readonly loss: number;
  /** Half of the gradient of the loss. */
  readonly gradient: Float64Array;
  /** Half of its Hessian, as Gauss and Newton approximate it. */
  readonly hessian: SymmetricMatrix;
}

export interface CurveErrors extends LossModel {
  /** The yield error of each security, as a fraction. */
  readonly deviations: Float64Array;
}

/** Compares the prices on a curve with the given ones; deviations from the cutoff on do not count. */
export function evaluateErrors(
  { years, amounts, starts, prices, durations }: PricedFlows,
  vector: CurveVector,
  shape: CurveShape,
  cutoff: number,
): CurveErrors {
  const betaCount = BETA_COUNTS[shape];
  // There are as many decays as humps: one for each beta after the slope.
  const size = betaCount + betaCount - 2;
  const deviations = new Float64Array(prices.length);
  const gradient = new Float64Array(size);
  const values = new Float64Array(size * size);
  const changes = new Float64Array(vector.length);
  const getChange = (index: number) =>
    changes[index < betaCount ? index : FIRST_DECAY + index - betaCount] as number;
  const addPresentValue = createPricer(vector);
  let loss = 0;
  for (let security = 0; security < prices.length; security += 1) {
    changes.fill(0);
    let value = 0;
    const end = starts[security + 1] as number;
    for (let flow = starts[security] as number; flow < end; flow += 1)
      value += addPresentValue(years[flow] as number, amounts[flow] as number, changes);
    const price = prices[security] as number;
    const scale = 1 / (price * (durations[security] as number));
    const deviation = (value - price) * scale;
    deviations[security] = deviation;
    loss += getBiweightLoss(deviation, cutoff);
    const weight = getBiweight(deviation, cutoff) * scale;
    for (let row = 0; row < size; row += 1) {
      const weighted = weight * getChange(row);
      add(gradient, row, weighted * deviation);
      for (let column = 0; column < size; column += 1)
        add(values, row * size + column, weighted * scale * getChange(column));
    }
  }
  return { deviations, loss, gradient, hessian: { size, values } };
}

/** Values a cash flow on the curve, and adds how the value changes with the vector. */
function createPricer(vector: CurveVector) {
  const [beta0 = 0, beta1 = 0, beta2 = 0, beta3 = 0, logTau1 = 0, logTau2 = 0] = vector;
  const [rate1, rate2] = [Math.exp(-logTau1), Math.exp(-logTau2)];
  // The loadings are written out, rather than shared with `curve-rates.ts`, and without `expm1`:
  // this is the inner loop, and the times are at least a day.
  return (time: number, amount: number, changes: Float64Array): number => {
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
    add(changes, 0, change);
    add(changes, 1, change * slope1);
    add(changes, 2, change * hump1);
    add(changes, 3, change * hump2);
    add(changes, 4, change * (beta1 * hump1 + beta2 * (hump1 - scaled1 * exponential1)));
    add(changes, 5, change * beta3 * (hump2 - scaled2 * exponential2));
    return value;
  };
}
