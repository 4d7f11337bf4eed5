/** A yield at a maturity, in percent and years. */
export type YieldObservation = readonly [years: number, percent: number];

/** A fitted curve, and the maturities between which it holds. */
export interface CurveFit {
  readonly yieldAt: (years: number) => number;
  readonly from: number;
  readonly to: number;
}

const MIN_OBSERVATIONS = 5;

/** With fewer observations a hump would only follow single quotes. */
const MIN_OBSERVATIONS_FOR_HUMP = 20;

/** Decay times in years, which place the hump: from a few months to some twelve years. */
const DECAY_CANDIDATES = Array.from({ length: 40 }, (_, step) => 0.15 * 1.12 ** step);
const DEFAULT_DECAY = 2;

const REWEIGHTING_ROUNDS = 12;

/**
 * Fits a Nelson-Siegel curve (1987), of level, slope and hump, by least squares. For a given decay
 * the problem is linear, so the best of a few dozen decays is good enough. Few observations get no
 * hump. Outliers, such as floating-rate paper, count less and finally not at all (Tukey's
 * biweight). Undefined where there are too few observations.
 */
export function fitNelsonSiegel(observations: readonly YieldObservation[]): CurveFit | undefined {
  const maturities = observations.map(([years]) => years);
  const [from, to] = [Math.min(...maturities), Math.max(...maturities)];
  if (new Set(maturities).size < MIN_OBSERVATIONS || from <= 0) return undefined;
  let weights = observations.map(() => 1);
  let best: NelsonSiegelParameters | undefined;
  for (let round = 0; round < REWEIGHTING_ROUNDS; round++) {
    best = fitWeighted(observations, weights, best?.decay) ?? best;
    if (!best) return undefined;
    weights = computeBiweights(observations, best);
  }
  const parameters = best;
  return parameters && { yieldAt: (years) => evaluateCurve(parameters, years), from, to };
}

interface NelsonSiegelParameters {
  readonly coefficients: Vector3;
  readonly decay: number;
}

/** The parameters with the least weighted squares; near the previous decay where there is one. */
function fitWeighted(
  observations: readonly YieldObservation[],
  weights: readonly number[],
  previousDecay: number | undefined,
): NelsonSiegelParameters | undefined {
  const hasHump = observations.length >= MIN_OBSERVATIONS_FOR_HUMP;
  const isNear = (decay: number) =>
    previousDecay === undefined || Math.abs(Math.log(decay / previousDecay)) < 0.3;
  let best: (NelsonSiegelParameters & { error: number }) | undefined;
  for (const decay of hasHump ? DECAY_CANDIDATES.filter(isNear) : [DEFAULT_DECAY]) {
    const coefficients = solveLeastSquares(observations, weights, decay, hasHump);
    if (!coefficients) continue;
    const error = observations.reduce((sum, [years, percent], index) => {
      const deviation = evaluateCurve({ coefficients, decay }, years) - percent;
      return sum + (weights[index] ?? 0) * deviation ** 2;
    }, 0);
    if (!best || error < best.error) best = { coefficients, decay, error };
  }
  return best;
}

/** Observations further from the curve than this many scaled deviations do not count. */
const TUKEY_CUTOFF = 4.685;
/** A basis point: smaller deviations are never outliers. */
const MIN_DEVIATION = 0.01;

function computeBiweights(
  observations: readonly YieldObservation[],
  parameters: NelsonSiegelParameters,
): number[] {
  const deviations = observations.map(([years, percent]) =>
    Math.abs(evaluateCurve(parameters, years) - percent),
  );
  const median = deviations.toSorted((a, b) => a - b)[deviations.length >> 1] ?? 0;
  const cutoff = TUKEY_CUTOFF * Math.max(MIN_DEVIATION, median * 1.4826);
  return deviations.map((value) => (value < cutoff ? (1 - (value / cutoff) ** 2) ** 2 : 0));
}

function evaluateCurve({ coefficients, decay }: NelsonSiegelParameters, years: number): number {
  const [level, slope, hump] = getLoadings(years, decay);
  return coefficients[0] * level + coefficients[1] * slope + coefficients[2] * hump;
}

type Vector3 = readonly [number, number, number];

function getLoadings(years: number, decay: number): Vector3 {
  const scaled = years / decay;
  const slope = (1 - Math.exp(-scaled)) / scaled;
  return [1, slope, slope - Math.exp(-scaled)];
}

/** Solves the normal equations by Cramer's rule; undefined where they are singular. */
function solveLeastSquares(
  observations: readonly YieldObservation[],
  weights: readonly number[],
  decay: number,
  hasHump: boolean,
): Vector3 | undefined {
  const rows = observations.map(([years, percent], index) => {
    return { loadings: getLoadings(years, decay), percent, weight: weights[index] ?? 0 };
  });
  type Row = (typeof rows)[number];
  const multiply = (getFactor: (row: Row) => number): Vector3 => {
    const sum = (loading: 0 | 1 | 2) =>
      rows.reduce((total, row) => total + row.weight * row.loadings[loading] * getFactor(row), 0);
    return [sum(0), sum(1), hasHump ? sum(2) : 0];
  };
  const right = multiply(({ percent }) => percent);
  const a = multiply(({ loadings }) => loadings[0]);
  const b = multiply(({ loadings }) => loadings[1]);
  const c: Vector3 = hasHump ? multiply(({ loadings }) => loadings[2]) : [0, 0, 1];
  const determinant = getDeterminant(a, b, c);
  if (Math.abs(determinant) < 1e-9) return undefined;
  return [
    getDeterminant(right, b, c) / determinant,
    getDeterminant(a, right, c) / determinant,
    getDeterminant(a, b, right) / determinant,
  ];
}

function getDeterminant(a: Vector3, b: Vector3, c: Vector3): number {
  return (
    a[0] * (b[1] * c[2] - b[2] * c[1]) -
    b[0] * (a[1] * c[2] - a[2] * c[1]) +
    c[0] * (a[1] * b[2] - a[2] * b[1])
  );
}
