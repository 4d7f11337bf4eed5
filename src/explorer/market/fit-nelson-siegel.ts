/** A yield at a maturity, in percent and years. */
export type YieldObservation = readonly [years: number, percent: number];

/** A curve that was fitted: what it says of a maturity, and between which it may be asked. */
export interface CurveFit {
  readonly yieldAt: (years: number) => number;
  readonly from: number;
  readonly to: number;
}

/** Fewer than this say nothing about a curve. */
const MIN_OBSERVATIONS = 5;

/** Fewer than this say nothing about a hump: it would only run after single quotes. */
const MIN_OBSERVATIONS_FOR_HUMP = 20;

/** Where the hump of a curve may stand, in years: from a few months to some twelve years. */
const DECAY_CANDIDATES = Array.from({ length: 40 }, (_, step) => 0.15 * 1.12 ** step);
const DEFAULT_DECAY = 2;

/** How often observations are weighed again by how far off the curve they lie. */
const REWEIGHTING_ROUNDS = 12;

/**
 * The Nelson and Siegel curve (1987) that is nearest to the observations by least squares:
 * a level, a slope and a hump. For each place of the hump the rest is linear, so that the best of
 * a few dozen places is as good as the best there is. A few observations get no hump. What lies
 * far off, such as paper whose coupon floats, counts less, and in the end not at all (Tukey's
 * biweight). Undefined where there is too little to fit.
 */
export function fitNelsonSiegel(observations: readonly YieldObservation[]): CurveFit | undefined {
  const years = observations.map(([at]) => at);
  const [from, to] = [Math.min(...years), Math.max(...years)];
  if (new Set(years).size < MIN_OBSERVATIONS || from <= 0) return undefined;
  let counts = observations.map(() => 1);
  let best: NelsonSiegelParameters | undefined;
  for (let round = 0; round < REWEIGHTING_ROUNDS; round++) {
    best = fitWeighted(observations, counts, best?.decay) ?? best;
    if (!best) return undefined;
    counts = computeBiweights(observations, best);
  }
  const shape = best;
  return shape && { yieldAt: (maturity) => evaluateCurve(shape, maturity), from, to };
}

interface NelsonSiegelParameters {
  readonly coefficients: Vector3;
  readonly decay: number;
}

/**
 * The shape with the least squares, each of which counts as much as it is said to. Where the hump
 * is known already, it is looked for near there.
 */
function fitWeighted(
  observations: readonly YieldObservation[],
  counts: readonly number[],
  known?: number,
): NelsonSiegelParameters | undefined {
  const isPlain = observations.length < MIN_OBSERVATIONS_FOR_HUMP;
  let best: (NelsonSiegelParameters & { error: number }) | undefined;
  const isNear = (hump: number) => known === undefined || Math.abs(Math.log(hump / known)) < 0.3;
  for (const hump of isPlain ? [DEFAULT_DECAY] : DECAY_CANDIDATES.filter(isNear)) {
    const weights = solveLeastSquares(observations, counts, hump, isPlain);
    if (!weights) continue;
    const error = observations.reduce((sum, [years, percent], place) => {
      const off = evaluateCurve({ coefficients: weights, decay: hump }, years) - percent;
      return sum + (counts[place] ?? 0) * off ** 2;
    }, 0);
    if (!best || error < best.error) best = { coefficients: weights, decay: hump, error };
  }
  return best;
}

/** Beyond so many times the usual distance from the curve, an observation does not count. */
const TUKEY_CUTOFF = 4.685;
/** A basis point: nearer than that, nothing is far off. */
const MIN_DEVIATION = 0.01;

function computeBiweights(
  observations: readonly YieldObservation[],
  shape: NelsonSiegelParameters,
): number[] {
  const off = observations.map(([years, percent]) =>
    Math.abs(evaluateCurve(shape, years) - percent),
  );
  const middle = off.toSorted((a, b) => a - b)[off.length >> 1] ?? 0;
  const far = TUKEY_CUTOFF * Math.max(MIN_DEVIATION, middle * 1.4826);
  return off.map((distance) => (distance < far ? (1 - (distance / far) ** 2) ** 2 : 0));
}

function evaluateCurve({ coefficients, decay }: NelsonSiegelParameters, years: number): number {
  const [level, slope, bend] = getLoadings(years, decay);
  return coefficients[0] * level + coefficients[1] * slope + coefficients[2] * bend;
}

type Vector3 = readonly [number, number, number];

/** What level, slope and hump add to the yield at a maturity. */
function getLoadings(years: number, hump: number): Vector3 {
  const scaled = years / hump;
  const decay = Math.exp(-scaled);
  const slope = (1 - decay) / scaled;
  return [1, slope, slope - decay];
}

/** The weights with the least squares; undefined where the observations do not tell them apart. */
function solveLeastSquares(
  observations: readonly YieldObservation[],
  counts: readonly number[],
  hump: number,
  isPlain: boolean,
): Vector3 | undefined {
  const rows = observations.map(([years, percent]) => ({ row: getLoadings(years, hump), percent }));
  const sumOf = (of: (row: Vector3, percent: number) => number) =>
    rows.reduce((sum, { row, percent }, place) => sum + (counts[place] ?? 0) * of(row, percent), 0);
  const products = (by: (row: Vector3, percent: number) => number): Vector3 => [
    sumOf((row, percent) => row[0] * by(row, percent)),
    sumOf((row, percent) => row[1] * by(row, percent)),
    sumOf((row, percent) => (isPlain ? 0 : row[2] * by(row, percent))),
  ];
  const right = products((_, percent) => percent);
  const [a, b] = [products((row) => row[0]), products((row) => row[1])];
  const c: Vector3 = isPlain ? [0, 0, 1] : products((row) => row[2]);
  const whole = getDeterminant(a, b, c);
  if (Math.abs(whole) < 1e-9) return undefined;
  return [
    getDeterminant(right, b, c) / whole,
    getDeterminant(a, right, c) / whole,
    getDeterminant(a, b, right) / whole,
  ];
}

function getDeterminant(a: Vector3, b: Vector3, c: Vector3): number {
  return (
    a[0] * (b[1] * c[2] - b[2] * c[1]) -
    b[0] * (a[1] * c[2] - a[2] * c[1]) +
    c[0] * (a[1] * b[2] - a[2] * b[1])
  );
}
