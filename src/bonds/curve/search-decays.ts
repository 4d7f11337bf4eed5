import { type CurveVector, FIRST_DECAY } from './curve-errors.ts';
import { BETA_COUNTS, type CurveShape } from './curve-shape.ts';
import { MIN_RELATIVE_PIVOT, multiplyColumns, solveLeastSquares } from './least-squares.ts';
import type { LinearPrices, MeanLoadings } from './linear-prices.ts';
import { computeCutoff, getBiweight } from './tukey-biweight.ts';

/** The decays of both humps, in years; the same where there is one hump at most. */
export type Decays = readonly [first: number, second: number];

/** The best curve on the grid, and how much each security counts for it. */
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
  let weights = initialWeights;
  let vector: CurveVector | undefined;
  for (let round = 0; round < rounds; round += 1) {
    const [point] = listMinimalPoints(multiplyRates(prices, weights), shape);
    const best = point && solvePoint(prices, weights, shape, point);
    if (!best) return undefined;
    ({ vector } = best);
    const cutoff = computeCutoff(best.deviations, minDeviation);
    weights = best.deviations.map((deviation) => getBiweight(deviation, cutoff));
  }
  return vector && { vector, weights };
}

/** Curves on the grid that are better than all around them, the best one first. */
export function listMinima(
  { decays }: LinearPrices,
  products: RateProducts,
  shape: CurveShape,
): Decays[] {
  return listMinimalPoints(products, shape)
    .slice(0, MAX_MINIMA)
    .map(({ first, second }) => [decays[first] as number, decays[second] as number]);
}

/** More are hardly ever found. */
const MAX_MINIMA = 8;

/** The products of rates and of all shapes on the grid with each other. */
export interface RateProducts {
  readonly decayCount: number;
  readonly size: number;
  /** By rows. The columns are the level, slope and hump of each decay, and the rates. */
  readonly values: Float64Array;
}

export function multiplyRates(
  { loadings, rates }: LinearPrices,
  weights: Float64Array,
): RateProducts {
  const level = new Float64Array(rates.length).fill(1);
  const columns = [level, ...loadings.flatMap(({ slope, hump }) => [slope, hump]), rates];
  const values = multiplyColumns(columns, weights);
  return { decayCount: loadings.length, size: columns.length, values };
}

const getSlopeColumn = (decay: number) => 1 + 2 * decay;
const getHumpColumn = (decay: number) => 2 + 2 * decay;

/** Decays by index. */
interface GridPoint {
  readonly first: number;
  readonly second: number;
}

function listMinimalPoints(products: RateProducts, shape: CurveShape): GridPoint[] {
  const explained = explainRates(products, shape);
  const points: (GridPoint & { value: number })[] = [];
  for (let first = 0; first < explained.length; first += 1)
    for (let second = 0; second < explained.length; second += 1) {
      const value = explained[first]?.[second] as number;
      if (value > -Infinity && isHighest(explained, first, second))
        points.push({ first, second, value });
    }
  return points.sort((a, b) => b.value - a.value);
}

/** Whether no neighbour has more. */
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
 * For each first and second decay, the part of the squares of rates that a curve explains: the more of
 * it, the less is left as error. -Infinity where there is no such curve.
 */
function explainRates(products: RateProducts, shape: CurveShape): Float64Array[] {
  const { decayCount } = products;
  return Array.from({ length: decayCount }, (_, first) => {
    const explained = new Float64Array(decayCount).fill(-Infinity);
    const firstColumns = [
      0,
      getSlopeColumn(first),
      ...(shape === 'slope' ? [] : [getHumpColumn(first)]),
    ];
    const rows: FactorRow[] = [];
    for (const column of firstColumns) {
      const row = factorColumn(products, rows, column);
      if (!row) return explained;
      rows.push(row);
    }
    const shared = rows.reduce((sum, { coordinate }) => sum + coordinate ** 2, 0);
    if (shape !== 'two-humps') explained[first] = shared;
    else
      for (let second = 0; second < decayCount; second += 1) {
        const row = second !== first && factorColumn(products, rows, getHumpColumn(second));
        if (row) explained[second] = shared + row.coordinate ** 2;
      }
    return explained;
  });
}

/** A row of the Cholesky factor of the products of columns, and the coordinate of the rates in it. */
interface FactorRow {
  readonly column: number;
  readonly entries: readonly number[];
  readonly pivot: number;
  readonly coordinate: number;
}

/** The row after the given ones; undefined where the column depends on theirs. */
function factorColumn(
  { values, size }: RateProducts,
  rows: readonly FactorRow[],
  column: number,
): FactorRow | undefined {
  const offset = column * size;
  const diagonal = values[offset + column] as number;
  let square = diagonal;
  let target = values[offset + size - 1] as number;
  const entries: number[] = [];
  for (let index = 0; index < rows.length; index += 1) {
    const row = rows[index] as FactorRow;
    let entry = values[offset + row.column] as number;
    for (let k = 0; k < index; k += 1) entry -= (entries[k] as number) * (row.entries[k] as number);
    entry /= row.pivot;
    entries.push(entry);
    square -= entry * entry;
    target -= entry * row.coordinate;
  }
  // Written so that NaN is no pivot either.
  if (!(square > MIN_RELATIVE_PIVOT * diagonal)) return undefined;
  const pivot = Math.sqrt(square);
  return { column, entries, pivot, coordinate: target / pivot };
}

function solvePoint(
  { decays, loadings, rates }: LinearPrices,
  weights: Float64Array,
  shape: CurveShape,
  { first, second }: GridPoint,
) {
  const [own, other] = [loadings[first] as MeanLoadings, loadings[second] as MeanLoadings];
  const level = new Float64Array(rates.length).fill(1);
  const columns = [level, own.slope, own.hump, other.hump].slice(0, BETA_COUNTS[shape]);
  const betas = solveLeastSquares(columns, rates, weights);
  if (!betas) return undefined;
  const deviations = rates.map((rate, row) =>
    columns.reduce(
      (sum, column, index) => sum + (betas[index] as number) * (column[row] as number),
      -rate,
    ),
  );
  const vector = new Float64Array(6);
  vector.set(betas);
  vector.set([Math.log(decays[first] as number), Math.log(decays[second] as number)], FIRST_DECAY);
  return { vector, deviations };
}
