import { solvePositiveDefinite } from './least-squares.ts';
import {
  type CurveErrors,
  type CurveVector,
  FIRST_DECAY,
  type FreeParameters,
} from './yield-errors.ts';

export interface CurveProblem {
  readonly evaluate: (vector: CurveVector) => CurveErrors;
  readonly free: FreeParameters;
  /** Whether the decays of a vector make sense. */
  readonly isAllowed: (vector: CurveVector) => boolean;
  /** A loss this small is as good as none. */
  readonly negligibleLoss: number;
}

interface Candidate {
  readonly vector: CurveVector;
  readonly errors: CurveErrors;
}

const MAX_STEPS = 60;
const INITIAL_DAMPING = 1e-3;
const MAX_DAMPING = 1e6;
/** A step that gains less than this part of the loss is the last one. */
const MIN_RELATIVE_GAIN = 1e-5;

/**
 * Minimizes the loss from a start. Prices are almost linear in the betas, so these follow from the
 * decays by Gauss and Newton's method; the decays, of which there are at most two, by Levenberg and
 * Marquardt's (variable projection). All six at once would creep along a curved valley. `isConverged`
 * is false where the steps ran out, or where the loss is no number.
 */
export function minimizeErrors(
  problem: CurveProblem,
  start: CurveVector,
): Candidate & { isConverged: boolean } {
  let best = solveBetas(problem, start);
  let damping = INITIAL_DAMPING;
  if (!Number.isFinite(best.errors.loss)) return { ...best, isConverged: false };
  for (let step = 0; step < MAX_STEPS; step += 1) {
    if (best.errors.loss <= problem.negligibleLoss) return { ...best, isConverged: true };
    const vector = moveDecays(problem, best, damping);
    // Without decays, or without a direction for them, the betas alone are the solution.
    if (!vector) return { ...best, isConverged: true };
    const next = problem.isAllowed(vector) ? solveBetas(problem, vector) : undefined;
    if (next && next.errors.loss < best.errors.loss) {
      const gain = 1 - next.errors.loss / best.errors.loss;
      best = next;
      damping /= 10;
      if (gain < MIN_RELATIVE_GAIN) return { ...best, isConverged: true };
    } else {
      damping *= 10;
      // Not even a small step downhill gains anything.
      if (damping > MAX_DAMPING) return { ...best, isConverged: true };
    }
  }
  return { ...best, isConverged: false };
}

const MAX_BETA_STEPS = 4;
/** Betas whose last step gained less than this part of the loss are good enough. */
const MIN_BETA_GAIN = 1e-3;

/** The vector with the best betas for its decays. */
function solveBetas({ evaluate, free }: CurveProblem, start: CurveVector): Candidate {
  let best: Candidate = { vector: start, errors: evaluate(start) };
  for (let step = 0; step < MAX_BETA_STEPS; step += 1) {
    const { betaMatrix, betaGradient } = splitHessian(best.errors, free);
    const change = solvePositiveDefinite(betaMatrix, betaGradient);
    if (!change) return best;
    const vector = Float64Array.from(best.vector);
    for (const [index, value] of change.entries()) subtract(vector, free[index], value);
    const next = { vector, errors: evaluate(vector) };
    const gain = 1 - next.errors.loss / best.errors.loss;
    // Written so that NaN is no gain either.
    if (!(gain > 0)) return best;
    best = next;
    if (gain < MIN_BETA_GAIN) return best;
  }
  return best;
}

/** A damped step of the decays, with the betas following it; undefined where there is none. */
function moveDecays(
  { free }: CurveProblem,
  { vector, errors }: Candidate,
  damping: number,
): CurveVector | undefined {
  const { betaMatrix, betaGradient, decays } = splitHessian(errors, free);
  const betaStep = solvePositiveDefinite(betaMatrix, betaGradient);
  // How the best betas change with each decay.
  const slopes = decays.map(({ couplings }) => solvePositiveDefinite(betaMatrix, couplings));
  if (decays.length === 0 || !betaStep || !slopes.every((slope) => slope !== undefined))
    return undefined;
  // What is left of gradient and Hessian once the betas follow (the Schur complement).
  const gradient = decays.map((decay) => decay.gradient - multiply(decay.couplings, betaStep));
  const hessian = decays.flatMap(({ couplings, row }, index) =>
    slopes.map((slope, column) => {
      const entry = (row[column] as number) - multiply(couplings, slope);
      return column === index ? entry * (1 + damping) : entry;
    }),
  );
  const step = solvePositiveDefinite(Float64Array.from(hessian), Float64Array.from(gradient));
  if (!step) return undefined;
  const next = Float64Array.from(vector);
  for (const [index, value] of betaStep.entries()) subtract(next, free[index], value);
  for (const [decay, value] of step.entries()) {
    subtract(next, FIRST_DECAY + decay, value);
    for (const [index, slope] of (slopes[decay] as Float64Array).entries())
      subtract(next, free[index], -slope * value);
  }
  return next;
}

/** The Hessian and the gradient, of the betas among themselves and of each decay. */
function splitHessian({ hessian, gradient }: CurveErrors, free: FreeParameters) {
  const size = free.length;
  const count = free.filter((position) => position < FIRST_DECAY).length;
  const getRow = (row: number) => hessian.subarray(row * size, (row + 1) * size);
  const betaMatrix = new Float64Array(count * count);
  for (let row = 0; row < count; row += 1)
    betaMatrix.set(getRow(row).subarray(0, count), row * count);
  const decays = Array.from({ length: size - count }, (_, index) => ({
    couplings: getRow(count + index).slice(0, count),
    row: getRow(count + index).subarray(count),
    gradient: gradient[count + index] as number,
  }));
  return { betaMatrix, betaGradient: gradient.slice(0, count), decays };
}

function multiply(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] as number), 0);
}

function subtract(vector: Float64Array, position: number | undefined, value: number): void {
  if (position !== undefined) vector[position] = (vector[position] as number) - value;
}
