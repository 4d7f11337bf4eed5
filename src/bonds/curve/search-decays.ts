import { solvePositiveDefinite } from './least-squares.ts';
import type { LinearPrices } from './linear-prices.ts';
import { computeCutoff, getBiweight } from './tukey-biweight.ts';
import type { CurveVector } from './yield-errors.ts';

/** The shapes that a curve has: level and slope, then the hump, then the second hump. */
export type CurveShape = 'slope' | 'hump' | 'two-humps';

/** A curve on the grid, and how much each security counted for it. */
export interface DecaySearch {
  readonly vector: CurveVector;
  readonly weights: Float64Array;
}

interface SearchOptions {
  readonly shape: CurveShape;
  /** How often the weights of securities follow from their deviations. */
  readonly rounds: number;
  readonly minDeviation: number;
  /** The weights to begin with. */
  readonly weights: Float64Array;
}

/**
 * The best curve on a grid of decays: where prices are linear in the rates, the betas follow from the
 * decays by least squares. Outliers count less from round to round. Undefined where the securities
 * determine no curve.
 */
export function searchDecays(
  prices: LinearPrices,
  { shape, rounds, minDeviation, weights: initialWeights }: SearchOptions,
): DecaySearch | undefined {
  const points = listPoints(prices.decays.length, shape);
  let weights = initialWeights;
  let best: SolvedPoint | undefined;
  for (let round = 0; round < rounds; round += 1) {
    best = findBestPoint(points, prices, weights) ?? best;
    if (!best) return undefined;
    const deviations = getDeviations(prices, best);
    const cutoff = computeCutoff(deviations, minDeviation);
    weights = deviations.map((deviation) => getBiweight(deviation, cutoff));
  }
  return best && { vector: toVector(prices, best), weights };
}

/** A point of the grid: the decays of the humps by index, and the columns of their shapes. */
interface GridPoint {
  readonly first: number;
  readonly second: number;
  readonly columns: readonly number[];
}

interface SolvedPoint extends GridPoint {
  readonly betas: Float64Array;
}

/** Of the columns, the first is the level; then each decay has one for the slope and the hump. */
const getSlopeColumn = (decay: number) => 1 + 2 * decay;
const getHumpColumn = (decay: number) => 2 + 2 * decay;

function listPoints(decayCount: number, shape: CurveShape): GridPoint[] {
  const decays = Array.from({ length: decayCount }, (_, index) => index);
  return decays.flatMap((first) => {
    const slope = [0, getSlopeColumn(first)];
    if (shape === 'slope') return { first, second: first, columns: slope };
    const hump = [...slope, getHumpColumn(first)];
    if (shape === 'hump') return { first, second: first, columns: hump };
    return decays
      .filter((second) => second !== first)
      .map((second) => ({ first, second, columns: [...hump, getHumpColumn(second)] }));
  });
}

function findBestPoint(
  points: readonly GridPoint[],
  prices: LinearPrices,
  weights: Float64Array,
): SolvedPoint | undefined {
  const products = multiplyColumns(prices, weights);
  const size = points[0]?.columns.length ?? 0;
  const matrix = new Float64Array(size * size);
  const right = new Float64Array(size);
  let maxExplained = -Infinity;
  let best: SolvedPoint | undefined;
  for (const point of points) {
    for (let row = 0; row < size; row += 1) {
      const rowColumn = point.columns[row] as number;
      for (let column = 0; column < size; column += 1)
        matrix[row * size + column] = products.get(rowColumn, point.columns[column] as number);
      right[row] = products.getTarget(rowColumn);
    }
    const betas = solvePositiveDefinite(matrix, right);
    if (!betas) continue;
    // The more of the squares is explained, the less is left as error.
    let explained = 0;
    for (let row = 0; row < size; row += 1)
      explained += (betas[row] as number) * (right[row] as number);
    if (explained <= maxExplained) continue;
    maxExplained = explained;
    best = { ...point, betas };
  }
  return best;
}

/** The weighted products of all columns with each other and with the target, computed once. */
function multiplyColumns({ columns, rates }: LinearPrices, weights: Float64Array) {
  const all = [...columns, rates];
  const size = all.length;
  const products = new Float64Array(size * size);
  const weighted = new Float64Array(weights.length);
  for (let row = 0; row < size; row += 1) {
    const own = all[row] as Float64Array;
    for (let index = 0; index < weighted.length; index += 1)
      weighted[index] = (own[index] as number) * (weights[index] as number);
    for (let column = 0; column <= row; column += 1) {
      const other = all[column] as Float64Array;
      let sum = 0;
      for (let index = 0; index < weighted.length; index += 1)
        sum += (weighted[index] as number) * (other[index] as number);
      products[row * size + column] = sum;
      products[column * size + row] = sum;
    }
  }
  const get = (row: number, column: number) => products[row * size + column] as number;
  return { get, getTarget: (column: number) => get(size - 1, column) };
}

function getDeviations({ columns, rates }: LinearPrices, point: SolvedPoint): Float64Array {
  const deviations = new Float64Array(rates.length);
  for (let row = 0; row < rates.length; row += 1) {
    let sum = -(rates[row] as number);
    for (let index = 0; index < point.columns.length; index += 1) {
      const column = columns[point.columns[index] as number] as Float64Array;
      sum += (point.betas[index] as number) * (column[row] as number);
    }
    deviations[row] = sum;
  }
  return deviations;
}

function toVector({ decays }: LinearPrices, { first, second, betas }: SolvedPoint): CurveVector {
  const [beta0 = 0, beta1 = 0, beta2 = 0, beta3 = 0] = betas;
  const [tau1 = 1, tau2 = 1] = [decays[first], decays[second]];
  return Float64Array.from([beta0, beta1, beta2, beta3, Math.log(tau1), Math.log(tau2)]);
}
