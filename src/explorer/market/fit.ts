/** A yield at a maturity, in percent and years. */
export type Observation = readonly [years: number, percent: number];

/** A curve that was fitted: what it says of a maturity, and between which it may be asked. */
export interface Fit {
  readonly at: (years: number) => number;
  readonly from: number;
  readonly to: number;
}

/** Fewer than this say nothing about a curve. */
const LEAST = 5;

/** Fewer than this say nothing about a hump: it would only run after single quotes. */
const LEAST_FOR_HUMP = 20;

/** Where the hump of a curve may stand, in years: from a few months to some twelve years. */
const HUMPS = Array.from({ length: 40 }, (_, step) => 0.15 * 1.12 ** step);
const NO_HUMP = 2;

/** How often observations are weighed again by how far off the curve they lie. */
const ROUNDS = 12;

/**
 * The Nelson and Siegel curve (1987) that is nearest to the observations by least squares:
 * a level, a slope and a hump. For each place of the hump the rest is linear, so that the best of
 * a few dozen places is as good as the best there is. A few observations get no hump. What lies
 * far off, such as paper whose coupon floats, counts less, and in the end not at all (Tukey's
 * biweight). Undefined where there is too little to fit.
 */
export function fitted(observations: readonly Observation[]): Fit | undefined {
  const years = observations.map(([at]) => at);
  const [from, to] = [Math.min(...years), Math.max(...years)];
  if (new Set(years).size < LEAST || from <= 0) return undefined;
  let counts = observations.map(() => 1);
  let best: Shape | undefined;
  for (let round = 0; round < ROUNDS; round++) {
    best = bestOf(observations, counts, best?.hump) ?? best;
    if (!best) return undefined;
    counts = biweights(observations, best);
  }
  const shape = best;
  return shape && { at: (maturity) => valueAt(shape, maturity), from, to };
}

interface Shape {
  readonly weights: Triple;
  readonly hump: number;
}

/**
 * The shape with the least squares, each of which counts as much as it is said to. Where the hump
 * is known already, it is looked for near there.
 */
function bestOf(
  observations: readonly Observation[],
  counts: readonly number[],
  known?: number,
): Shape | undefined {
  const isPlain = observations.length < LEAST_FOR_HUMP;
  let best: (Shape & { error: number }) | undefined;
  const isNear = (hump: number) => known === undefined || Math.abs(Math.log(hump / known)) < 0.3;
  for (const hump of isPlain ? [NO_HUMP] : HUMPS.filter(isNear)) {
    const weights = nearest(observations, counts, hump, isPlain);
    if (!weights) continue;
    const error = observations.reduce((sum, [years, percent], place) => {
      const off = valueAt({ weights, hump }, years) - percent;
      return sum + (counts[place] ?? 0) * off ** 2;
    }, 0);
    if (!best || error < best.error) best = { weights, hump, error };
  }
  return best;
}

/** Beyond so many times the usual distance from the curve, an observation does not count. */
const FAR = 4.685;
/** A basis point: nearer than that, nothing is far off. */
const LEAST_DISTANCE = 0.01;

function biweights(observations: readonly Observation[], shape: Shape): number[] {
  const off = observations.map(([years, percent]) => Math.abs(valueAt(shape, years) - percent));
  const middle = off.toSorted((a, b) => a - b)[off.length >> 1] ?? 0;
  const far = FAR * Math.max(LEAST_DISTANCE, middle * 1.4826);
  return off.map((distance) => (distance < far ? (1 - (distance / far) ** 2) ** 2 : 0));
}

function valueAt({ weights, hump }: Shape, years: number): number {
  const [level, slope, bend] = loadings(years, hump);
  return weights[0] * level + weights[1] * slope + weights[2] * bend;
}

type Triple = readonly [number, number, number];

/** What level, slope and hump add to the yield at a maturity. */
function loadings(years: number, hump: number): Triple {
  const scaled = years / hump;
  const decay = Math.exp(-scaled);
  const slope = (1 - decay) / scaled;
  return [1, slope, slope - decay];
}

/** The weights with the least squares; undefined where the observations do not tell them apart. */
function nearest(
  observations: readonly Observation[],
  counts: readonly number[],
  hump: number,
  isPlain: boolean,
): Triple | undefined {
  const rows = observations.map(([years, percent]) => ({ row: loadings(years, hump), percent }));
  const sumOf = (of: (row: Triple, percent: number) => number) =>
    rows.reduce((sum, { row, percent }, place) => sum + (counts[place] ?? 0) * of(row, percent), 0);
  const products = (by: (row: Triple, percent: number) => number): Triple => [
    sumOf((row, percent) => row[0] * by(row, percent)),
    sumOf((row, percent) => row[1] * by(row, percent)),
    sumOf((row, percent) => (isPlain ? 0 : row[2] * by(row, percent))),
  ];
  const right = products((_, percent) => percent);
  const [a, b] = [products((row) => row[0]), products((row) => row[1])];
  const c: Triple = isPlain ? [0, 0, 1] : products((row) => row[2]);
  const whole = determinant(a, b, c);
  if (Math.abs(whole) < 1e-9) return undefined;
  return [
    determinant(right, b, c) / whole,
    determinant(a, right, c) / whole,
    determinant(a, b, right) / whole,
  ];
}

function determinant(a: Triple, b: Triple, c: Triple): number {
  return (
    a[0] * (b[1] * c[2] - b[2] * c[1]) -
    b[0] * (a[1] * c[2] - a[2] * c[1]) +
    c[0] * (a[1] * b[2] - a[2] * b[1])
  );
}
