import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  type CurveQuote,
  fitMarketCurve,
  fitQuotedYields,
  getCurvePoint,
} from '../../../src/bonds/curve/market-curve.ts';
import { formatDay, parseDay } from '../../../src/shared/calendar.ts';
import { number } from '../arbitrary.ts';

const settlement = parseDay('2026-07-01');

/** Discount paper at a simple yield of 10 percent. */
function bill(days: number, differing: Partial<CurveQuote> = {}): CurveQuote {
  return {
    symbol: `B${String(days).padStart(4, '0')}`,
    type: 'tbill',
    maturityDate: formatDay(settlement + days),
    maturityYears: days / 365,
    ytm: 10,
    lastPrice: 100 / (1 + days / 3650),
    ...differing,
  };
}

const bills = [14, 40, 80, 120, 160, 200, 250, 300, 350].map((days) => bill(days));

describe('the curves of a market', () => {
  test('leave out floaters, also of yields', () => {
    const floater = bill(220, { symbol: 'FLOATER', type: 'bond', ytm: 11 });
    const terms = { couponRate: 10, isFloating: true };
    const curve = fitMarketCurve(
      [...bills, floater],
      (symbol) => (symbol === 'FLOATER' ? terms : undefined),
      settlement,
    );
    expect(curve).toMatchObject({
      method: 'nelson-siegel',
      usedCount: bills.length,
      leftOut: [{ symbol: 'FLOATER', reason: 'floating' }],
    });
    expect(curve.yieldFit?.isOutlier).toHaveLength(bills.length);
  });

  test('leave out what matures on the day of settlement, or has matured', () => {
    const matured = [bill(0), bill(-1)];
    const curve = fitMarketCurve([...bills, ...matured], () => undefined, settlement);
    expect(curve).toMatchObject({
      method: 'nelson-siegel',
      usedCount: bills.length,
      leftOut: [
        { symbol: 'B00-1', reason: 'matured' },
        { symbol: 'B0000', reason: 'matured' },
      ],
    });
    const without = fitMarketCurve(bills, () => undefined, settlement);
    expect(curve.parameters).toEqual(without.parameters as never);
    expect(curve.yieldFit).toEqual(without.yieldFit as never);
    const bonds = [...bills, ...matured].map((quote) => ({ ...quote, type: 'bond' }));
    expect(fitMarketCurve(bonds, () => undefined, settlement)).toMatchObject({
      method: 'nelson-siegel-yields',
      leftOut: curve.leftOut,
    });
  });

  test('go through yields below 0, and through prices above 100 of bills', () => {
    const negative = bills.map((quote, index) => {
      const ytm = index < 4 ? -0.5 : 0.25;
      return { ...quote, ytm, lastPrice: 100 / (1 + (ytm / 100) * quote.maturityYears) };
    });
    const bonds = negative.map((quote) => ({ ...quote, type: 'bond' }));
    const ofYields = fitMarketCurve(bonds, () => undefined, settlement);
    expect(ofYields).toMatchObject({ method: 'nelson-siegel-yields', leftOut: [], usedCount: 9 });
    const ofPrices = fitMarketCurve(negative, () => undefined, settlement);
    expect(ofPrices).toMatchObject({ method: 'nelson-siegel', leftOut: [], usedCount: 9 });
    expect(getCurvePoint(ofPrices, { tenor: '', years: 0.1 }).zero).toBeLessThan(-0.2);
  });

  test('are of yields alone where the terms of too few securities are known', () => {
    const bonds = bills.map((quote) => ({ ...quote, type: 'bond' }));
    const without = bill(180, { type: 'bond', symbol: 'ZERO', ytm: 0 });
    const curve = fitMarketCurve([...bonds, without], () => undefined, settlement);
    expect(curve).toMatchObject({
      method: 'nelson-siegel-yields',
      usedCount: bonds.length,
      leftOut: [{ symbol: 'ZERO', reason: 'no yield' }],
      discountFit: undefined,
    });
    const point = getCurvePoint(curve, { tenor: '6M', years: 0.5 });
    expect(point).toMatchObject({ zero: null, par: null, forward: null, discountFactor: null });
    expect(point.yield).toBeCloseTo(10, 6);
    expect(fitQuotedYields(bonds, () => undefined)).toEqual(curve.yieldFit as never);
  });

  test('are null outside of the maturities quoted, at both ends', () => {
    const curve = fitMarketCurve(bills, () => undefined, settlement);
    const getZero = (years: number) => getCurvePoint(curve, { tenor: '', years }).zero;
    expect([13 / 365, 351 / 365].map(getZero)).toEqual([null, null]);
    expect(getZero(14 / 365)).toBeCloseTo(10.2, 1);
    expect(getZero(350 / 365)).toBeCloseTo(9.78, 1);
  });

  test('do not exist for one bill, for no quotes, or for bills of the same day', () => {
    for (const quotes of [[], bills.slice(0, 1), bills.map(() => bill(90))]) {
      const curve = fitMarketCurve(quotes, () => undefined, settlement);
      expect(curve).toMatchObject({ method: null, parameters: null, rmse: null, usedCount: 0 });
    }
  });

  test('have finite figures or none, whatever the prices, yields and coupons are', () => {
    const magnitude = number(-15, 15).map((exponent) => 10 ** exponent);
    const security = fc.record({
      days: fc.oneof(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 30_000 })),
      ytm: fc.oneof(number(10, 12), magnitude),
      lastPrice: fc.oneof(number(90, 110), magnitude),
      couponRate: fc.oneof(fc.constant(12), magnitude),
    });
    const market = fc.array(security, { minLength: 6, maxLength: 30 });
    fc.assert(
      fc.property(market, (securities) => {
        const odd = securities.map(({ days, ytm, lastPrice }, index) =>
          bill(days, { symbol: `${index}`, type: 'bond', ytm, lastPrice }),
        );
        const findTerms = (symbol: string) => ({
          couponRate: securities[Number(symbol)]?.couponRate ?? 0,
          pricing: 'coupon' as const,
        });
        const curve = fitMarketCurve(odd, findTerms, settlement);
        const points = [0.1, 1, 10, 80].map((years) => getCurvePoint(curve, { tenor: '', years }));
        const figures = [
          curve.rmse,
          ...Object.values(curve.parameters ?? {}),
          ...points.flatMap(({ tenor: _, ...point }) => Object.values(point)),
        ];
        expect(figures.filter((figure) => figure !== null && !Number.isFinite(figure))).toEqual([]);
        if (curve.method && curve.method !== 'not-converged') expect(curve.rmse).not.toBeNull();
      }),
      { numRuns: 200 },
    );
  });
});
