import { describe, expect, test } from 'bun:test';
import {
  accruedInterest,
  billPrice,
  billYield,
  type CouponBond,
  cleanPrice,
  computeBondFigures,
  type DiscountBill,
  modifiedDuration,
  toPricedSecurity,
  yieldToMaturity,
} from '../../src/bonds/index.ts';
import { parseDay } from '../../src/shared/calendar.ts';
import { billGroups, type CouponGroup, couponGroups, type Figure } from './vectors.ts';

describe.each([...couponGroups])('$source', ({ frequency, terms, given, figures, rows }) => {
  test.each([...rows])(
    '%s is matched to the printed precision',
    (_, settlement, maturity, ...rest) => {
      const [couponRate, givenValue, ...expected] = rest;
      const own = { couponRate, couponFrequency: frequency, ...terms };
      const bond = toPricedSecurity('bond', parseDay(maturity), own) as CouponBond;
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

describe.each([...billGroups])('$source', ({ terms, given, tolerance, rows }) => {
  test.each([...rows])(
    '%s is matched to the printed precision',
    (_, settlementDate, maturityDate, givenValue, expected) => {
      const maturity = parseDay(maturityDate);
      const settlement = parseDay(settlementDate);
      const bill = toPricedSecurity('tbill', maturity, terms) as DiscountBill;
      const discounted = { maturity, isBankDiscount: true };
      const price =
        given === 'discount' ? billPrice(discounted, settlement, givenValue) : givenValue;
      const computed =
        given === 'yield'
          ? billPrice(bill, settlement, givenValue)
          : billYield(bill, settlement, price);
      expect(Math.abs(computed - expected)).toBeLessThanOrEqual(tolerance);
    },
  );
});

function computeFigures(
  bond: CouponBond,
  settlement: number,
  given: CouponGroup['given'],
  givenValue: number,
): Record<Figure, number> {
  const accrued = accruedInterest(bond, settlement);
  const givenPrice = given === 'dirty' ? givenValue - accrued : givenValue;
  const yieldPercent =
    given === 'yield' ? givenValue : yieldToMaturity(bond, settlement, givenPrice);
  const clean = cleanPrice(bond, settlement, yieldPercent);
  const modified = modifiedDuration(bond, settlement, yieldPercent);
  const figures = computeBondFigures(bond, settlement, clean);
  expect(figures.accrued).toBe(accrued);
  expect(figures.modifiedDuration).toBeCloseTo(modified, 9);
  const { ytm, dirtyPrice: dirty, macaulayDuration: macaulay } = figures;
  return { yield: ytm, clean, dirty, accrued, modified, macaulay };
}
