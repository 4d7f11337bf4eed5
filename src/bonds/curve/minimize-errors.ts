import { type CurveVector, FIRST_DECAY, type LossModel } from './curve-errors.ts';
import { chooseDecayStep, type DecayLimit, multiply } from './decay-step.ts';
import { add, solveSystem } from './least-squares.ts';

/** A curve with its errors. */
export interface CurveCandidate {
  readonly vector: CurveVector;
  readonly errors: LossModel;
}

export interface CurveProblem<C extends CurveCandidate> {
  /** The best betas for the decays of a vector, as a curve. */
  readonly solveBetas: (vector: CurveVector) => C;
  readonly betaCount: number;
  /** The allowed decays; the start must be within them. */
  readonly limits: readonly DecayLimit[];
  /** A loss this small counts as none. */
  readonly negligibleLoss: number;
  /** A step that gains less than this part of the loss ends the search. */
  readonly minGain: number;
}

/** A search that needs more has not converged. */
export const MAX_STEPS = 60;
const INITIAL_DAMPING = 1e-3;
const MAX_DAMPING = 1e6;

/**
 * Minimizes the loss from a start. The betas follow from the decays, of which there are at most two; these
 * are searched by the Levenberg-Marquardt method (variable projection). Searching all six at once would creep
 * along a curved valley. `isConverged` is false if the steps ran out, or if the loss is not a number.
 */
export function minimizeErrors<C extends CurveCandidate>(
  problem: CurveProblem<C>,
  start: CurveVector,
): C & { isConverged: boolean } {
  let best = problem.solveBetas(start);
  let damping = INITIAL_DAMPING;
  if (!Number.isFinite(best.errors.loss)) return { ...best, isConverged: false };
  for (let step = 0; step < MAX_STEPS; step += 1) {
    if (best.errors.loss <= problem.negligibleLoss) return { ...best, isConverged: true };
    const vector = moveDecays(problem, best, damping);
    // Without decays, or without a direction for them, the betas alone are the solution.
    if (!vector) return { ...best, isConverged: true };
    const next = problem.solveBetas(vector);
    if (next.errors.loss < best.errors.loss) {
      const gain = 1 - next.errors.loss / best.errors.loss;
      best = next;
      damping /= 10;
      if (gain < problem.minGain) return { ...best, isConverged: true };
    } else {
      damping *= 10;
      // Not even a small step downhill gains anything.
      if (damping > MAX_DAMPING) return { ...best, isConverged: true };
    }
  }
  return { ...best, isConverged: false };
}

/** A damped step of the decays, with the betas following it; undefined if no step gains anything. */
function moveDecays(
  { betaCount, limits }: CurveProblem<CurveCandidate>,
  { vector, errors: { gradient, hessian } }: CurveCandidate,
  damping: number,
): CurveVector | undefined {
  const { size, values } = hessian;
  const rows = Array.from({ length: size - betaCount }, (_, decay) =>
    values.subarray((betaCount + decay) * size),
  );
  const betaStep = solveSystem(hessian, gradient, betaCount);
  // How the best betas change with each decay.
  const slopes = rows.map((row) => solveSystem(hessian, row, betaCount));
  if (rows.length === 0 || !betaStep || !slopes.every((slope) => slope !== undefined))
    return undefined;
  // The remaining gradient and Hessian once the betas follow (the Schur complement).
  const model = {
    position: vector.subarray(FIRST_DECAY, FIRST_DECAY + rows.length),
    gradient: rows.map(
      (row, decay) => (gradient[betaCount + decay] as number) - multiply(betaStep, row),
    ),
    hessian: rows.map((row, decay) =>
      slopes.map((slope, column) => {
        const entry = (row[betaCount + column] as number) - multiply(slope, row);
        return column === decay ? entry * (1 + damping) : entry;
      }),
    ),
  };
  const step = chooseDecayStep(model, limits);
  if (!step) return undefined;
  const next = vector.slice();
  for (const [beta, value] of betaStep.entries()) add(next, beta, -value);
  for (const [decay, value] of step.entries()) {
    add(next, FIRST_DECAY + decay, value);
    for (const [beta, slope] of (slopes[decay] as Float64Array).entries())
      add(next, beta, -slope * value);
  }
  return next;
}
