import { describe, expect, test } from 'bun:test';
import {
  computeKeyRates,
  computeShiftedValue,
  computeZSpread,
  getCashFlows,
} from '../../src/bonds/curve/index.ts';
import {
  type CouponBond,
  computeBondFigures,
  computePrice,
  type DiscountBill,
  type PricingTerms,
  toPricedSecurity,
} from '../../src/bonds/index.ts';
import { parseDay } from '../../src/shared/calendar.ts';
import { curve, vectors } from './quantlib-terms.json';

type Vector = (typeof vectors)[number];

function toSecurity(vector: Vector) {
  const { kind: pricing, couponRate, frequency, dayCount, endOfMonth } = vector;
  const { issue, first, last, ex, simple } = vector;
  const terms = {
    pricing,
    couponRate,
    couponFrequency: frequency,
    dayCount,
    endOfMonth,
    ...(ex && { exDividendDays: ex }),
    ...(issue && { issueDate: issue }),
    ...(first && { firstCouponDate: first }),
    ...(last && { lastCouponDate: last }),
    ...(simple === 'last' && { lastPeriodYield: 'simple' }),
    ...(simple === 'first' && { firstPeriodYield: 'simple' }),
  } as PricingTerms;
  return toPricedSecurity('bond', parseDay(vector.maturity), terms) as CouponBond | DiscountBill;
}

function expectNear(figure: number | undefined, value: number, tolerance: number): void {
  const difference = Math.abs((figure ?? Number.NaN) - value);
  expect(difference / Math.max(Math.abs(value), 1e-2)).toBeLessThan(tolerance);
}

describe.each(vectors.map((vector) => [JSON.stringify(toSecurity(vector)), vector] as const))(
  'a security as QuantLib has it (quantlib-terms.py): %s',
  (_, vector) => {
    const security = toSecurity(vector);
    const settlement = parseDay(vector.settlement);

    test('has the price at a yield, and the figures at that price', () => {
      expectNear(computePrice({ security, settlement }, vector.ytm), vector.clean, 1e-12);
      const figures = computeBondFigures(security, settlement, vector.clean);
      expectNear(figures.accrued, vector.accrued, 1e-11);
      expectNear(figures.dirtyPrice, vector.dirty, 1e-12);
      expectNear(figures.ytm, vector.ytm, 1e-10);
      expectNear(figures.modifiedDuration, vector.modified ?? figures.modifiedDuration, 1e-12);
      expectNear(figures.convexity, vector.convexity ?? figures.convexity, 1e-12);
    });

    test('has the durations by key rates, and the values of shifted curves', () => {
      const flows = getCashFlows(security, settlement);
      const spread = computeZSpread(flows, vector.dirty, curve) ?? Number.NaN;
      expectNear(spread, vector.zSpread, 1e-9);
      const keys = Object.entries(vector.keyRates);
      const held = { flows, curve, spread };
      const { effectiveDuration, durations } = computeKeyRates(
        held,
        keys.map(([years]) => Number(years)),
      );
      expectNear(effectiveDuration, vector.effective, 1e-8);
      for (const [index, [, value]] of keys.entries()) expectNear(durations[index], value, 1e-8);
      expectNear(
        durations.reduce((sum, duration) => sum + duration, 0),
        effectiveDuration,
        1e-6,
      );
      for (const [shift, value] of Object.entries(vector.shifts))
        expectNear(computeShiftedValue(held, Number(shift) / 100), value, 1e-12);
    });
  },
);
