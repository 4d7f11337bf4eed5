import { describe, expect, test } from 'bun:test';
import {
  accruedInterest,
  billPrice,
  billYield,
  type CouponBond,
  cleanPrice,
  computeBondFigures,
  type DiscountBill,
  type Frequency,
  modifiedDuration,
  type PricingTerms,
  toPricedSecurity,
  yieldToMaturity,
} from '../../src/bonds/index.ts';
import { parseDay } from '../../src/shared/calendar.ts';
import published from './published-figures.json';

/** A printed figure: yields in percent, prices and interest per 100, durations in years. */
type Figure = 'yield' | 'clean' | 'dirty' | 'accrued' | 'modified' | 'macaulay';

/**
 * Published figures of coupon bonds. `figures` names the last columns of the rows, each with the
 * difference that its printed precision allows; a row may leave out the last of them.
 */
type CouponGroup = {
  source: string;
  frequency: Frequency;
  /** Other terms than coupons for the days of their periods. */
  terms?: PricingTerms;
  given: 'clean' | 'dirty' | 'yield';
  figures: Partial<Record<Figure, number>>;
  rows: readonly (readonly [
    id: string,
    settlement: string,
    maturity: string,
    couponRate: number,
    given: number,
    ...expected: number[],
  ])[];
};

/** Published yields of discount securities at a price, or prices at a yield, in percent. */
type BillGroup = {
  source: string;
  /** A simple yield by ACT/365 by default. */
  terms?: PricingTerms;
  /** A price by default; of `discount`, the price follows from a bank discount rate. */
  given?: 'price' | 'yield' | 'discount';
  tolerance: number;
  rows: readonly (readonly [
    id: string,
    settlement: string,
    maturity: string,
    given: number,
    expected: number,
  ])[];
};

const { couponGroups, billGroups } = published as unknown as {
  couponGroups: readonly CouponGroup[];
  billGroups: readonly BillGroup[];
};

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
