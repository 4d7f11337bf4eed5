import { describe, expect, test } from 'bun:test';
import { getCashFlows } from '../../src/bonds/curve/index.ts';
import {
  billPrice,
  billYield,
  type CouponBond,
  computeBondFigures,
  computePrice,
  type PricingTerms,
  toPricedSecurity,
  yieldToMaturity,
} from '../../src/bonds/index.ts';
import { formatDay, parseDay } from '../../src/shared/calendar.ts';

const toBond = (maturity: string, terms: PricingTerms) =>
  toPricedSecurity('bond', parseDay(maturity), { pricing: 'coupon', ...terms }) as CouponBond;

const listFlows = (bond: CouponBond, settlement: string) => {
  const { days, amounts } = getCashFlows(bond, parseDay(settlement));
  return days.map((day, index) => `${formatDay(day)} ${amounts[index]?.toFixed(6)}`);
};

describe('published examples', () => {
  test('TBILLPRICE and TBILLYIELD of Excel: a bill at a discount rate', () => {
    const bill = { maturity: parseDay('2008-06-01'), isBankDiscount: true };
    const settlement = parseDay('2008-03-31');
    expect(billPrice(bill, settlement, 9)).toBeCloseTo(98.45, 10);
    expect(billYield(bill, settlement, 98.45)).toBeCloseTo(9, 10);
    expect(toPricedSecurity('tbill', bill.maturity, { pricing: 'bank-discount' })).toEqual(bill);
    const figures = computeBondFigures(bill, settlement, 98.45);
    expect(figures).toMatchObject({ accrued: 0, convexity: 0 });
    const slope = (billPrice(bill, settlement, 8.99) - billPrice(bill, settlement, 9.01)) / 2;
    expect(figures.dv01).toBeCloseTo(slope, 10);
    expect(() => billPrice(bill, settlement, 600)).toThrow(RangeError);
  });
});

describe('coupon days', () => {
  test('are the last of their months with endOfMonth, if maturity is', () => {
    const terms = { couponRate: 6, couponFrequency: 2 } as const;
    expect(listFlows(toBond('2027-02-28', { ...terms, endOfMonth: true }), '2026-03-01')).toEqual([
      '2026-08-31 3.000000',
      '2027-02-28 103.000000',
    ]);
    expect(listFlows(toBond('2027-02-28', terms), '2026-03-01')[0]).toBe('2026-08-28 3.000000');
    const inMonth = toBond('2027-02-15', { ...terms, endOfMonth: true });
    expect(listFlows(inMonth, '2026-03-01')[0]).toBe('2026-08-15 3.000000');
  });

  test('are counted back from the last coupon, after which the rest accrues', () => {
    const bond = toBond('2027-09-15', {
      couponRate: 8,
      issueDate: '2025-05-10',
      lastCouponDate: '2027-06-30',
    });
    // The day of issue decides the first coupon, as it does without a last one.
    expect(listFlows(bond, '2025-05-10')).toEqual([
      `2025-06-30 ${((4 * 51) / 182).toFixed(6)}`,
      '2025-12-30 4.000000',
      '2026-06-30 4.000000',
      '2026-12-30 4.000000',
      '2027-06-30 4.000000',
      `2027-09-15 ${(100 + (4 * 77) / 183).toFixed(6)}`,
    ]);
  });

  test('that are named twice, or that nothing is paid on, are given once or never', () => {
    const single = toBond('2026-12-31', {
      couponRate: 8,
      issueDate: '2026-10-01',
      firstCouponDate: '2026-12-31',
    });
    expect(listFlows(single, '2026-10-01')).toEqual([
      `2026-12-31 ${(100 + (4 * 91) / 184).toFixed(6)}`,
    ]);
    const late = toBond('2026-12-31', {
      couponRate: 8,
      issueDate: '2026-10-01',
      lastCouponDate: '2026-09-30',
    });
    expect(listFlows(late, '2026-10-05')).toHaveLength(1);
  });

  test('in the wrong order are told instead of a price', () => {
    const maturity = parseDay('2030-01-01');
    const describeTerms = (terms: PricingTerms) =>
      toPricedSecurity('bond', maturity, { couponRate: 5, ...terms });
    expect(describeTerms({ lastCouponDate: '2030-02-01' })).toBe(
      'lastCouponDate 2030-02-01 is after maturityDate 2030-01-01',
    );
    expect(describeTerms({ firstCouponDate: '2029-02-01', lastCouponDate: '2028-02-01' })).toBe(
      'firstCouponDate 2029-02-01 is after lastCouponDate 2028-02-01',
    );
  });
});

test('equal coupons accrue by a day count, as those of Canada do by ACT/365', () => {
  const bond = toBond('2031-06-01', { couponRate: 4, dayCount: 'ACT/365', accrual: 'equal' });
  expect(listFlows(bond, '2026-07-01').slice(0, 2)).toEqual([
    '2026-12-01 2.000000',
    '2027-06-01 2.000000',
  ]);
  const settlement = parseDay('2026-07-01');
  const figures = computeBondFigures(bond, settlement, 99);
  expect(figures.accrued).toBeCloseTo((4 * 30) / 365, 12);
  // Times are those of ACT/ACT, at the same dirty price.
  const regular = toBond('2031-06-01', { couponRate: 4 });
  const clean = figures.dirtyPrice - (2 * 30) / 183;
  expect(figures.ytm).toBeCloseTo(yieldToMaturity(regular, settlement, clean), 10);
});

test('a yield that is simple in the last period is the inverse of its price, down to no price', () => {
  const bond = toBond('2026-12-31', { couponRate: 8, lastPeriodYield: 'simple' });
  const settlement = parseDay('2026-10-01');
  const periods = 91 / 184;
  expect(computePrice({ security: bond, settlement }, 9)).toBeCloseTo(
    104 / (1 + periods * 0.045) - 4 * (1 - periods),
    10,
  );
  for (const ytm of [-150, -20, 0, 9, 400])
    expect(
      yieldToMaturity(bond, settlement, computePrice({ security: bond, settlement }, ytm)),
    ).toBeCloseTo(ytm, 7);
  const earlier = parseDay('2026-06-01');
  const compounded = toBond('2026-12-31', { couponRate: 8 });
  expect(computePrice({ security: bond, settlement: earlier }, 9)).toBe(
    computePrice({ security: compounded, settlement: earlier }, 9),
  );
});
