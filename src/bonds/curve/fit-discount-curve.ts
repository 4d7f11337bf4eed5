import type { CurveParameters } from './discount-function.ts';
import { linearizePrices } from './linear-prices.ts';
import { minimizeErrors } from './minimize-errors.ts';
import { type PricedFlows, type PricedSecurity, toPricedFlows } from './priced-flows.ts';
import { type CurveShape, searchDecays } from './search-decays.ts';
import { computeCutoff } from './tukey-biweight.ts';
import {
  type CurveVector,
  evaluateErrors,
  type FreeParameters,
  toCurveParameters,
} from './yield-errors.ts';

/** With fewer maturities no curve is fitted. */
const MIN_MATURITIES = 5;
/** With fewer securities a hump, or a second one, would only follow single prices. */
const MIN_SECURITIES_FOR_HUMP = 8;
const MIN_SECURITIES_FOR_SECOND_HUMP = 20;

/** Five basis points, as between bid and ask: so small a deviation makes no outlier. */
const MIN_DEVIATION = 0.0005;
/** A hundredth of a basis point: a fit this good need not get better. */
const NEGLIGIBLE_DEVIATION = 1e-6;

export interface DiscountCurveFit {
  readonly method: 'svensson' | 'nelson-siegel';
  readonly parameters: CurveParameters;
  /** Whether the best parameters were found; where not, these are to be ignored. */
  readonly isConverged: boolean;
  /** The root mean square of the yield errors, outliers excluded, in basis points. */
  readonly rmse: number;
  /** By index: whether the security is so far from the curve that it does not count. */
  readonly isOutlier: readonly boolean[];
  /** The maturities of what counts, in years. */
  readonly shortest: number;
  readonly longest: number;
}

/**
 * Fits a discount function to dirty prices: a Svensson curve, or one of Nelson and Siegel to fewer
 * securities. What is minimized is errors of yields: of prices, over price and modified duration.
 * Outliers count less and finally not at all (Tukey's biweight). The result does not depend on the
 * order of securities. Undefined where there are too few.
 */
export function fitDiscountCurve(
  securities: readonly PricedSecurity[],
  settlement: number,
): DiscountCurveFit | undefined {
  const order = securities
    .map((_, index) => index)
    .sort((a, b) => compareSecurities(securities[a], securities[b]));
  const sorted = order.map((index) => securities[index] as PricedSecurity);
  const maturities = new Set(sorted.map(({ security }) => security.maturity));
  if (maturities.size < MIN_MATURITIES) return undefined;
  const flows = toPricedFlows(sorted, settlement);
  const shape = chooseShape(sorted.length);
  const start = findStart(flows, shape);
  if (!start) return undefined;
  const { vector, deviations, cutoff, isConverged } = fitRobustly(flows, start, shape);
  const isOutlier = securities.map(() => false);
  let [squares, count, shortest, longest] = [0, 0, Infinity, 0];
  for (const [position, deviation] of deviations.entries()) {
    if (Math.abs(deviation) >= cutoff) {
      isOutlier[order[position] as number] = true;
      continue;
    }
    squares += deviation * deviation;
    count += 1;
    const maturity = flows.years[(flows.starts[position + 1] as number) - 1] as number;
    shortest = Math.min(shortest, maturity);
    longest = Math.max(longest, maturity);
  }
  return {
    method: shape === 'two-humps' ? 'svensson' : 'nelson-siegel',
    parameters: toCurveParameters(vector),
    isConverged,
    rmse: Math.sqrt(squares / count) * 10_000,
    isOutlier,
    shortest,
    longest,
  };
}

function chooseShape(count: number): CurveShape {
  if (count < MIN_SECURITIES_FOR_HUMP) return 'slope';
  return count < MIN_SECURITIES_FOR_SECOND_HUMP ? 'hump' : 'two-humps';
}

function compareSecurities(a: PricedSecurity | undefined, b: PricedSecurity | undefined): number {
  if (!a || !b) return 0;
  const getCoupon = ({ security }: PricedSecurity) =>
    'couponRate' in security ? security.couponRate : -1;
  return (
    a.security.maturity - b.security.maturity ||
    getCoupon(a) - getCoupon(b) ||
    a.dirtyPrice - b.dirtyPrice
  );
}

/** First few decays and many rounds to find outliers, then the other way round. */
const COARSE_SEARCH = { decayCount: 8, rounds: 4 };
const FINE_SEARCH = { decayCount: 17, rounds: 2 };
/** Where there is no hump, the prices do not tell how fast the slope decays. */
const DECAY_WITHOUT_HUMP = 2;

/** The best of many curves, at prices that are linear around flat rates, then around a curve. */
function findStart(flows: PricedFlows, shape: CurveShape): CurveVector | undefined {
  const search = (
    { decayCount, rounds }: typeof COARSE_SEARCH,
    weights: Float64Array,
    around?: CurveVector,
  ) => {
    const decays = shape === 'slope' ? [DECAY_WITHOUT_HUMP] : getDecayGrid(flows, decayCount);
    const options = { shape, rounds, minDeviation: MIN_DEVIATION, weights };
    return searchDecays(linearizePrices(flows, decays, around), options);
  };
  const coarse = search(COARSE_SEARCH, new Float64Array(flows.prices.length).fill(1));
  return coarse && search(FINE_SEARCH, coarse.weights, coarse.vector)?.vector;
}

/** From decays that bend the curve among the shortest maturities to one that does at the longest. */
function getDecayGrid(flows: PricedFlows, count: number): number[] {
  const longest = getLongestTime(flows);
  const low = Math.max(0.05, longest / 80);
  return Array.from(
    { length: count },
    (_, index) => low * (longest / low) ** (index / (count - 1)),
  );
}

function getLongestTime({ years }: PricedFlows): number {
  return years.reduce((longest, time) => Math.max(longest, time), 0);
}

const MAX_CUTOFF_ROUNDS = 5;
/** A cutoff that changes less is final. */
const CUTOFF_TOLERANCE = 0.02;

/** Fits with the cutoff of outliers that follows from the fit itself. */
function fitRobustly(flows: PricedFlows, start: CurveVector, shape: CurveShape) {
  const free = FREE_PARAMETERS[shape];
  const isAllowed = createDecayTest(flows, shape);
  const negligibleLoss = flows.prices.length * NEGLIGIBLE_DEVIATION ** 2;
  let vector = start;
  let { deviations } = evaluateErrors(flows, vector, free, Infinity);
  let cutoff = computeCutoff(deviations, MIN_DEVIATION);
  let isConverged = true;
  for (let round = 0; round < MAX_CUTOFF_ROUNDS && isConverged; round += 1) {
    const evaluate = (values: CurveVector) => evaluateErrors(flows, values, free, cutoff);
    const fit = minimizeErrors({ evaluate, free, isAllowed, negligibleLoss }, vector);
    ({ vector, isConverged } = fit);
    ({ deviations } = fit.errors);
    const next = computeCutoff(deviations, MIN_DEVIATION);
    if (Math.abs(next / cutoff - 1) < CUTOFF_TOLERANCE) break;
    cutoff = next;
  }
  return { vector, deviations, cutoff, isConverged };
}

const FREE_PARAMETERS: Readonly<Record<CurveShape, FreeParameters>> = {
  slope: [0, 1],
  hump: [0, 1, 2, 4],
  'two-humps': [0, 1, 2, 3, 4, 5],
};

const MIN_DECAY_YEARS = 0.02;
/** Two humps with decays nearer to each other are one, with betas that cancel each other. */
const MIN_DECAY_DISTANCE = 0.1;

/** Decays far beyond the maturities change nothing but the size of betas that cancel each other. */
function createDecayTest(flows: PricedFlows, shape: CurveShape) {
  const max = Math.log(3 * getLongestTime(flows));
  const isDecay = (log: number) => log > Math.log(MIN_DECAY_YEARS) && log < max;
  return ([, , , , first = 0, second = 0]: CurveVector) =>
    isDecay(first) &&
    (shape !== 'two-humps' || (isDecay(second) && Math.abs(first - second) > MIN_DECAY_DISTANCE));
}
