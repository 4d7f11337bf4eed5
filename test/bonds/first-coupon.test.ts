import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { getCashFlows } from '../../src/bonds/curve/index.ts';
import {
  accruedInterest,
  type CouponBond,
  cleanPrice,
  getCouponSchedule,
  modifiedDuration,
  yieldToMaturity,
} from '../../src/bonds/index.ts';
import { addMonths, formatDay, parseDay } from '../../src/shared/calendar.ts';
import { number, settledBond } from './arbitrary.ts';

const toBond = (couponRate: number, frequency: 1 | 2, maturity: string, issue: string) => {
  const days = { maturity: parseDay(maturity), issue: parseDay(issue) };
  return { couponRate, frequency, ...days };
};

/** The first two payments for settlement on the day of issue. */
const getFirstPayments = (bond: CouponBond & { issue: number }) =>
  getCashFlows(bond, bond.issue).amounts.slice(0, 2);

describe('the first coupon', () => {
  test('is short as in the example of ISDA (1999): 150 of 365 days', () => {
    const bond = toBond(10, 1, '2003-07-01', '1999-02-01');
    expect(getFirstPayments(bond)).toEqual([expect.closeTo((10 * 150) / 365, 10), 10]);
  });

  test('is long as that of the gilt of 2035, by the formula of the Debt Management Office', () => {
    // Issued fifteen days before a coupon day, on which nothing was paid.
    const bond = toBond(2, 2, '2035-01-26', '2002-07-11');
    expect(getFirstPayments(bond)).toEqual([expect.closeTo(1 + 15 / 181, 10), 1]);
  });

  test('gives the price in the example of ODDFPRICE, basis 1', () => {
    const bond = toBond(7.85, 2, '2021-03-01', '2008-10-15');
    expect(cleanPrice(bond, parseDay('2008-11-11'), 6.25)).toBeCloseTo(113.597717, 5);
  });

  test('is regular if issue is within four days of a coupon day, as weekends move it', () => {
    for (const issue of ['2026-04-18', '2026-04-22', '2026-04-26']) {
      const bond = toBond(11.5, 2, '2036-10-22', issue);
      const { issue: _, ...regular } = bond;
      const { days, amounts } = getCashFlows(bond, bond.issue);
      expect([formatDay(days[0] ?? 0), amounts[0]]).toEqual(['2026-10-22', 5.75]);
      const settlement = parseDay('2026-05-05');
      expect(accruedInterest(bond, settlement)).toBe(accruedInterest(regular, settlement));
    }
    expect(getFirstPayments(toBond(11.5, 2, '2036-10-22', '2026-04-27'))[0]).toBeLessThan(5.75);
    expect(getFirstPayments(toBond(11.5, 2, '2036-10-22', '2026-04-17'))[0]).toBeGreaterThan(5.75);
  });

  test('may be the only one; interest begins on the day of issue, not before', () => {
    const bond = toBond(11.5, 2, '2026-10-22', '2026-06-12');
    expect(accruedInterest(bond, parseDay('2026-06-20'))).toBeCloseTo((5.75 * 8) / 183, 10);
    expect(accruedInterest(bond, parseDay('2026-06-01'))).toBe(0);
    expect(getFirstPayments(bond)).toEqual([expect.closeTo(100 + (5.75 * 132) / 183, 10)]);
    // No coupon day comes after maturity, from which this issue could have been moved.
    const last = toBond(11.5, 2, '2026-10-22', '2026-10-19');
    expect(getFirstPayments(last)).toEqual([expect.closeTo(100 + (5.75 * 3) / 183, 10)]);
  });

  test('is short from a quarter of a period on, and also shorter if it is the last one', () => {
    // Of 184 days: 46 are a quarter.
    expect(getFirstPayments(toBond(8, 2, '2036-09-30', '2026-08-15'))).toEqual([1, 4]);
    const [first = 0] = getFirstPayments(toBond(8, 2, '2036-09-30', '2026-08-16'));
    expect(first).toBeCloseTo(4 * (45 / 184) + 4, 10);
    const last = getFirstPayments(toBond(8, 2, '2026-09-30', '2026-08-16'));
    expect(last).toEqual([expect.closeTo(100 + 4 * (45 / 184), 10)]);
  });

  test('accrues to the day before it is paid, however long it is', () => {
    // A long one of 33 days of the first period, which has 182, and the second one of 183.
    const bond = toBond(11.5, 2, '2036-10-22', '2026-03-20');
    const expected = 5.75 * (33 / 182 + 182 / 183);
    expect(accruedInterest(bond, parseDay('2026-10-21'))).toBeCloseTo(expected, 10);
    expect(accruedInterest(bond, parseDay('2026-10-22'))).toBe(0);
    for (const frequency of [1, 2, 4, 12] as const)
      for (let days = 0; days < 4 * 365; days += 9) {
        const maturity = parseDay('2040-01-01') + days;
        const [first, second, paid] = [3, 2, 1].map((periods) =>
          addMonths(maturity, (-12 / frequency) * periods),
        ) as [number, number, number];
        // The longest that is: a day less than a quarter of a period before the coupon day.
        const issue = second - Math.ceil((second - first) / 4 - 1);
        if (second - issue <= 4) continue;
        const longest = { couponRate: 12, frequency, maturity, issue };
        const periods = (second - issue) / (second - first) + (paid - 1 - second) / (paid - second);
        expect(accruedInterest(longest, paid - 1)).toBeCloseTo((12 / frequency) * periods, 10);
      }
  });

  test('is the first payment, and interest begins with issue, whatever is settled before', () => {
    fc.assert(
      fc.property(
        settledBond({ min: 5, max: 9_000 }, number(1, 25)),
        fc.integer({ min: -40, max: 40 }),
        fc.integer({ min: 0, max: 40 }),
        ({ bond, settlement: anyDay }, moved, daysBefore) => {
          const { previous } = getCouponSchedule(bond, anyDay);
          const issue = Math.min(previous + moved, bond.maturity - 1);
          const issued = { ...bond, issue };
          // Of the four days, at most, between a coupon day and an issue that was moved from it.
          expect(accruedInterest(issued, issue - daysBefore)).toBeLessThan(bond.couponRate / 80);
          const [first = 0] = getCashFlows(issued, issue - daysBefore).days;
          expect(first).toBeGreaterThan(issue + (first === bond.maturity ? 0 : 4));
        },
      ),
    );
  });

  test('does not matter if issue is on or after maturity, which is no day of issue', () => {
    const bond = toBond(11.5, 2, '2026-10-22', '2026-10-22');
    expect(accruedInterest(bond, parseDay('2026-06-20'))).toBeCloseTo((5.75 * 59) / 183, 10);
  });

  test('keeps price, yield and duration consistent, whatever the day of issue', () => {
    fc.assert(
      fc.property(
        settledBond({ min: 5, max: 9_000 }),
        fc.integer({ min: -100, max: 600 }),
        number(1, 25),
        ({ bond, settlement }, daysSinceIssue, ytm) => {
          const issued = { ...bond, issue: settlement - daysSinceIssue };
          const price = cleanPrice(issued, settlement, ytm);
          expect(yieldToMaturity(issued, settlement, price)).toBeCloseTo(ytm, 7);
          const accrued = accruedInterest(issued, settlement);
          expect(accrued).toBeGreaterThanOrEqual(0);
          const [up, down] = [0.001, -0.001].map((shift) =>
            cleanPrice(issued, settlement, ytm + shift),
          ) as [number, number];
          const slope = ((down - up) / 0.002 / (price + accrued)) * 100;
          const duration = modifiedDuration(issued, settlement, ytm);
          expect(Math.abs(duration / slope - 1)).toBeLessThan(1e-5);
        },
      ),
    );
  });
});
