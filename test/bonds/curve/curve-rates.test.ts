import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  getDiscountFactor,
  getForwardRate,
  getParRate,
  getParSchedule,
  getZeroRate,
} from '../../../src/bonds/curve/curve-rates.ts';
import { number } from '../arbitrary.ts';

const curve = fc.record({
  beta0: number(2, 20),
  beta1: number(-15, 15),
  beta2: number(-15, 15),
  beta3: number(-15, 15),
  tau1: number(0.1, 10),
  tau2: number(0.1, 10),
});
const years = number(1 / 365, 40);

describe('a Svensson curve', () => {
  test('has discount factors that fall if its forward rates are positive', () => {
    fc.assert(
      fc.property(curve, years, number(0.001, 0.02), (parameters, start, step) => {
        const times = [0, 1, 2, 3].map((index) => start + (index * step) / 3);
        fc.pre(times.every((time) => getForwardRate(parameters, time) > 0.01));
        const [first = 0, last = 0] = [start, start + step].map((time) =>
          getDiscountFactor(parameters, time),
        );
        expect(last).toBeLessThan(first);
      }),
    );
  });

  test('prices a bond with its par rate as the coupon at 100', () => {
    fc.assert(
      fc.property(curve, years, (parameters, maturity) => {
        const par = getParRate(parameters, maturity);
        const coupons = getParSchedule(maturity).map(
          ({ time, period }) => par * period * getDiscountFactor(parameters, time),
        );
        const value = coupons.reduce((sum, coupon) => sum + coupon, 0);
        expect(value + 100 * getDiscountFactor(parameters, maturity)).toBeCloseTo(100, 8);
      }),
    );
  });

  test('has forward rates that add up to its discount factors', () => {
    fc.assert(
      fc.property(curve, number(0.5, 30), (parameters, maturity) => {
        const steps = 2_000;
        let sum = 0;
        for (let step = 0; step < steps; step += 1)
          sum += getForwardRate(parameters, ((step + 0.5) * maturity) / steps);
        const logDiscount = Math.log(getDiscountFactor(parameters, maturity));
        expect((-sum * maturity) / steps / 100).toBeCloseTo(logDiscount, 3);
      }),
      { numRuns: 30 },
    );
  });

  test('compounds zero rates twice a year, and is flat if only its level is not 0', () => {
    const flat = { beta0: 10, beta1: 0, beta2: 0, beta3: 0, tau1: 1, tau2: 1 };
    // 200 (e^0.05 - 1).
    expect(getZeroRate(flat, 7)).toBeCloseTo(10.254219, 6);
    expect(getParRate(flat, 7)).toBeCloseTo(10.254219, 6);
    expect(getForwardRate(flat, 7)).toBe(10);
    expect(getDiscountFactor(flat, 0)).toBe(1);
  });

  test('has the simple rate as its par rate up to half a year', () => {
    const flat = { beta0: 10, beta1: 0, beta2: 0, beta3: 0, tau1: 1, tau2: 1 };
    expect(getParSchedule(0.25)).toEqual([{ time: 0.25, period: 0.25 }]);
    expect(getParRate(flat, 0.25)).toBeCloseTo(((Math.exp(0.025) - 1) / 0.25) * 100, 9);
    expect(getParSchedule(1.25).map(({ period }) => period)).toEqual([0.5, 0.5, 0.25]);
  });
});

test('a par schedule has no period for a rounding error', () => {
  expect(getParSchedule(1.5 + 1e-12)).toHaveLength(3);
  expect(getParSchedule(1.5 + 1 / 365)).toHaveLength(4);
});
