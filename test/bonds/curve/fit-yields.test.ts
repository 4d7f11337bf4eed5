import { describe, expect, test } from 'bun:test';
import { getContinuousZero } from '../../../src/bonds/curve/curve-rates.ts';
import {
  type CurveFit,
  fitYields,
  type YieldObservation,
} from '../../../src/bonds/curve/fit-yields.ts';

const maturities = [
  0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 18, 20, 25, 30,
];

/** A Nelson-Siegel curve with level 12, slope -3, hump 2 and decay 1.7. */
function evaluate(years: number): number {
  const scaled = years / 1.7;
  const slope = (1 - Math.exp(-scaled)) / scaled;
  return 12 - 3 * slope + 2 * (slope - Math.exp(-scaled));
}

const evaluateFit = (fit: CurveFit | undefined, years: number) =>
  fit ? getContinuousZero(fit.parameters, years) : Number.NaN;

describe('the fitted yield curve', () => {
  test('recovers a Nelson-Siegel curve within a basis point', () => {
    const fit = fitYields(maturities.map((years): YieldObservation => [years, evaluate(years)]));
    for (const years of [0.1, 0.4, 1, 2.5, 5, 11, 30]) {
      expect(Math.abs(evaluateFit(fit, years) - evaluate(years))).toBeLessThan(0.01);
    }
  });

  test('ignores outliers, even a fifth of all observations', () => {
    const withOutliers = [...maturities, 2.2, 3.3, 4.4, 5.5, 6.6].map(
      (years, index): YieldObservation => {
        return [years, evaluate(years) + (index >= maturities.length ? 0.9 : (index % 2) * 0.02)];
      },
    );
    const fit = fitYields(withOutliers);
    expect(fit?.isOutlier).toEqual(withOutliers.map((_, index) => index >= maturities.length));
    // The root of the mean square of the others alone, by the parameters, in basis points.
    const errors = withOutliers
      .slice(0, maturities.length)
      .map(([years, percent]) => 100 * (evaluateFit(fit, years) - percent));
    const squares = errors.reduce((sum, error) => sum + error * error, 0);
    expect(fit?.rmse).toBeCloseTo(Math.sqrt(squares / maturities.length), 9);
    expect(fitYields(withOutliers.toReversed())?.parameters).toEqual(fit?.parameters as never);
    for (const years of [0.25, 1, 3, 5, 10, 25]) {
      expect(Math.abs(evaluateFit(fit, years) - evaluate(years) - 0.01)).toBeLessThan(0.02);
    }
  });

  test('has no hump when there are few quotes', () => {
    const few: YieldObservation[] = [
      [0.8, 12.9],
      [0.95, 12.2],
      [1.5, 12.7],
      [2, 12.8],
      [2.6, 14],
      [3, 14],
      [6, 13.6],
    ];
    const fit = fitYields(few);
    const rises = Array.from({ length: 50 }, (_, step) => 0.8 + step / 10).map(
      (years) => evaluateFit(fit, years + 0.1) - evaluateFit(fit, years),
    );
    // Without a hump the curve only rises or only falls.
    expect(new Set(rises.map(Math.sign)).size).toBe(1);
  });

  test('has a hump from twenty quotes on, and none with one less', () => {
    const fit = (count: number) => {
      const some = maturities.slice(0, count);
      return fitYields(some.map((years): YieldObservation => [years, evaluate(years)]));
    };
    expect(fit(19)?.parameters.beta2).toBe(0);
    expect(fit(20)?.parameters.beta2).toBeCloseTo(2, 0);
    expect(evaluateFit(fit(20), 3)).toBeCloseTo(evaluate(3), 2);
  });

  test('holds between the first and last maturity, and is undefined for too few observations', () => {
    const observed = maturities.map((years): YieldObservation => [years, 10]);
    expect(fitYields(observed)).toMatchObject({ shortest: 0.1, longest: 30 });
    expect(evaluateFit(fitYields(observed), 4)).toBeCloseTo(10, 6);
    expect(fitYields(observed.slice(0, 4))).toBeUndefined();
    expect(fitYields([])).toBeUndefined();
    const same = Array.from({ length: 9 }, (): YieldObservation => [2, 11]);
    expect(fitYields(same)).toBeUndefined();
    const few = [1, 2, 3, 4, 1, 2, 3, 4].map((years): YieldObservation => [years, 10 + years]);
    expect(fitYields(few)).toBeUndefined();
    expect(fitYields([...few, [5, 15]])).toBeDefined();
  });
});
