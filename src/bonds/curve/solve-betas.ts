import { solvePositiveDefinite } from './least-squares.ts';
import {
  type CurveErrors,
  type CurveVector,
  FIRST_DECAY,
  type FreeParameters,
} from './yield-errors.ts';

const MAX_STEPS = 4;
/** Betas whose last step gained less than this part of the loss are good enough. */
const MIN_GAIN = 1e-3;

/** The vector with the best betas for its decays: prices are almost linear in them (Gauss and Newton). */
export function solveBetas(
  evaluate: (vector: CurveVector) => CurveErrors,
  free: FreeParameters,
  start: CurveVector,
) {
  const count = free.filter((position) => position < FIRST_DECAY).length;
  let best = { vector: start, errors: evaluate(start) };
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const change = solveBetaStep(best.errors, free.length, count);
    if (!change) return best;
    const vector = best.vector.slice();
    for (const [index, value] of change.entries()) {
      const position = free[index] as number;
      vector[position] = (vector[position] as number) - value;
    }
    const next = { vector, errors: evaluate(vector) };
    const gain = 1 - next.errors.loss / best.errors.loss;
    // Written so that NaN is no gain either.
    if (!(gain > 0)) return best;
    best = next;
    if (gain < MIN_GAIN) return best;
  }
  return best;
}

function solveBetaStep({ hessian, gradient }: CurveErrors, size: number, count: number) {
  const matrix = new Float64Array(count * count);
  for (let row = 0; row < count; row += 1)
    matrix.set(hessian.subarray(row * size, row * size + count), row * count);
  return solvePositiveDefinite(matrix, gradient.subarray(0, count));
}
