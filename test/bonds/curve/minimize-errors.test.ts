import { describe, expect, test } from 'bun:test';
import type { CurveErrors, CurveVector } from '../../../src/bonds/curve/curve-errors.ts';
import { solveBetas } from '../../../src/bonds/curve/fit-discount-curve.ts';
import { minimizeErrors } from '../../../src/bonds/curve/minimize-errors.ts';

const START = Float64Array.from([0.1, 0, 0, 0, 0, 0]);
const betaCount = 1;
const NO_LIMIT = { limits: [], negligibleLoss: 0, minGain: 1e-5 };

function minimize(evaluate: (vector: CurveVector) => CurveErrors, differing: object = {}) {
  const solve = (vector: CurveVector) => solveBetas(evaluate, betaCount, vector);
  return minimizeErrors({ ...NO_LIMIT, betaCount, solveBetas: solve, ...differing }, START);
}

/** Errors with a loss and a gradient of the level and of the first decay; they are independent. */
function errors(loss: number, gradient: readonly [number, number]): CurveErrors {
  return {
    deviations: new Float64Array(),
    loss,
    gradient: Float64Array.from(gradient),
    hessian: { size: 2, values: Float64Array.from([1, 0, 0, 1]) },
  };
}

describe('the search for the best curve', () => {
  test('finds the least loss, and says that it converged', () => {
    const evaluate = ([level = 0, , , , decay = 0]: CurveVector) =>
      errors(1 + (level - 0.12) ** 2 + (decay - 0.7) ** 2, [level - 0.12, decay - 0.7]);
    const { vector, isConverged } = minimize(evaluate);
    expect(isConverged).toBe(true);
    expect(vector[0]).toBeCloseTo(0.12, 4);
    expect(vector[4]).toBeCloseTo(0.7, 4);
  });

  test('says that it did not converge if the loss falls without end', () => {
    const evaluate = ([, , , , decay = 0]: CurveVector) => errors(Math.exp(-decay), [0, -1]);
    const { isConverged } = minimize(evaluate);
    expect(isConverged).toBe(false);
  });

  test('says that it did not converge if the loss is no number', () => {
    const evaluate = () => errors(Number.NaN, [0, 0]);
    expect(minimize(evaluate).isConverged).toBe(false);
  });

  test('goes as far as the limit of a decay, and converges there', () => {
    const evaluate = ([, , , , decay = 0]: CurveVector) =>
      errors(1 + (decay - 1) ** 2, [0, decay - 1]);
    for (const max of [0, 0.3]) {
      const { vector, isConverged } = minimize(evaluate, { limits: [{ factors: [1], max }] });
      expect(isConverged).toBe(true);
      expect(vector[4]).toBeCloseTo(max, 9);
    }
  });
});
