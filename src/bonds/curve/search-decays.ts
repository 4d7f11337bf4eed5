import {
  BETA_COUNTS,
  type CurveShape,
  type CurveVector,
  type Decays,
  toCurveVector,
} from './curve-errors.ts';
import {
  type FactorRow,
  factorColumn,
  fitLeastSquares,
  getLastRow,
  multiplyColumns,
  type SymmetricMatrix,
} from './least-squares.ts';
import type { LinearPrices, MeanLoadings } from './linear-prices.ts';
import { computeCutoff, getBiweight } from './tukey-biweight.ts';

/** How often the weights of securities are recomputed from their deviations. */
const REWEIGHTING_ROUNDS = 4;

/**
 * The best curve on a grid of decays, and how much each security counts for it: where prices are
 * linear in the rates, the betas follow from the decays by least squares. Outliers count less from
 * round to round. Undefined if the securities determine no curve.
 */
export function searchDecays(
  prices: LinearPrices,
  shape: CurveShape,
  minDeviation: number,
): { vector: CurveVector; weights: Float64Array } | undefined {
  let weights = new Float64Array(prices.rates.length).fill(1);
  let vector: CurveVector | undefined;
  for (let round = 0; round < REWEIGHTING_ROUNDS; round += 1) {
    const [point] = listMinimalPoints(multiplyRates(prices, weights), shape);
    const best = point && solvePoint(prices, weights, shape, point);
    if (!best) return undefined;
    ({ vector } = best);
    const cutoff = computeCutoff(best.deviations, minDeviation);
    weights = best.deviations.map((deviation) => getBiweight(deviation, cutoff));
  }
  return vector && { vector, weights };
}

/** Curves on the grid that are better than all their neighbours, the best one first. */
export function listMinima(
  { decays }: LinearPrices,
  products: SymmetricMatrix,
  shape: CurveShape,
): Decays[] {
  return listMinimalPoints(products, shape)
    .slice(0, MAX_MINIMA)
    .map(([first, second]) => [decays[first] as number, decays[second] as number]);
}

/** More are hardly ever found. */
const MAX_MINIMA = 8;

/** The products of the level, the slope and hump of each decay, and the rates with each other. */
export function multiplyRates(
  { level, loadings, rates }: LinearPrices,
  weights: Float64Array,
): SymmetricMatrix {
  const shapes = loadings.flatMap(({ slope, hump }) => [slope, hump]);
  return multiplyColumns([level, ...shapes, rates], weights);
}

const getSlopeColumn = (decay: number) => 1 + 2 * decay;
const getHumpColumn = (decay: number) => 2 + 2 * decay;

/** Decays by index. */
type GridPoint = readonly [first: number, second: number];

function listMinimalPoints(products: SymmetricMatrix, shape: CurveShape): GridPoint[] {
  const explained = explainRates(products, shape);
  const points: { point: GridPoint; value: number }[] = [];
  for (let first = 0; first < explained.length; first += 1)
    for (let second = 0; second < explained.length; second += 1) {
      const value = explained[first]?.[second] as number;
      if (value > -Infinity && isHighest(explained, first, second))
        points.push({ point: [first, second], value });
    }
  return points.sort((a, b) => b.value - a.value).map(({ point }) => point);
}

/** Whether no neighbour is higher. */
function isHighest(explained: readonly Float64Array[], first: number, second: number): boolean {
  const value = explained[first]?.[second] as number;
  for (let row = Math.max(0, first - 1); row <= first + 1 && row < explained.length; row += 1) {
    const values = explained[row] as Float64Array;
    for (let column = Math.max(0, second - 1); column <= second + 1; column += 1)
      if ((values[column] as number) > value) return false;
  }
  return true;
}

/**
 * For each first and second decay, the part of the squared rates that a curve explains: the larger it is, the
 * smaller the error. -Infinity if there is no such curve.
 */
function explainRates(products: SymmetricMatrix, shape: CurveShape): Float64Array[] {
  const decayCount = (products.size - 2) / 2;
  const rates = getLastRow(products);
  return Array.from({ length: decayCount }, (_, first) => {
    const explained = new Float64Array(decayCount).fill(-Infinity);
    const columns = [0, getSlopeColumn(first), getHumpColumn(first)];
    const rows: FactorRow[] = [];
    for (const column of shape === 'slope' ? columns.slice(0, 2) : columns) {
      const row = factorColumn(products, rates, rows, column);
      if (!row) return explained;
      rows.push(row);
    }
    const shared = rows.reduce((sum, { coordinate }) => sum + coordinate ** 2, 0);
    if (shape !== 'two-humps') explained[first] = shared;
    else
      for (let second = 0; second < decayCount; second += 1) {
        const row = second !== first && factorColumn(products, rates, rows, getHumpColumn(second));
        if (row) explained[second] = shared + row.coordinate ** 2;
      }
    return explained;
  });
}

function solvePoint(
  { decays, level, loadings, rates }: LinearPrices,
  weights: Float64Array,
  shape: CurveShape,
  [first, second]: GridPoint,
) {
  const [own, other] = [loadings[first] as MeanLoadings, loadings[second] as MeanLoadings];
  const columns = [level, own.slope, own.hump, other.hump].slice(0, BETA_COUNTS[shape]);
  const fit = fitLeastSquares(columns, rates, weights);
  if (!fit) return undefined;
  const pair: Decays = [decays[first] as number, decays[second] as number];
  return { vector: toCurveVector(pair, fit.coefficients), deviations: fit.deviations };
}
