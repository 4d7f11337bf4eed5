import { describe, expect, test } from 'bun:test';
import { accruedInterest } from '../../../src/bonds/coupon-bond.ts';
import { getZeroRate } from '../../../src/bonds/curve/curve-rates.ts';
import { fitDiscountCurve } from '../../../src/bonds/curve/fit-discount-curve.ts';
import { CURVE_FIT_VERSION } from '../../../src/bonds/curve/market-curve.ts';
import { parseDay } from '../../../src/shared/calendar.ts';
import markets from './quantlib-markets.json' with { type: 'json' };

const settlement = parseDay('2026-07-01');

function fitMarket(securities: (typeof markets)[number]['securities']) {
  const priced = securities.map(([maturityDate, couponRate, cleanPrice]) => {
    const maturity = parseDay(String(maturityDate));
    if (couponRate === null) return { security: { maturity }, dirtyPrice: Number(cleanPrice) };
    const bond = { maturity, couponRate: Number(couponRate), frequency: 2 as const };
    return {
      security: bond,
      dirtyPrice: Number(cleanPrice) + accruedInterest(bond, settlement),
    };
  });
  return fitDiscountCurve(priced, settlement);
}

describe('the discount function beside that of QuantLib (quantlib-markets.py)', () => {
  for (const { name, securities, zeroRates } of markets) {
    test(`has its zero rates within 2 basis points: ${name}`, () => {
      const fit = fitMarket(securities);
      expect(fit?.isConverged).toBe(true);
      expect(fit?.isOutlier).not.toContain(true);
      expect(zeroRates.length).toBeGreaterThanOrEqual(2);
      for (const [years = 0, expected = 0] of zeroRates) {
        const zero = fit && getZeroRate(fit.parameters, years);
        expect(Math.abs((zero ?? Infinity) - expected)).toBeLessThan(0.02);
      }
    });
  }
});

// Curves are kept under their version: where these figures change, it has to be raised.
test('the discount functions of a version have the same rates', () => {
  const rates = markets.map(({ securities }) => {
    const fit = fitMarket(securities);
    return fit
      ? [0.5, 2, 5].map((years) => getZeroRate(fit.parameters, years).toFixed(3)).join()
      : '';
  });
  expect([CURVE_FIT_VERSION, ...rates]).toEqual([
    2,
    '10.298,11.457,12.497',
    '20.454,17.012,14.804',
    '10.514,11.812,11.128',
    '11.329,11.284,11.307',
    '11.265,11.569,11.634',
    '11.647,12.374,13.033',
    '10.551,10.612,11.066',
  ]);
});
