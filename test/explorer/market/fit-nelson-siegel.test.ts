import { describe, expect, test } from 'bun:test';
import {
  fitNelsonSiegel,
  type YieldObservation,
} from '../../../src/explorer/market/fit-nelson-siegel.ts';

const maturities = [
  0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 18, 20, 25, 30,
];

/** A curve by the textbook: level 12, slope -3, hump 2 at 1.7 years. */
function textbook(years: number): number {
  const scaled = years / 1.7;
  const slope = (1 - Math.exp(-scaled)) / scaled;
  return 12 - 3 * slope + 2 * (slope - Math.exp(-scaled));
}

describe('the fitted curve', () => {
  test('finds a curve of its own kind again, within a basis point', () => {
    const fit = fitNelsonSiegel(
      maturities.map((years): YieldObservation => [years, textbook(years)]),
    );
    for (const years of [0.1, 0.4, 1, 2.5, 5, 11, 30]) {
      expect(Math.abs((fit?.yieldAt(years) ?? 0) - textbook(years))).toBeLessThan(0.01);
    }
  });

  test('goes through the middle of what lies on both sides of it', () => {
    const noisy = maturities.map((years, index): YieldObservation => {
      return [years, textbook(years) + (index % 2 === 0 ? 0.05 : -0.05)];
    });
    const fit = fitNelsonSiegel(noisy);
    const off = noisy.map(([years, percent]) => percent - (fit?.yieldAt(years) ?? 0));
    expect(Math.abs(off.reduce((sum, each) => sum + each, 0) / off.length)).toBeLessThan(0.005);
    expect(Math.max(...off.map(Math.abs))).toBeLessThan(0.1);
  });

  test('is not led astray by what lies far off, be it a fifth of all', () => {
    const astray = [...maturities, 2.2, 3.3, 4.4, 5.5, 6.6].map(
      (years, place): YieldObservation => {
        return [years, textbook(years) + (place >= maturities.length ? 0.9 : (place % 2) * 0.02)];
      },
    );
    const fit = fitNelsonSiegel(astray);
    for (const years of [0.25, 1, 3, 5, 10, 25]) {
      expect(Math.abs((fit?.yieldAt(years) ?? 0) - textbook(years) - 0.01)).toBeLessThan(0.02);
    }
  });

  test('does not run after single quotes where there are few', () => {
    const few: YieldObservation[] = [
      [0.8, 12.9],
      [0.95, 12.2],
      [1.5, 12.7],
      [2, 12.8],
      [2.6, 14],
      [3, 14],
      [6, 13.6],
    ];
    const fit = fitNelsonSiegel(few);
    const rises = Array.from({ length: 50 }, (_, step) => 0.8 + step / 10).map(
      (years) => (fit?.yieldAt(years + 0.1) ?? 0) - (fit?.yieldAt(years) ?? 0),
    );
    // Without a hump it goes one way only.
    expect(new Set(rises.map(Math.sign)).size).toBe(1);
  });

  test('tells how far it reaches, and is not there where there is too little', () => {
    const observed = maturities.map((years): YieldObservation => [years, 10]);
    expect(fitNelsonSiegel(observed)).toMatchObject({ from: 0.1, to: 30 });
    expect(fitNelsonSiegel(observed)?.yieldAt(4)).toBeCloseTo(10, 6);
    expect(fitNelsonSiegel(observed.slice(0, 4))).toBeUndefined();
    expect(fitNelsonSiegel([])).toBeUndefined();
    const same = Array.from({ length: 9 }, (): YieldObservation => [2, 11]);
    expect(fitNelsonSiegel(same)).toBeUndefined();
  });
});
