import { solvePositiveDefinite } from './least-squares.ts';
import type { LinearPrices } from './linear-prices.ts';
import { computeCutoff, getBiweight } from './tukey-biweight.ts';
import type { CurveVector } from './yield-errors.ts';

/** The shapes that a curve has: level and slope, then the hump, then the second hump. */
export type CurveShape = 'slope' | 'hump' | 'two-humps';

const REWEIGHTING_ROUNDS = 4;

/**
 * The best curve on a grid of decays: where prices are linear in the rates, the betas follow from the
 * decays by least squares. Outliers count less from round to round. Undefined where the securities
 * determine no curve.
 */
export function searchDecays(
  prices: LinearPrices,
  shape: CurveShape,
  minDeviation: number,
): CurveVector | undefined {
  let weights = new Float64Array(prices.rates.length).fill(1);
  let best: GridPoint | undefined;
  for (let round = 0; round < REWEIGHTING_ROUNDS; round += 1) {
    best = findBestPoint(prices, weights, shape) ?? best;
    if (!best) return undefined;
    const deviations = getDeviations(prices, best);
    const cutoff = computeCutoff(deviations, minDeviation);
    weights = deviations.map((deviation) => getBiweight(deviation, cutoff));
  }
  return best && toVector(prices, best);
}

/** A point of the grid: the decays of the humps by index, and the columns and their betas. */
interface GridPoint {
  readonly first: number;
  readonly second: number;
  readonly columns: readonly number[];
  readonly betas: Float64Array;
}

/** Of the columns, the first is the level; then each decay has one for the slope and the hump. */
const getSlopeColumn = (decay: number) => 1 + 2 * decay;
const getHumpColumn = (decay: number) => 2 + 2 * decay;

function findBestPoint(
  prices: LinearPrices,
  weights: Float64Array,
  shape: CurveShape,
): GridPoint | undefined {
  const products = multiplyColumns(prices, weights);
  let maxExplained = -Infinity;
  let best: GridPoint | undefined;
  for (const { first, second, columns } of listColumns(prices.decays.length, shape)) {
    const size = columns.length;
    const matrix = new Float64Array(size * size);
    for (let row = 0; row < size; row += 1)
      for (let column = 0; column < size; column += 1)
        matrix[row * size + column] = products.get(columns[row], columns[column]);
    const right = Float64Array.from(columns, (column) => products.getTarget(column));
    const betas = solvePositiveDefinite(matrix, right);
    if (!betas) continue;
    // The more of the squares is explained, the less is left as error.
    const explained = betas.reduce((sum, beta, row) => sum + beta * (right[row] as number), 0);
    if (explained <= maxExplained) continue;
    maxExplained = explained;
    best = { first, second, columns, betas };
  }
  return best;
}

function listColumns(decayCount: number, shape: CurveShape): Omit<GridPoint, 'betas'>[] {
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

/** The weighted products of all columns with each other and with the target, computed once. */
function multiplyColumns({ columns, rates }: LinearPrices, weights: Float64Array) {
  const all = [...columns, rates];
  const size = all.length;
  const products = new Float64Array(size * size);
  for (let row = 0; row < size; row += 1) {
    const weighted = (all[row] as Float64Array).map(
      (value, index) => value * (weights[index] as number),
    );
    for (let column = 0; column <= row; column += 1) {
      const other = all[column] as Float64Array;
      let sum = 0;
      for (let index = 0; index < weighted.length; index += 1)
        sum += (weighted[index] as number) * (other[index] as number);
      products[row * size + column] = sum;
      products[column * size + row] = sum;
    }
  }
  const get = (row = 0, column = 0) => products[row * size + column] as number;
  return { get, getTarget: (column: number) => get(size - 1, column) };
}

function getDeviations({ columns, rates }: LinearPrices, point: GridPoint): Float64Array {
  return rates.map((rate, row) =>
    point.columns.reduce(
      (sum, column, index) =>
        sum + (point.betas[index] as number) * (columns[column]?.[row] as number),
      -rate,
    ),
  );
}

function toVector({ decays }: LinearPrices, { first, second, betas }: GridPoint): CurveVector {
  const [beta0 = 0, beta1 = 0, beta2 = 0, beta3 = 0] = betas;
  const [tau1 = 1, tau2 = 1] = [decays[first], decays[second]];
  return Float64Array.from([beta0, beta1, beta2, beta3, Math.log(tau1), Math.log(tau2)]);
}
