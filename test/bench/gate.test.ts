import { describe, expect, test } from 'bun:test';
import { isLoss, measureTwiceOnLoss } from '../../bench/gate/loss.ts';

const compare = (ratio: number) => ({ current: '', release: '', ratio });

describe('the gate of the benchmarks', () => {
  test('fails on a loss of 16 %, and on a ratio that could not be measured', () => {
    expect(isLoss(compare(0.84))).toBe(true);
    expect(isLoss(compare(Number.NaN))).toBe(true);
  });

  test('passes with a loss of 14 %, and with a gain', () => {
    expect(isLoss(compare(0.86))).toBe(false);
    expect(isLoss(compare(3))).toBe(false);
  });

  test('measures once more on a loss, and the better result counts', async () => {
    const measureFrom = async (ratios: number[]) =>
      (await measureTwiceOnLoss(async () => compare(ratios.shift() ?? Number.NaN))).ratio;
    expect(await measureFrom([0.9, 2])).toBe(0.9);
    expect(await measureFrom([0.5, 0.99])).toBe(0.99);
    expect(await measureFrom([0.5, 0.4])).toBe(0.5);
    expect(await measureFrom([Number.NaN, 0.4])).toBe(0.4);
  });
});
