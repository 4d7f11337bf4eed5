import { describe, expect, test } from 'bun:test';
import {
  accruedInterest,
  billYield,
  type CouponBond,
  cleanPrice,
  computeBondFigures,
  modifiedDuration,
  yieldToMaturity,
} from '../../src/bonds/index.ts';
import { parseDay } from '../../src/shared/calendar.ts';
import { billGroups, couponGroups, type Figure } from './vectors.ts';

describe.each([...couponGroups])('$source', ({ frequency, given, figures, rows }) => {
  test.each([...rows])(
    '%s is matched to the printed precision',
    (_, settlement, maturity, ...rest) => {
      const [couponRate, givenValue, ...expected] = rest;
      const bond = { maturity: parseDay(maturity), frequency, couponRate };
      const computed = computeFigures(bond, parseDay(settlement), given, givenValue);
      expect(expected).not.toBeEmpty();
      const columns = Object.entries(figures) as [Figure, number][];
      expect(columns.length).toBeGreaterThanOrEqual(expected.length);
      for (const [index, value] of expected.entries()) {
        const [figure, tolerance] = columns[index] as [Figure, number];
        expect(Math.abs(computed[figure] - value), figure).toBeLessThanOrEqual(tolerance);
      }
    },
  );
});

describe.each([...billGroups])('$source', ({ tolerance, rows }) => {
  test.each([...rows])(
    '%s is matched to the printed precision',
    (_, settlement, maturity, ...rest) => {
      const [price, expected] = rest;
      const computed = billYield({ maturity: parseDay(maturity) }, parseDay(settlement), price);
      expect(Math.abs(computed - expected)).toBeLessThanOrEqual(tolerance);
    },
  );
});

function computeFigures(
  bond: CouponBond,
  settlement: number,
  given: 'clean' | 'yield',
  givenValue: number,
): Record<Figure, number> {
  const yieldPercent =
    given === 'yield' ? givenValue : yieldToMaturity(bond, settlement, givenValue);
  const clean = cleanPrice(bond, settlement, yieldPercent);
  const accrued = accruedInterest(bond, settlement);
  const modified = modifiedDuration(bond, settlement, yieldPercent);
  const figures = computeBondFigures(bond, settlement, clean);
  expect(figures.accrued).toBe(accrued);
  expect(figures.modifiedDuration).toBeCloseTo(modified, 9);
  return { yield: figures.ytm, clean, dirty: figures.dirtyPrice, accrued, modified };
}
