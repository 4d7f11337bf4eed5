import { type CurveVector, FIRST_DECAY, type LossModel } from './curve-errors.ts';
import {
  BETA_COUNTS,
  type CurveShape,
  FREE_PARAMETERS,
  listDecayLimits,
  MIN_DECAY_DISTANCE,
} from './curve-shape.ts';
import { createInterpolator } from './interpolate-loadings.ts';
import { multiplyColumns, solvePositiveDefinite } from './least-squares.ts';
import type { LinearPrices } from './linear-prices.ts';
import { type Candidate, minimizeErrors } from './minimize-errors.ts';
import { type Decays, listMinima, multiplyRates } from './search-decays.ts';

interface RefineOptions {
  readonly shape: CurveShape;
  /** How much each security counts. */
  readonly weights: Float64Array;
  /** A loss this small is as good as none. */
  readonly negligibleLoss: number;
}

/** As only the best of the starts counts, one that gains little is left for the next. */
const MIN_GAIN = 0.01;

/**
 * The best curve at linear prices, with decays between those of the grid too, that is reached from a
 * minimum on the grid. Where a second hump is small, the best curve is in a valley between the points
 * of the grid: so the best curve with one hump is a start, too, with second humps here and there.
 */
export function refineDecays(
  prices: LinearPrices,
  { shape, ...options }: RefineOptions,
): CurveVector | undefined {
  const products = multiplyRates(prices, options.weights);
  const minima = listMinima(prices, products, shape);
  const best = refineMinima(prices, minima, { shape, ...options });
  if (shape !== 'two-humps' || !best || best.errors.loss <= options.negligibleLoss)
    return best?.vector;
  const oneHump = refineMinima(prices, listMinima(prices, products, 'hump'), {
    shape: 'hump',
    ...options,
  });
  const starts = oneHump ? listSecondHumps(prices, oneHump.vector, options.weights) : [];
  const other = refineMinima(prices, starts, { shape, ...options });
  return (other && other.errors.loss < best.errors.loss ? other : best).vector;
}

function refineMinima(
  prices: LinearPrices,
  minima: readonly Decays[],
  { shape, weights, negligibleLoss }: RefineOptions,
): Candidate | undefined {
  const range = [prices.decays[0] as number, prices.decays.at(-1) as number] as const;
  const solveBetas = createBetaSolver(prices, weights, shape);
  const free = FREE_PARAMETERS[shape];
  let best: Candidate | undefined;
  for (const decays of minima) {
    const start = toVector(decays);
    const limits = listDecayLimits(shape, start, range);
    const problem = { solveBetas, free, limits, negligibleLoss, minGain: MIN_GAIN };
    const fit = minimizeErrors(problem, start);
    if (!best || fit.errors.loss < best.errors.loss) best = fit;
    if (best.errors.loss <= negligibleLoss) break;
  }
  return best;
}

const toVector = ([first, second]: Decays): CurveVector =>
  new Float64Array([0, 0, 0, 0, Math.log(first), Math.log(second)]);

/** Every third decay of the grid is tried as that of a second hump. */
const SECOND_HUMP_STRIDE = 3;

/** Where second humps added to a curve with one are better than those around them. */
function listSecondHumps(
  prices: LinearPrices,
  oneHump: CurveVector,
  weights: Float64Array,
): Decays[] {
  const solveBetas = createBetaSolver(prices, weights, 'two-humps');
  const first = Math.exp(oneHump[FIRST_DECAY] as number);
  const tried = prices.decays
    .filter(
      (decay, index) =>
        index % SECOND_HUMP_STRIDE === 1 && Math.abs(Math.log(decay / first)) > MIN_DECAY_DISTANCE,
    )
    .map((second): [Decays, number] => {
      const decays: Decays = [first, second];
      return [decays, solveBetas(toVector(decays)).errors.loss];
    });
  const getLoss = (index: number) => tried[index]?.[1] ?? Infinity;
  return tried
    .filter(([, loss], index) => loss <= getLoss(index - 1) && loss <= getLoss(index + 1))
    .map(([decays]) => decays);
}

/** Solves the betas for any decays within the grid. */
function createBetaSolver(prices: LinearPrices, weights: Float64Array, shape: CurveShape) {
  const { rates } = prices;
  const level = new Float64Array(rates.length).fill(1);
  const [first, second] = [createInterpolator(prices), createInterpolator(prices)];
  const isDouble = shape === 'two-humps';
  // The shapes, how those of each decay change with it, and what they should come to.
  const columns = isDouble
    ? [level, first.slope, first.hump, second.hump, first.humpChange, second.humpChange, rates]
    : [level, first.slope, first.hump, first.humpChange, rates];
  const count = BETA_COUNTS[shape];
  const matrix = new Float64Array(count * count);
  const right = new Float64Array(count);
  return (start: CurveVector): Candidate => {
    first.interpolate(start[FIRST_DECAY] as number);
    if (isDouble) second.interpolate(start[FIRST_DECAY + 1] as number);
    const products = multiplyColumns(columns, weights);
    for (let row = 0; row < count; row += 1) {
      const offset = row * columns.length;
      for (let column = 0; column < count; column += 1)
        matrix[row * count + column] = products[offset + column] as number;
      right[row] = products[offset + columns.length - 1] as number;
    }
    const vector = start.slice();
    const betas = solvePositiveDefinite(matrix, right);
    if (betas) vector.set(betas);
    const errors = computeLoss(products, vector, count);
    return { vector, errors: betas ? errors : { ...errors, loss: Infinity } };
  };
}

/** The loss of a vector with the best betas, from the products of all columns with each other. */
function computeLoss(products: Float64Array, vector: CurveVector, count: number): LossModel {
  const [beta1, beta2, beta3] = vector.subarray(1) as unknown as [number, number, number];
  // There are as many decays as columns after the slope, which are humps.
  const decayCount = count - 2;
  const [width, size] = [count + decayCount + 1, count + decayCount];
  const get = (row: number, column: number) => products[row * width + column] as number;
  // How the rate of a curve changes with each decay, times a column.
  const multiplyChange = (decay: number, column: number) =>
    decay === 0
      ? beta1 * get(column, 2) + beta2 * get(column, count)
      : beta3 * get(column, count + 1);
  const multiplyDeviation = (column: number) => {
    let sum = -get(column, width - 1);
    for (let beta = 0; beta < count; beta += 1) sum += (vector[beta] as number) * get(column, beta);
    return sum;
  };
  const gradient = new Float64Array(size);
  const hessian = new Float64Array(size * size);
  for (let row = 0; row < count; row += 1)
    for (let column = 0; column < count; column += 1)
      hessian[row * size + column] = get(row, column);
  for (let decay = 0; decay < decayCount; decay += 1) {
    const row = count + decay;
    // The betas are the best, so their shapes have no product with the deviations.
    gradient[row] = (decay === 0 ? beta2 : beta3) * multiplyDeviation(row);
    for (let column = 0; column < count; column += 1) {
      hessian[row * size + column] = multiplyChange(decay, column);
      hessian[column * size + row] = multiplyChange(decay, column);
    }
    for (let other = 0; other < decayCount; other += 1)
      hessian[row * size + count + other] =
        other === 0
          ? beta1 * multiplyChange(decay, 2) + beta2 * multiplyChange(decay, count)
          : beta3 * multiplyChange(decay, count + 1);
  }
  // Rounding may make it less than 0.
  return { loss: Math.max(0, -multiplyDeviation(width - 1)), gradient, hessian };
}
