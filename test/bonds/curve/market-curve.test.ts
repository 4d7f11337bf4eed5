import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  type CurveQuote,
  fitMarketCurve,
  getCurvePoint,
} from '../../../src/bonds/curve/market-curve.ts';
import { formatDay, parseDay } from '../../../src/shared/calendar.ts';
import { REPETITIONS } from '../../support/store.ts';
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
      usedSymbols: bills.map(({ symbol }) => symbol),
      leftOut: [{ symbol: 'FLOATER', reason: 'floating' }],
    });
    expect(curve.yieldFit?.isOutlier).toHaveLength(bills.length);
  });

  test('leave out what is issued after the day of settlement, as its price is of a later day', () => {
    const curve = (issueDate: string) =>
      fitMarketCurve(
        bills,
        (symbol) => (symbol === 'B0160' ? { issueDate } : undefined),
        settlement,
      );
    const issued = curve(formatDay(settlement));
    expect(issued).toMatchObject({ leftOut: [], method: 'nelson-siegel' });
    expect(curve(formatDay(settlement + 1))).toMatchObject({
      usedSymbols: issued.usedSymbols.filter((symbol) => symbol !== 'B0160'),
      leftOut: [{ symbol: 'B0160', reason: 'not issued' }],
    });
    expect(curve(bill(160).maturityDate)).toEqual(issued);
  });

  test('leave out what matures on the day of settlement, or has matured', () => {
    const matured = [bill(0), bill(-1)];
    const curve = fitMarketCurve([...bills, ...matured], () => undefined, settlement);
    expect(curve).toMatchObject({
      method: 'nelson-siegel',
      usedSymbols: bills.map(({ symbol }) => symbol),
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
    expect(ofYields.usedSymbols).toHaveLength(9);
    expect(ofYields).toMatchObject({ method: 'nelson-siegel-yields', leftOut: [] });
    const ofPrices = fitMarketCurve(negative, () => undefined, settlement);
    expect(ofPrices.usedSymbols).toHaveLength(9);
    expect(ofPrices).toMatchObject({ method: 'nelson-siegel', leftOut: [] });
    expect(getCurvePoint(ofPrices, { tenor: '', years: 0.1 }).zero).toBeLessThan(-0.2);
  });

  test('are of yields alone if the terms of too few securities are known', () => {
    const bonds = bills.map((quote) => ({ ...quote, type: 'bond' }));
    const without = bill(180, { type: 'bond', symbol: 'ZERO', ytm: 0 });
    const curve = fitMarketCurve([...bonds, without], () => undefined, settlement);
    expect(curve).toMatchObject({
      method: 'nelson-siegel-yields',
      usedSymbols: bonds.map(({ symbol }) => symbol),
      leftOut: [{ symbol: 'ZERO', reason: 'no yield' }],
      discountFit: undefined,
    });
    const point = getCurvePoint(curve, { tenor: '6M', years: 0.5 });
    expect(point).toMatchObject({ zero: null, par: null, forward: null, discountFactor: null });
    expect(point.yield).toBeCloseTo(10, 6);
  });

  test('are null outside of the maturities quoted, at both ends', () => {
    const curve = fitMarketCurve(bills, () => undefined, settlement);
    const getZero = (years: number) => getCurvePoint(curve, { tenor: '', years }).zero;
    expect([13 / 365, 351 / 365].map(getZero)).toEqual([null, null]);
    expect(getZero(14 / 365)).toBeCloseTo(10.2, 1);
    expect(getZero(350 / 365)).toBeCloseTo(9.78, 1);
  });

  test('reach the first and the last day quoted if its years are rounded, and not a day more', () => {
    for (const decimals of [4, 6]) {
      const rounded = Array.from({ length: 30 }, (_, index) => bill(1 + 13 * index)).map(
        (quote) => ({
          ...quote,
          maturityYears: Number(quote.maturityYears.toFixed(decimals)),
        }),
      );
      for (const count of [15, 21, 30]) {
        const quotes = rounded.slice(count === 15 ? 2 : 0, count);
        const curve = fitMarketCurve(quotes, () => undefined, settlement);
        const [first = 0, last = 0] = [quotes[0], quotes.at(-1)].map((quote) =>
          Math.round((quote?.maturityYears ?? 0) * 365),
        );
        const hasRates = (days: number) => {
          const point = getCurvePoint(curve, { tenor: '', years: days * (1 / 365) });
          return [point.yield !== null, point.zero !== null];
        };
        expect([first, last].map(hasRates)).toEqual([
          [true, true],
          [true, true],
        ]);
        expect([first - 0.08, last + 0.08].map(hasRates)).toEqual([
          [false, false],
          [false, false],
        ]);
      }
    }
  });

  test('say why they do not exist, with what a fit needs', () => {
    const explain = (quotes: readonly CurveQuote[]) => {
      const curve = fitMarketCurve(quotes, () => undefined, settlement);
      return [
        curve.method,
        curve.reason,
        new Set<string>(curve.leftOut.map(({ reason }) => reason)),
      ];
    };
    const asBond = (quote: CurveQuote) => ({ ...quote, type: 'bond' });
    const sameDay = bills.map((_, index) => bill(90, { symbol: `${index}` }));
    const noFit = new Set(['no fit']);
    expect(explain([])).toEqual([null, 'no quotes', new Set()]);
    expect(explain(bills.slice(0, 1))).toEqual([null, '1 maturity; a fit needs 5', noFit]);
    expect(explain(bills.slice(0, 4))).toEqual([null, '4 maturities; a fit needs 5', noFit]);
    expect(explain(sameDay)).toEqual([null, '1 maturity; a fit needs 5', noFit]);
    expect(explain(bills.slice(0, 5))).toEqual(['nelson-siegel', null, new Set()]);
    expect(explain(bills.slice(0, 4).map(asBond))).toEqual([
      null,
      '4 maturities; a fit needs 5',
      new Set(['no terms']),
    ]);
    expect(explain(bills.map((quote, index) => (index < 3 ? quote : asBond(quote))))).toEqual([
      'nelson-siegel-yields',
      '3 maturities with price and terms; a discount function needs 5',
      new Set(),
    ]);
    // Prices that no smooth curve is near.
    const absurd = bills.map((quote, index) => ({ ...quote, lastPrice: index % 2 ? 1e-9 : 1e12 }));
    expect(explain(absurd)).toEqual([
      'not-converged',
      'no discount function is near the prices',
      noFit,
    ]);
  });

  test('have finite figures or none and each security in one list, whatever the market is', () => {
    const magnitude = number(-15, 15).map((exponent) => 10 ** exponent);
    const security = fc.record({
      days: fc.oneof(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 30_000 })),
      ytm: fc.oneof(number(10, 12), magnitude),
      lastPrice: fc.oneof(number(90, 110), magnitude),
      couponRate: fc.oneof(fc.constant(12), magnitude),
    });
    const market = fc.array(security, { maxLength: 30 });
    fc.assert(
      fc.property(market, (securities) => {
        const odd = securities.map(({ days, ytm, lastPrice }, index) =>
          bill(days, { symbol: `${index}`, type: index % 5 ? 'bond' : 'tbill', ytm, lastPrice }),
        );
        const findTerms = (symbol: string) =>
          Number(symbol) % 5 > 0
            ? {
                couponRate: securities[Number(symbol)]?.couponRate ?? 0,
                pricing: 'coupon' as const,
              }
            : undefined;
        const curve = fitMarketCurve(odd, findTerms, settlement);
        const points = [0.1, 1, 10, 80].map((years) => getCurvePoint(curve, { tenor: '', years }));
        const figures = [
          curve.rmse,
          ...Object.values(curve.parameters ?? {}),
          ...points.flatMap(({ tenor: _, ...point }) => Object.values(point)),
        ];
        expect(figures.filter((figure) => figure !== null && !Number.isFinite(figure))).toEqual([]);
        const isFitted = curve.method !== null && curve.method !== 'not-converged';
        expect([curve.rmse !== null, curve.usedSymbols.length > 0]).toEqual([isFitted, isFitted]);
        expect(curve.reason === null).toBe(curve.discountFit !== undefined);
        const leftOut = curve.leftOut.map(({ symbol }) => symbol);
        expect(leftOut).toEqual(leftOut.toSorted());
        expect(curve.usedSymbols).toEqual(curve.usedSymbols.toSorted());
        const listed = [...curve.usedSymbols, ...leftOut].toSorted();
        expect(listed).toEqual(odd.map(({ symbol }) => symbol).toSorted());
      }),
      { numRuns: 200 * REPETITIONS },
    );
  });
});
