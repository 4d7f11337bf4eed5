import { describe, expect, test } from 'bun:test';
import { accruedInterest } from '../../../src/bonds/coupon-bond.ts';
import { getZeroRate } from '../../../src/bonds/curve/curve-rates.ts';
import { fitDiscountCurve } from '../../../src/bonds/curve/fit-discount-curve.ts';
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
