import { describe, expect, test } from 'bun:test';
import type { CurveRecord } from '../../../src/client/generated.ts';
import {
  buildCurves,
  CURVE_REQUESTS,
  interpolate,
  listPoints,
} from '../../../src/explorer/market/yield-curves.ts';
import { curveOperation } from '../../../src/operations/curve/curve-operation.ts';
import { quote } from '../../support/quote-fixture.ts';

const [example] = curveOperation.example;

/** A government curve with these yields by tenor and years. */
function toCurves(
  yields: readonly (readonly [tenor: string, years: number, percent: number | null])[],
) {
  const rates = { zero: null, par: null, forward: null, discountFactor: null };
  const points = yields.map(([tenor, years, percent]) => ({
    tenor,
    years,
    yield: percent,
    ...rates,
  }));
  return { government: { ...example, points } as CurveRecord };
}

// As the service sends them: samples first, then the tenors that the page states.
const curves = toCurves([
  ['100D', 0.25, null],
  ['365D', 1, 10],
  ['730D', 2, 12],
  ['1460D', 4, 13],
  ['9000D', 25, null],
  ['3Y', 3, 12.6],
]);

describe('the curves of the market view', () => {
  test('are requested at tenors that the service takes, for both markets', () => {
    for (const { market, createRequest } of CURVE_REQUESTS) {
      const { path, parameters } = createRequest('2026-06-30');
      expect(path).toBe(curveOperation.path);
      expect(parameters).toMatchObject({ date: '2026-06-30', market });
      const tenors = curveOperation.parameters.tenors.parse(String(parameters?.tenors)) ?? [];
      expect(tenors.length).toBeGreaterThan(90);
      expect(tenors.map(({ tenor }) => tenor)).toEqual(expect.arrayContaining(['2Y', '10Y']));
    }
  });

  test('are interpolated between their points, and end with them', () => {
    const points = listPoints(curves.government);
    const getYield = (years: number) => interpolate(points, years);
    expect(getYield(1.5)).toBe(11);
    expect(getYield(3)).toBe(12.6);
    expect(getYield(4)).toBe(13);
    for (const years of [0.5, 0.99, 4.01, 30]) expect(getYield(years)).toBeUndefined();
    expect(interpolate(listPoints(undefined), 1)).toBeUndefined();
  });

  test('are drawn as far as the filtered quotes reach', () => {
    const [short, long, corporate] = [
      quote({ type: 'bond', maturityYears: 1.5 }),
      quote({ type: 'bond', maturityYears: 20 }),
      quote({ type: 'corporate', maturityYears: 1 }),
    ];
    const draw = (...filteredQuotes: (typeof short)[]) =>
      buildCurves({ date: '2026-06-30', quotes: [short], curves, filteredQuotes }, undefined);
    expect(draw(short, long, corporate)).toEqual([
      {
        name: 'Government',
        label: 'Government yield',
        colorIndex: 7,
        comparison: undefined,
        points: [
          [1.5, 11],
          [2, 12],
          [3, 12.6],
          [4, 13],
        ],
      },
    ]);
    expect(draw(corporate)).toEqual([]);
    // Where no quote matches, as far as all quotes do.
    expect(draw()).toEqual(draw(short));
    expect(draw(short)).toHaveLength(1);
  });

  test('are drawn at the chosen rate, which there may be none of', () => {
    const { government } = curves;
    const points = government.points.map((point) => ({ ...point, zero: point.yield && 9 }));
    const zeros = { government: { ...government, points } };
    const filteredQuotes = [1, 4].map((maturityYears) => quote({ type: 'bond', maturityYears }));
    const day = { date: '2026-06-30', quotes: [], curves: zeros, filteredQuotes };
    const [zero] = buildCurves(day, 0, 'zero');
    expect(zero).toMatchObject({ label: '30 Jun 2026', comparison: 0, points: { length: 4 } });
    expect(zero?.points.every(([, percent]) => percent === 9)).toBe(true);
    expect(buildCurves(day, 0, 'par')).toEqual([]);
  });

  test('have par rates at whole coupon periods only', () => {
    const { government } = toCurves([
      ['100D', 0.3, 9],
      ['6M', 0.5, 10],
      ['200D', 0.55, 99],
      ['1Y', 1, 11],
    ]);
    const points = government.points.map((point) => ({ ...point, par: point.yield }));
    const filteredQuotes = [0.3, 1].map((maturityYears) => quote({ type: 'bond', maturityYears }));
    const curves = { government: { ...government, points } };
    const [par] = buildCurves({ date: '', quotes: [], curves, filteredQuotes }, undefined, 'par');
    expect(par?.points.map(([, percent]) => percent)).toEqual([9, 10, 11]);
  });
});
