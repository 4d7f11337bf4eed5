import type { CurveParameters } from './curve-rates.ts';
import { fitLeastSquares, type LeastSquaresFit } from './least-squares.ts';
import { computeCutoff, getBiweight } from './tukey-biweight.ts';

/** A yield at a maturity, in percent and years. */
export type YieldObservation = readonly [years: number, percent: number];

/** A fitted curve, and the maturities between which it holds. */
export interface CurveFit {
  readonly parameters: CurveParameters;
  /** The root mean square of the errors of yields, outliers excluded, in basis points. */
  readonly rmse: number;
  /** By index: whether an observation is so far from the curve that it does not count. */
  readonly isOutlier: readonly boolean[];
  /** In years. */
  readonly shortest: number;
  readonly longest: number;
}

/** With fewer distinct maturities, no curve is fitted to yields or to prices. */
export const MIN_MATURITIES = 5;

/** With fewer observations a hump would only fit individual quotes. */
const MIN_OBSERVATIONS_FOR_HUMP = 20;

/** Decay times in years, which place the hump: from a few months to about twelve years. */
const DECAY_CANDIDATES = Array.from({ length: 40 }, (_, step) => 0.15 * 1.12 ** step);
const DEFAULT_DECAY = 2;

const REWEIGHTING_ROUNDS = 12;
/** A basis point: smaller deviations are never outliers. */
const MIN_DEVIATION = 0.01;

/**
 * Fits a Nelson-Siegel curve (1987), of level, slope and hump, to yields by least squares. For a
 * given decay the problem is linear, so the best of a few dozen decays is good enough. Few
 * observations get no hump. Outliers, such as floating-rate paper, count less and finally not at all
 * (Tukey's biweight). The result does not depend on the order. Undefined if there are too few.
 */
export function fitYields(observations: readonly YieldObservation[]): CurveFit | undefined {
  const sorted = [...observations.entries()].sort(([, a], [, b]) => a[0] - b[0] || a[1] - b[1]);
  const years = new Float64Array(sorted.map(([, observation]) => observation[0]));
  const yields = new Float64Array(sorted.map(([, observation]) => observation[1]));
  const [shortest = 0, longest = 0] = [years[0], years.at(-1)];
  if (new Set(years).size < MIN_MATURITIES || shortest <= 0) return undefined;
  const candidates = listCandidates(years);
  let weights = new Float64Array(years.length).fill(1);
  let best: WeightedFit | undefined;
  for (let round = 0; round < REWEIGHTING_ROUNDS; round += 1) {
    best = fitWeighted(candidates, yields, weights, best?.decay) ?? best;
    if (!best) return undefined;
    const cutoff = computeCutoff(best.deviations, MIN_DEVIATION);
    const next = best.deviations.map((deviation) => getBiweight(deviation, cutoff));
    const isSettled = next.every(
      (weight, index) => Math.abs(weight - (weights[index] as number)) < 1e-4,
    );
    weights = next;
    if (isSettled) break;
  }
  if (!best) return undefined;
  const isOutlier = observations.map(() => false);
  for (const [position, [index]] of sorted.entries()) isOutlier[index] = weights[position] === 0;
  return { ...summarize(best, weights), isOutlier, shortest, longest };
}

interface DecayCandidate {
  readonly decay: number;
  /** Level, slope and, if there are enough observations, hump. */
  readonly columns: readonly Float64Array[];
}

function listCandidates(years: Float64Array): DecayCandidate[] {
  const hasHump = years.length >= MIN_OBSERVATIONS_FOR_HUMP;
  const level = new Float64Array(years.length).fill(1);
  return (hasHump ? DECAY_CANDIDATES : [DEFAULT_DECAY]).map((decay) => {
    const slope = new Float64Array(years.length);
    const hump = new Float64Array(years.length);
    for (let index = 0; index < years.length; index += 1) {
      const scaled = (years[index] as number) / decay;
      // Written out, without an object for each time: this is most of what a fit takes.
      const exponential = Math.exp(-scaled);
      slope[index] = -Math.expm1(-scaled) / scaled;
      hump[index] = (slope[index] as number) - exponential;
    }
    return { decay, columns: hasHump ? [level, slope, hump] : [level, slope] };
  });
}

interface WeightedFit extends LeastSquaresFit {
  readonly decay: number;
}

/** The fit with the least weighted squares, near the previous decay if there is one. */
function fitWeighted(
  candidates: readonly DecayCandidate[],
  yields: Float64Array,
  weights: Float64Array,
  previousDecay: number | undefined,
): WeightedFit | undefined {
  let minError = Infinity;
  let best: WeightedFit | undefined;
  for (const { decay, columns } of candidates) {
    if (previousDecay !== undefined && Math.abs(Math.log(decay / previousDecay)) >= 0.3) continue;
    const fit = fitLeastSquares(columns, yields, weights);
    if (!fit) continue;
    let error = 0;
    for (let row = 0; row < yields.length; row += 1)
      error += (weights[row] as number) * (fit.deviations[row] as number) ** 2;
    if (error >= minError) continue;
    minError = error;
    best = { decay, ...fit };
  }
  return best;
}

function summarize({ decay, coefficients, deviations }: WeightedFit, weights: Float64Array) {
  const [beta0 = 0, beta1 = 0, beta2 = 0] = coefficients;
  const used = deviations.filter((_, index) => weights[index] !== 0);
  const squares = used.reduce((sum, deviation) => sum + deviation ** 2, 0);
  return {
    parameters: { beta0, beta1, beta2, beta3: 0, tau1: decay, tau2: decay },
    rmse: Math.sqrt(squares / used.length) * 100,
  };
}
