import {
  BETA_COUNTS,
  type CurveShape,
  type CurveVector,
  type Decays,
  FIRST_DECAY,
  type LossModel,
  toCurveVector,
} from './curve-errors.ts';
import { listDecayLimits, MIN_DECAY_DISTANCE } from './decay-step.ts';
import { getLastRow, multiplyColumns, type SymmetricMatrix, solveSystem } from './least-squares.ts';
import { createInterpolator, type LinearPrices } from './linear-prices.ts';
import { type CurveCandidate, minimizeErrors } from './minimize-errors.ts';
import { listMinima, multiplyRates } from './search-decays.ts';

interface RefineOptions {
  readonly shape: CurveShape;
  /** How much each security counts. */
  readonly weights: Float64Array;
  /** A loss this small counts as none. */
  readonly negligibleLoss: number;
}

/** Only the best of the starts counts, so one that gains little is abandoned. */
const MIN_GAIN = 0.01;

/**
 * The best curve at linear prices, with decays also between those of the grid, that is reached from a minimum
 * on the grid. If a second hump is small, the best curve is in a valley between grid points, so the best
 * curve with one hump is a start as well, with second humps here and there.
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
  const oneHumpMinima = listMinima(prices, products, 'hump');
  const oneHump = refineMinima(prices, oneHumpMinima, { shape: 'hump', ...options });
  const starts = oneHump ? listSecondHumps(prices, oneHump.vector, options.weights) : [];
  const other = refineMinima(prices, starts, { shape, ...options });
  return (other && other.errors.loss < best.errors.loss ? other : best).vector;
}

function refineMinima(
  prices: LinearPrices,
  minima: readonly Decays[],
  { shape, weights, negligibleLoss }: RefineOptions,
): CurveCandidate | undefined {
  const range = [prices.decays[0] as number, prices.decays.at(-1) as number] as const;
  const solveBetas = createBetaSolver(prices, weights, shape);
  const betaCount = BETA_COUNTS[shape];
  let best: CurveCandidate | undefined;
  for (const decays of minima) {
    const start = toCurveVector(decays);
    const limits = listDecayLimits(shape, start, range);
    const problem = { solveBetas, betaCount, limits, negligibleLoss, minGain: MIN_GAIN };
    const fit = minimizeErrors(problem, start);
    if (!best || fit.errors.loss < best.errors.loss) best = fit;
    if (best.errors.loss <= negligibleLoss) break;
  }
  return best;
}

/** Every third decay of the grid is tried as that of a second hump. */
const SECOND_HUMP_STRIDE = 3;

/** The places where a second hump added to a curve with one is better than at neighbouring places. */
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
      return [decays, solveBetas(toCurveVector(decays)).errors.loss];
    });
  const getLoss = (index: number) => tried[index]?.[1] ?? Infinity;
  return tried
    .filter(([, loss], index) => loss <= getLoss(index - 1) && loss <= getLoss(index + 1))
    .map(([decays]) => decays);
}

/** Solves the betas for any decays within the grid. */
function createBetaSolver(prices: LinearPrices, weights: Float64Array, shape: CurveShape) {
  const { level, rates } = prices;
  const [first, second] = [createInterpolator(prices), createInterpolator(prices)];
  const isDouble = shape === 'two-humps';
  // The shapes, how they change with each decay, and their target.
  const columns = isDouble
    ? [level, first.slope, first.hump, second.hump, first.humpChange, second.humpChange, rates]
    : [level, first.slope, first.hump, first.humpChange, rates];
  const count = BETA_COUNTS[shape];
  return (start: CurveVector): CurveCandidate => {
    first.interpolate(start[FIRST_DECAY] as number);
    if (isDouble) second.interpolate(start[FIRST_DECAY + 1] as number);
    const products = multiplyColumns(columns, weights);
    const vector = start.slice();
    const betas = solveSystem(products, getLastRow(products), count);
    if (betas) vector.set(betas);
    const errors = computeLoss(products, vector, count);
    return { vector, errors: betas ? errors : { ...errors, loss: Infinity } };
  };
}

type ColumnSum = readonly (readonly [column: number, factor: number])[];

/** The loss of a vector with the best betas, from the products of all columns with each other. */
function computeLoss(products: SymmetricMatrix, vector: CurveVector, count: number): LossModel {
  const last = products.size - 1;
  const get = (row: number, column: number) =>
    products.values[row * products.size + column] as number;
  const multiplyDeviation = (column: number) => {
    let sum = -get(column, last);
    for (let beta = 0; beta < count; beta += 1) sum += (vector[beta] as number) * get(column, beta);
    return sum;
  };
  const multiplySums = (left: ColumnSum, right: ColumnSum) => {
    let total = 0;
    for (const [column, factor] of right) {
      let sum = 0;
      for (const [row, leftFactor] of left) sum += leftFactor * get(row, column);
      total += factor * sum;
    }
    return total;
  };
  const sums = listChanges(vector, count);
  const size = sums.length;
  const gradient = new Float64Array(size);
  const values = new Float64Array(size * size);
  for (const [row, left] of sums.entries()) {
    for (const [column, right] of sums.entries())
      values[row * size + column] = multiplySums(left, right);
    // The betas are optimal, so their shapes are orthogonal to the deviations.
    if (row >= count) gradient[row] = (left.at(-1)?.[1] as number) * multiplyDeviation(row);
  }
  // Rounding may make it negative.
  const loss = Math.max(0, -multiplyDeviation(last));
  return { loss, gradient, hessian: { size, values } };
}

/** How the rates of a curve change with each of the betas and decays. */
function listChanges(vector: CurveVector, count: number): ColumnSum[] {
  const [, beta1, beta2, beta3] = vector as unknown as [number, number, number, number];
  const betaChanges = Array.from({ length: count }, (_, beta): ColumnSum => [[beta, 1]]);
  const firstDecay: ColumnSum = [
    [2, beta1],
    [count, beta2],
  ];
  return count === 3 ? [...betaChanges, firstDecay] : [...betaChanges, firstDecay, [[5, beta3]]];
}
