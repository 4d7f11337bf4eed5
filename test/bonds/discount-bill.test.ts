import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { billModifiedDuration, billPrice, billYield } from '../../src/bonds/index.ts';
import { parseDay } from '../../src/shared/calendar.ts';
import { day, number } from './arbitrary.ts';

const BILL = { maturity: parseDay('2020-12-03') };
const SETTLEMENT = parseDay('2020-09-10');

const settledBill = fc
  .record({ maturity: day, daysLeft: fc.integer({ min: 1, max: 400 }) })
  .map(({ maturity, daysLeft }) => ({ bill: { maturity }, settlement: maturity - daysLeft }));

describe('a discount bill', () => {
  test('has, at the yield of a price, that price', () => {
    fc.assert(
      fc.property(settledBill, number(1, 1000), ({ bill, settlement }, price) => {
        const recomputed = billPrice(bill, settlement, billYield(bill, settlement, price));
        expect(Math.abs(recomputed / price - 1)).toBeLessThan(1e-12);
      }),
    );
  });

  test('loses price as its yield rises, by its modified duration', () => {
    fc.assert(
      fc.property(settledBill, number(-5, 100), ({ bill, settlement }, yieldPercent) => {
        const price = (shift: number) => billPrice(bill, settlement, yieldPercent + shift);
        const slope = ((price(-0.001) - price(0.001)) / 0.002 / price(0)) * 100;
        const duration = billModifiedDuration(bill, settlement, yieldPercent);
        expect(duration).toBeGreaterThan(0);
        expect(Math.abs(duration / slope - 1)).toBeLessThan(1e-6);
      }),
    );
  });

  test.each([
    ['price', billPrice],
    ['yield', billYield],
    ['duration', billModifiedDuration],
  ] as const)('has no %s on or after maturity', (_, compute) => {
    for (const settlement of [BILL.maturity, BILL.maturity + 1]) {
      expect(() => compute(BILL, settlement, 10)).toThrow(RangeError);
      expect(() => compute(BILL, settlement, 10)).toThrow(/is not before maturity 2020-12-03$/);
    }
  });

  test.each([0, -1, Number.NaN, Infinity])('has no yield at a price of %p', (price) => {
    expect(() => billYield(BILL, SETTLEMENT, price)).toThrow(
      new RangeError(`not a price: ${price}`),
    );
  });

  test.each([-435, Number.NaN])('has no price at a yield of %p', (yieldPercent) => {
    expect(() => billPrice(BILL, SETTLEMENT, yieldPercent)).toThrow(/gives no price$/);
  });

  test('has no price if it would lose everything', () => {
    expect(() => billPrice(BILL, BILL.maturity - 365, -100)).toThrow(/gives no price$/);
  });
});
