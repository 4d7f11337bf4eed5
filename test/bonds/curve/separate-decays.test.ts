import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  type CurveParameters,
  getForwardRate,
  getParRate,
  getZeroRate,
} from '../../../src/bonds/curve/curve-rates.ts';
import { separateDecays } from '../../../src/bonds/curve/separate-decays.ts';
import { REPETITIONS } from '../../support/store.ts';
import { number } from '../arbitrary.ts';

const RANGE = [0.01, 20] as const;
const TIMES = Array.from({ length: 500 }, (_, index) => 0.01 * 2_000 ** (index / 499));

/** In basis points. */
function findLargestMove(a: CurveParameters, b: CurveParameters): number {
  const moves = [getZeroRate, getParRate, getForwardRate].flatMap((getRate) =>
    TIMES.map((time) => Math.abs(getRate(a, time) - getRate(b, time))),
  );
  return 100 * Math.max(...moves);
}

const getDistance = ({ tau1, tau2 }: CurveParameters) => Math.log(tau2 / tau1);
const withDecays = (first: number, second: number): CurveParameters => {
  const sign = first < second ? -1 : 1;
  const humps = { beta2: 18 * sign, beta3: -19 * sign };
  return { beta0: 12, beta1: -2, ...humps, tau1: first, tau2: second };
};

describe('separated decays', () => {
  test('are in one order with small betas if decays were almost equal', () => {
    for (const curve of [withDecays(2, 2.2), withDecays(2.2, 2)]) {
      const separated = separateDecays(curve, RANGE);
      expect(getDistance(separated)).toBeCloseTo(0.3, 9);
      expect(Math.abs(separated.beta2)).toBeLessThan(7);
      expect(Math.abs(separated.beta3)).toBeLessThan(7);
      expect(findLargestMove(curve, separated)).toBeLessThan(0.5);
    }
  });

  test('are nearer if the full distance moves rates too much, and as given if any does', () => {
    const multiply = ({ beta2, beta3, ...curve }: CurveParameters, factor: number) => ({
      ...curve,
      beta2: beta2 * factor,
      beta3: beta3 * factor,
    });
    const curve = withDecays(2, 2.2);
    const [twice, tenfold] = [multiply(curve, 2), multiply(curve, 10)];
    expect(getDistance(separateDecays(twice, RANGE))).toBeCloseTo(0.2, 9);
    expect(separateDecays(tenfold, RANGE)).toBe(tenfold);
    // These are further from each other than the smaller distance.
    const further = multiply(withDecays(2, 2 * Math.exp(0.25)), 2.5);
    expect(separateDecays(further, RANGE)).toBe(further);
  });

  test('never move a rate by more than half a basis point, whatever the curve is', () => {
    const beta = fc.oneof(number(-5, 5), number(-100, 100));
    const curves = fc.record({
      beta0: number(0, 20),
      beta1: beta,
      beta2: beta,
      beta3: beta,
      tau1: number(0.05, 20),
      distance: fc.oneof(number(-0.3, 0.3), number(-3, 3)),
    });
    fc.assert(
      fc.property(curves, fc.boolean(), ({ distance, ...betas }, isOpposite) => {
        const beta3 = isOpposite ? -betas.beta2 : betas.beta3;
        const curve = { ...betas, beta3, tau2: betas.tau1 * Math.exp(distance) };
        const separated = separateDecays(curve, RANGE);
        if (separated === curve) return;
        expect(getDistance(separated)).toBeGreaterThan(Math.max(distance, 0.2) - 1e-9);
        expect(findLargestMove(curve, separated)).toBeLessThan(0.5);
      }),
      { numRuns: 150 * REPETITIONS },
    );
  });
});
