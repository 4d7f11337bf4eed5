import { expect, test } from 'bun:test';
import {
  computeCutoff,
  getBiweight,
  getBiweightLoss,
} from '../../../src/bonds/curve/tukey-biweight.ts';

/** Half of the values of a standard normal distribution are within this of 0. */
const NORMAL_QUARTILE = 0.6744897501960817;

test('the cutoff is 4.685 standard deviations, as the median of a normal distribution tells them', () => {
  const deviations = Float64Array.from([-9, NORMAL_QUARTILE, 0.1, -NORMAL_QUARTILE, -0.2, 3, 0]);
  expect(computeCutoff(deviations, 0)).toBeCloseTo(4.685, 3);
  expect(
    computeCutoff(
      deviations.map((deviation) => 10 * deviation),
      0,
    ),
  ).toBeCloseTo(46.85, 2);
  // The least deviation is one too, in the place of what the median tells.
  expect(computeCutoff(deviations, 0.9)).toBeCloseTo(4.685, 3);
  expect(computeCutoff(deviations, 2)).toBe(9.37);
});

test('an observation counts less the further away it is, as the slope of its loss says', () => {
  expect([0, 1, -2, 4, 5].map((deviation) => getBiweight(deviation, 4))).toEqual([
    1,
    (15 / 16) ** 2,
    (3 / 4) ** 2,
    0,
    0,
  ]);
  for (const deviation of [-5, -3, -0.5, 0.1, 2, 3.9, 4.5]) {
    const [up, down] = [1e-5, -1e-5].map((step) => getBiweightLoss(deviation + step, 4));
    const slope = ((up as number) - (down as number)) / 2e-5;
    expect(slope).toBeCloseTo(2 * deviation * getBiweight(deviation, 4), 7);
  }
  expect(getBiweightLoss(3, Infinity)).toBe(9);
});
