import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { getCashFlows } from '../../../src/bonds/curve/cash-flows.ts';
import {
  type CurveParameters,
  getDiscountFactor,
  getZeroRate,
} from '../../../src/bonds/curve/curve-rates.ts';
import { fitDiscountCurve } from '../../../src/bonds/curve/fit-discount-curve.ts';
import {
  accruedInterest,
  billPrice,
  type CouponBond,
  cleanPrice,
} from '../../../src/bonds/index.ts';
import { parseDay } from '../../../src/shared/calendar.ts';
import { REPETITIONS } from '../../support/store.ts';
import { number } from '../arbitrary.ts';

const settlement = parseDay('2026-07-01');
const TENORS = [0.25, 0.5, 1, 2, 3, 5, 7, 10];

/** Bills to a year and bonds to some eleven years. */
function listSecurities(count: number) {
  return Array.from({ length: count }, (_, index) =>
    index % 3 === 0
      ? { maturity: settlement + 20 + Math.round((330 * index) / count) }
      : {
          maturity: settlement + 300 + Math.round((3_700 * index) / count),
          couponRate: 7 + ((index * 5) % 8),
          frequency: 2 as const,
        },
  );
}

function priceOnCurve(curve: CurveParameters, count: number, shiftPercent = 0) {
  return listSecurities(count).map((security) => {
    const { years, amounts } = getCashFlows(security, settlement);
    const dirtyPrice = years.reduce(
      (sum, time, index) =>
        sum +
        (amounts[index] ?? 0) *
          getDiscountFactor(curve, time) *
          Math.exp((-shiftPercent / 100) * time),
      0,
    );
    return { security, dirtyPrice };
  });
}

/** The yield in percent by bisection: simple for bills, compounded twice a year for bonds. */
function findYield(security: CouponBond | { maturity: number }, dirtyPrice: number): number {
  let [low, high] = [0, 100];
  while (high - low > 1e-10) {
    const middle = (low + high) / 2;
    const price =
      'couponRate' in security
        ? cleanPrice(security, settlement, middle) + accruedInterest(security, settlement)
        : billPrice(security, settlement, middle);
    if (price > dirtyPrice) low = middle;
    else high = middle;
  }
  return low;
}

const svensson = fc.record({
  beta0: number(8, 14),
  beta1: number(-4, 6),
  beta2: number(-4, 4),
  beta3: number(-4, 4),
  tau1: number(0.5, 2),
  tau2: number(3, 6),
});

describe('the discount function fitted to prices', () => {
  // Rates are compared, and not parameters: the same rates have several where a hump is small.
  test('gives back a Svensson curve that the prices were made from, to a tenth of a basis point', () => {
    fc.assert(
      fc.property(svensson, (curve) => {
        const fit = fitDiscountCurve(priceOnCurve(curve, 30), settlement);
        expect(fit).toMatchObject({ method: 'svensson', isConverged: true });
        for (const years of TENORS) {
          const zero = fit && getZeroRate(fit.parameters, years);
          expect(Math.abs((zero ?? 0) - getZeroRate(curve, years))).toBeLessThan(0.001);
        }
      }),
      { numRuns: 100 * REPETITIONS },
    );
  });

  test('gives back a Nelson-Siegel curve if there are fewer securities', () => {
    fc.assert(
      fc.property(svensson, (parameters) => {
        const curve = { ...parameters, beta3: 0 };
        const fit = fitDiscountCurve(priceOnCurve(curve, 12), settlement);
        expect(fit).toMatchObject({ method: 'nelson-siegel', isConverged: true });
        for (const years of TENORS) {
          const zero = fit && getZeroRate(fit.parameters, years);
          expect(Math.abs((zero ?? 0) - getZeroRate(curve, years))).toBeLessThan(0.001);
        }
      }),
      { numRuns: 100 * REPETITIONS },
    );
  });

  test('has a hump from eight securities on, and two from twenty', () => {
    const curve = { beta0: 12, beta1: -3, beta2: 2, beta3: 1, tau1: 1, tau2: 4 };
    const fit = (count: number) => fitDiscountCurve(priceOnCurve(curve, count), settlement);
    const count = (shape: number | undefined) => (shape === 0 ? 0 : 1);
    const describeFit = (securities: number) => {
      const { method, parameters } = fit(securities) ?? {};
      return [method, count(parameters?.beta2), count(parameters?.beta3)];
    };
    expect(describeFit(7)).toEqual(['nelson-siegel', 0, 0]);
    expect(describeFit(8)).toEqual(['nelson-siegel', 1, 0]);
    expect(describeFit(19)).toEqual(['nelson-siegel', 1, 0]);
    expect(describeFit(20)).toEqual(['svensson', 1, 1]);
  });

  test('is flat in a flat market, with securities few or many', () => {
    for (const count of [6, 12, 40]) {
      const flat = { beta0: 11, beta1: 0, beta2: 0, beta3: 0, tau1: 1, tau2: 1 };
      const fit = fitDiscountCurve(priceOnCurve(flat, count), settlement);
      expect(fit?.rmse).toBeLessThan(0.02);
      for (const years of TENORS) {
        const zero = fit && getZeroRate(fit.parameters, years);
        expect(Math.abs((zero ?? 0) - getZeroRate(flat, years))).toBeLessThan(0.001);
      }
    }
  });

  test('does not depend on the order of securities', () => {
    const curve = { beta0: 12, beta1: -3, beta2: 2, beta3: 1, tau1: 1, tau2: 4 };
    const priced = priceOnCurve(curve, 24).map((entry, index) => ({
      ...entry,
      dirtyPrice: entry.dirtyPrice * (1 + 0.0002 * Math.sin(index)),
    }));
    const expected = fitDiscountCurve(priced, settlement);
    fc.assert(
      fc.property(fc.shuffledSubarray(priced, { minLength: priced.length }), (shuffled) => {
        expect(fitDiscountCurve(shuffled, settlement)?.parameters).toEqual(
          expected?.parameters as CurveParameters,
        );
      }),
      { numRuns: 10 },
    );
  });

  test('has betas that can be read from day to day if the best decays are almost equal', () => {
    const curve = { beta0: 12, beta1: -2, beta2: -18, beta3: 17, tau1: 2, tau2: 2.2 };
    const days = Array.from({ length: 12 }, (_, day) => {
      const priced = priceOnCurve({ ...curve, beta0: 12 + 0.02 * day }, 40);
      const quoted = priced.map(({ security, dirtyPrice }, index) => {
        const years = Math.min(5, (security.maturity - settlement) / 365);
        const error = 0.00002 * years * Math.sin(index * (day + 2.7));
        return { security, dirtyPrice: dirtyPrice * (1 + error) };
      });
      return fitDiscountCurve(quoted, settlement)?.parameters as CurveParameters;
    });
    for (const [index, { beta2, beta3, tau1, tau2 }] of days.entries()) {
      expect(tau2 / tau1).toBeGreaterThan(Math.exp(0.19));
      const previous = days[index - 1];
      if (!previous) continue;
      expect(Math.abs(beta2 - previous.beta2)).toBeLessThan(3);
      expect(Math.abs(beta3 - previous.beta3)).toBeLessThan(3);
    }
  });

  test('leaves out securities that are far from the others, and says which', () => {
    const curve = { beta0: 12, beta1: -3, beta2: 2, beta3: 0, tau1: 1.5, tau2: 1.5 };
    const priced = priceOnCurve(curve, 30);
    const rich = priceOnCurve(curve, 30, -1.5);
    const mixed = priced.map((entry, index) => (index % 6 === 2 ? (rich[index] ?? entry) : entry));
    const fit = fitDiscountCurve(mixed, settlement);
    expect(fit?.isOutlier).toEqual(mixed.map((_, index) => index % 6 === 2));
    for (const years of TENORS) {
      const zero = fit && getZeroRate(fit.parameters, years);
      expect(Math.abs((zero ?? 0) - getZeroRate(curve, years))).toBeLessThan(0.002);
    }
  });

  test('has the root of the mean square of yield errors, of bills by their prices', () => {
    // Simple yields of 10 percent, a basis point more or less, and two that are far away.
    const bills = Array.from({ length: 14 }, (_, index) => {
      const days = 20 + 25 * index;
      const ytm = index === 3 || index === 9 ? 14 : 10 + (index % 2 === 0 ? 0.01 : -0.01);
      const price = 100 / (1 + (ytm / 100) * (days / 365));
      return { security: { maturity: settlement + days }, dirtyPrice: price, years: days / 365 };
    });
    const fit = fitDiscountCurve(bills, settlement);
    expect(fit?.isOutlier).toEqual(bills.map((_, index) => index === 3 || index === 9));
    const errors = bills.flatMap(({ dirtyPrice, years }, index) => {
      if (!fit || fit.isOutlier[index]) return [];
      const { beta0, beta1, beta2, tau1 } = fit.parameters;
      const exponential = Math.exp(-years / tau1);
      const slope = ((1 - exponential) * tau1) / years;
      const zero = beta0 + beta1 * slope + beta2 * (slope - exponential);
      const simpleYield = (100 * (Math.exp((zero / 100) * years) - 1)) / years;
      return [100 * (simpleYield - (100 * (100 / dirtyPrice - 1)) / years)];
    });
    const squares = errors.reduce((sum, error) => sum + error * error, 0);
    expect(errors).toHaveLength(12);
    expect(fit?.rmse).toBeCloseTo(Math.sqrt(squares / 12), 3);
    expect(fit?.rmse).toBeGreaterThan(0.7);
  });

  test('has that of the yields to maturity of bonds, at prices by its parameters', () => {
    const curve = { beta0: 12, beta1: -3, beta2: 2, beta3: 1, tau1: 1, tau2: 4 };
    const priced = priceOnCurve(curve, 40).map(({ security, dirtyPrice }, index) => {
      const years = (security.maturity - settlement) / 365;
      const error = 0.003 * Math.min(years, 5) * Math.sin(7 * index);
      return { security, dirtyPrice: dirtyPrice * (1 + error) };
    });
    const fit = fitDiscountCurve(priced, settlement);
    const {
      beta0 = 0,
      beta1 = 0,
      beta2 = 0,
      beta3 = 0,
      tau1 = 1,
      tau2 = 1,
    } = fit?.parameters ?? {};
    const getZero = (time: number) => {
      const [first, second] = [time / tau1, time / tau2];
      const slope = (1 - Math.exp(-first)) / first;
      const secondHump = (1 - Math.exp(-second)) / second - Math.exp(-second);
      return (
        (beta0 + beta1 * slope + beta2 * (slope - Math.exp(-first)) + beta3 * secondHump) / 100
      );
    };
    const errors = priced.flatMap(({ security, dirtyPrice }, index) => {
      if (fit?.isOutlier[index]) return [];
      const { years, amounts } = getCashFlows(security, settlement);
      const fitted = years.reduce(
        (sum, time, flow) => sum + (amounts[flow] ?? 0) * Math.exp(-getZero(time) * time),
        0,
      );
      return [100 * (findYield(security, fitted) - findYield(security, dirtyPrice))];
    });
    const squares = errors.reduce((sum, error) => sum + error * error, 0);
    expect(fit?.rmse).toBeGreaterThan(10);
    expect(fit?.rmse).toBeCloseTo(Math.sqrt(squares / errors.length), 6);
  });

  test('is undefined with fewer than five maturities, and finite whatever the prices', () => {
    const flat = { beta0: 11, beta1: 0, beta2: 0, beta3: 0, tau1: 1, tau2: 1 };
    const priced = priceOnCurve(flat, 30);
    expect(fitDiscountCurve([], settlement)).toBeUndefined();
    expect(fitDiscountCurve(priced.slice(0, 4), settlement)).toBeUndefined();
    expect(
      fitDiscountCurve(
        priced.map(({ dirtyPrice }) => ({ security: { maturity: settlement + 90 }, dirtyPrice })),
        settlement,
      ),
    ).toBeUndefined();
    fc.assert(
      fc.property(fc.array(number(1e-3, 1e4), { minLength: 30, maxLength: 30 }), (prices) => {
        const odd = priced.map((entry, index) => ({ ...entry, dirtyPrice: prices[index] ?? 1 }));
        const fit = fitDiscountCurve(odd, settlement);
        if (!fit?.isConverged) return;
        expect(Object.values(fit.parameters).every(Number.isFinite)).toBe(true);
        expect(Number.isFinite(fit.rmse)).toBe(true);
      }),
      { numRuns: 100 },
    );
  });
});
