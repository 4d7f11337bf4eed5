import { computeYield } from '../bond-figures.ts';
import { accruedInterest } from '../coupon-bond.ts';
import { type PricedFlows, type PricedSecurity, toPricedFlows } from './cash-flows.ts';
import {
  BETA_COUNTS,
  type CurveErrors,
  type CurveShape,
  type CurveVector,
  evaluateErrors,
  toCurveParameters,
  toCurveVector,
} from './curve-errors.ts';
import { listDecayLimits } from './decay-step.ts';
import { type CurveFit, MIN_MATURITIES } from './fit-yields.ts';
import { add, solveSystem } from './least-squares.ts';
import { linearizePrices } from './linear-prices.ts';
import { minimizeErrors } from './minimize-errors.ts';
import { refineDecays } from './refine-decays.ts';
import { searchDecays } from './search-decays.ts';
import { separateDecays } from './separate-decays.ts';
import { computeCutoff } from './tukey-biweight.ts';

/** With fewer securities a hump, or a second one, would only fit individual prices. */
const MIN_SECURITIES_FOR_HUMP = 8;
const MIN_SECURITIES_FOR_SECOND_HUMP = 20;

/** Five basis points, a typical bid-ask spread: a smaller deviation makes no outlier. */
const MIN_DEVIATION = 0.0005;
/** A hundredth of a basis point: a fit this good need not get better. */
const NEGLIGIBLE_DEVIATION = 1e-6;
/** Linear prices are fast to fit, so the start is more precise than necessary. */
const NEGLIGIBLE_LINEAR_DEVIATION = 1e-7;

/** A discount function with continuously compounded zero rates. */
export interface DiscountCurveFit extends CurveFit {
  readonly method: 'svensson' | 'nelson-siegel';
  /** Whether the best parameters were found; if not, ignore these. */
  readonly isConverged: boolean;
}

/**
 * Fits a discount function to dirty prices: a Svensson curve, or a Nelson-Siegel curve to fewer securities.
 * Minimizes yield errors: price errors over price and modified duration. Outliers count less and finally not
 * at all (Tukey's biweight). The result does not depend on the order of securities. Undefined if there are
 * too few.
 */
export function fitDiscountCurve(
  securities: readonly PricedSecurity[],
  settlement: number,
): DiscountCurveFit | undefined {
  const maturities = new Set(securities.map(({ security }) => security.maturity));
  if (maturities.size < MIN_MATURITIES) return undefined;
  const sorted = [...securities.entries()].sort(([, a], [, b]) => compareSecurities(a, b));
  const flows = toPricedFlows(
    sorted.map(([, security]) => security),
    settlement,
  );
  const shape = chooseShape(securities.length);
  const start = findStart(flows, shape);
  if (!start) return undefined;
  const best = fitRobustly(flows, start, shape);
  const { cutoff, isConverged } = best;
  const { parameters, deviations } = shape === 'two-humps' ? readableFit(flows, best) : best;
  const isOutlier = securities.map(() => false);
  const used: PricedChange[] = [];
  let [shortest, longest] = [Infinity, 0];
  for (const [position, [index, security]] of sorted.entries()) {
    if (Math.abs(best.deviations[position] as number) >= cutoff) {
      isOutlier[index] = true;
      continue;
    }
    const change = (deviations[position] as number) * (flows.durations[position] as number);
    used.push({ ...security, change });
    const maturity = flows.years[(flows.starts[position + 1] as number) - 1] as number;
    shortest = Math.min(shortest, maturity);
    longest = Math.max(longest, maturity);
  }
  const rmse = computeRmse(used, settlement);
  return {
    method: shape === 'two-humps' ? 'svensson' : 'nelson-siegel',
    parameters,
    // A curve that is far from every security is not a fit.
    isConverged: isConverged && Number.isFinite(rmse),
    rmse,
    isOutlier,
    shortest,
    longest,
  };
}

/** The fit, or one with the same rates whose parameters can be read from day to day. */
function readableFit(flows: PricedFlows, fit: ReturnType<typeof fitRobustly>) {
  const { years, starts } = flows;
  const range = [years[(starts[1] as number) - 1] as number, getLongestTime(flows)] as const;
  const parameters = separateDecays(fit.parameters, range);
  if (parameters === fit.parameters) return fit;
  const { beta0, beta1, beta2, beta3, tau1, tau2 } = parameters;
  const betas = [beta0, beta1, beta2, beta3].map((beta) => beta / 100);
  const vector = toCurveVector([tau1, tau2], betas);
  const { deviations } = evaluateErrors(flows, vector, 'two-humps', fit.cutoff);
  return { parameters, deviations };
}

/** A security with the relative difference between its price on the curve and its given price. */
type PricedChange = PricedSecurity & { readonly change: number };

/** Of the yields at the prices on the curve, compared with those at the given prices; in basis points. */
function computeRmse(used: readonly PricedChange[], settlement: number): number {
  let squares = 0;
  try {
    for (const { security, dirtyPrice, change } of used) {
      const accrued = 'couponRate' in security ? accruedInterest(security, settlement) : 0;
      const [given, fitted] = [dirtyPrice, dirtyPrice * (1 + change)].map((price) =>
        computeYield({ security, settlement }, price - accrued),
      ) as [number, number];
      squares += (fitted - given) ** 2;
    }
  } catch (error) {
    // Absurd prices have no yield.
    if (error instanceof RangeError) return Infinity;
    throw error;
  }
  return 100 * Math.sqrt(squares / used.length);
}

function chooseShape(count: number): CurveShape {
  if (count < MIN_SECURITIES_FOR_HUMP) return 'slope';
  return count < MIN_SECURITIES_FOR_SECOND_HUMP ? 'hump' : 'two-humps';
}

function compareSecurities(a: PricedSecurity, b: PricedSecurity): number {
  const getCoupon = ({ security }: PricedSecurity) =>
    'couponRate' in security ? security.couponRate : -1;
  return (
    a.security.maturity - b.security.maturity ||
    getCoupon(a) - getCoupon(b) ||
    a.dirtyPrice - b.dirtyPrice
  );
}

/** How many decays are tried per octave: first few, to find outliers, then many. */
const COARSE_DECAYS_PER_OCTAVE = 2;
const FINE_DECAYS_PER_OCTAVE = 5;
/** If there is no hump, the prices do not determine how fast the slope decays. */
const DECAY_WITHOUT_HUMP = 2;

/** The best of many curves, first with prices linearized around flat rates, then around a curve. */
function findStart(flows: PricedFlows, shape: CurveShape): CurveVector | undefined {
  const linearize = (decaysPerOctave: number, around?: CurveVector) => {
    const decays = shape === 'slope' ? [DECAY_WITHOUT_HUMP] : listDecays(flows, decaysPerOctave);
    return linearizePrices(flows, decays, decaysPerOctave, around);
  };
  const coarse = searchDecays(linearize(COARSE_DECAYS_PER_OCTAVE), shape, MIN_DEVIATION);
  if (!coarse || shape === 'slope') return coarse?.vector;
  const negligibleLoss = flows.prices.length * NEGLIGIBLE_LINEAR_DEVIATION ** 2;
  const prices = linearize(FINE_DECAYS_PER_OCTAVE, coarse.vector);
  return refineDecays(prices, { shape, weights: coarse.weights, negligibleLoss });
}

/** From decays that bend the curve at the shortest maturities to decays that bend it at the longest. */
function listDecays(flows: PricedFlows, decaysPerOctave: number): number[] {
  const longest = getLongestTime(flows);
  const shortest = Math.max(MIN_GRID_DECAY, longest / 80);
  const octaves = Math.max(1, Math.ceil(Math.log2(longest / shortest)));
  const count = octaves * decaysPerOctave + 1;
  return Array.from(
    { length: count },
    (_, index) => longest * 2 ** ((index + 1 - count) / decaysPerOctave),
  );
}

const MIN_GRID_DECAY = 0.05;

function getLongestTime({ years }: PricedFlows): number {
  return years.reduce((longest, time) => Math.max(longest, time), 0);
}

/** A step that gains less than this part of the loss ends the fit. */
const MIN_GAIN = 1e-5;
const MAX_CUTOFF_ROUNDS = 5;
/** A cutoff that changes less is final. */
const CUTOFF_TOLERANCE = 0.02;

/** Shorter decays, and decays far beyond all flows, only enlarge betas that cancel each other. */
const MIN_DECAY_YEARS = 0.02;

/** Fits with the cutoff of outliers that follows from the fit itself. */
function fitRobustly(flows: PricedFlows, start: CurveVector, shape: CurveShape) {
  const betaCount = BETA_COUNTS[shape];
  const limits = listDecayLimits(shape, start, [MIN_DECAY_YEARS, 3 * getLongestTime(flows)]);
  const negligibleLoss = flows.prices.length * NEGLIGIBLE_DEVIATION ** 2;
  let vector = start;
  let { deviations } = evaluateErrors(flows, vector, shape, Infinity);
  let cutoff = computeCutoff(deviations, MIN_DEVIATION);
  let isConverged = true;
  for (let round = 0; round < MAX_CUTOFF_ROUNDS && isConverged; round += 1) {
    const evaluate = (values: CurveVector) => evaluateErrors(flows, values, shape, cutoff);
    const problem = {
      solveBetas: (values: CurveVector) => solveBetas(evaluate, betaCount, values),
      betaCount,
      limits,
      negligibleLoss,
      minGain: MIN_GAIN,
    };
    const fit = minimizeErrors(problem, vector);
    ({ vector, isConverged } = fit);
    ({ deviations } = fit.errors);
    const next = computeCutoff(deviations, MIN_DEVIATION);
    if (Math.abs(next / cutoff - 1) < CUTOFF_TOLERANCE) break;
    cutoff = next;
  }
  return { parameters: toCurveParameters(vector), deviations, cutoff, isConverged };
}

const MAX_BETA_STEPS = 4;
/** Betas whose last step gained less than this part of the loss are good enough. */
const MIN_BETA_GAIN = 1e-3;

/** The vector with the best betas for its decays: prices are almost linear in them (Gauss and Newton). */
export function solveBetas(
  evaluate: (vector: CurveVector) => CurveErrors,
  betaCount: number,
  start: CurveVector,
) {
  let best = { vector: start, errors: evaluate(start) };
  for (let step = 0; step < MAX_BETA_STEPS; step += 1) {
    const { hessian, gradient } = best.errors;
    const change = solveSystem(hessian, gradient, betaCount);
    if (!change) return best;
    const vector = best.vector.slice();
    for (const [beta, value] of change.entries()) add(vector, beta, -value);
    const next = { vector, errors: evaluate(vector) };
    const gain = 1 - next.errors.loss / best.errors.loss;
    // Negated, so that NaN counts as no gain.
    if (!(gain > 0)) return best;
    best = next;
    if (gain < MIN_BETA_GAIN) return best;
  }
  return best;
}
