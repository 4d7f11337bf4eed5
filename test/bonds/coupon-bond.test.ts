import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  accruedInterest,
  type CouponBond,
  cleanPrice,
  getCouponSchedule,
  modifiedDuration,
  yieldToMaturity,
} from '../../src/bonds/index.ts';
import { parseDay } from '../../src/shared/calendar.ts';
import { ANY_DAYS_LEFT, number, settledBond } from './arbitrary.ts';

const PIB: CouponBond = { maturity: parseDay('2030-09-30'), frequency: 2, couponRate: 11 };
const ZERO: CouponBond = { ...PIB, couponRate: 0 };
const COUPON_DAY = parseDay('2026-09-30');
const LAST_DAY = PIB.maturity - 1;

describe('coupon bond price and yield', () => {
  test('the price at the yield of a price is that price, from 1 to 1000', () => {
    fc.assert(
      fc.property(
        settledBond({ min: 366, max: 36_525 }),
        number(1, 1000),
        ({ bond, settlement }, price) => {
          const recomputed = cleanPrice(bond, settlement, yieldToMaturity(bond, settlement, price));
          const dirty = price + accruedInterest(bond, settlement);
          expect(Math.abs(recomputed - price) / dirty).toBeLessThan(1e-12);
        },
      ),
    );
  });

  test('the yield at the price of a yield is that yield, to the last day', () => {
    fc.assert(
      fc.property(
        settledBond({ min: 1, max: 3653 }),
        number(-20, 200),
        ({ bond, settlement }, yieldPercent) => {
          const price = cleanPrice(bond, settlement, yieldPercent);
          expect(yieldToMaturity(bond, settlement, price)).toBeCloseTo(yieldPercent, 8);
        },
      ),
    );
  });

  test('the dirty price is the sum of the discounted payments', () => {
    fc.assert(
      fc.property(
        settledBond(ANY_DAYS_LEFT),
        number(-20, 60),
        ({ bond, settlement }, yieldPercent) => {
          const { remaining, next, periodDays } = getCouponSchedule(bond, settlement);
          let sum = 0;
          for (let index = 0; index < remaining; index += 1) {
            const principal = index === remaining - 1 ? 100 : 0;
            const payment = bond.couponRate / bond.frequency + principal;
            const periods = (next - settlement) / periodDays + index;
            sum += payment / (1 + yieldPercent / 100 / bond.frequency) ** periods;
          }
          const price = cleanPrice(bond, settlement, yieldPercent);
          const dirty = price + accruedInterest(bond, settlement);
          expect(Math.abs(dirty / sum - 1)).toBeLessThan(1e-11);
        },
      ),
    );
  });
});

test('accrued interest is never negative, and always less than one coupon', () => {
  fc.assert(
    fc.property(settledBond(ANY_DAYS_LEFT, number(0.01, 25)), ({ bond, settlement }) => {
      const accrued = accruedInterest(bond, settlement);
      expect(accrued).toBeGreaterThanOrEqual(0);
      expect(accrued).toBeLessThan(bond.couponRate / bond.frequency);
    }),
  );
});

test('modified duration is the slope of the dirty price', () => {
  fc.assert(
    fc.property(
      settledBond(ANY_DAYS_LEFT),
      number(-5, 50),
      ({ bond, settlement }, yieldPercent) => {
        const accrued = accruedInterest(bond, settlement);
        const dirty = (shift: number) =>
          cleanPrice(bond, settlement, yieldPercent + shift) + accrued;
        const slope = ((dirty(-0.001) - dirty(0.001)) / 0.002 / dirty(0)) * 100;
        const duration = modifiedDuration(bond, settlement, yieldPercent);
        expect(Math.abs(duration / slope - 1)).toBeLessThan(1e-6);
      },
    ),
  );
});

describe('coupon bond functions throw for', () => {
  const functions = [
    ['accrued interest', accruedInterest],
    ['a clean price', cleanPrice],
    ['a yield', yieldToMaturity],
    ['a duration', modifiedDuration],
  ] as const;

  test.each([...functions])('%s on or after maturity', (_, compute) => {
    const text = /^settlement 2030-\d\d-\d\d is not before maturity 2030-09-30$/;
    expect(() => compute(PIB, PIB.maturity, 10)).toThrow(RangeError);
    expect(() => compute(PIB, PIB.maturity, 10)).toThrow(text);
    expect(() => compute(PIB, PIB.maturity + 1, 10)).toThrow(text);
  });

  test.each([...functions])('%s of a bond with a coupon below zero', (_, compute) => {
    expect(() => compute({ ...PIB, couponRate: -1 }, COUPON_DAY, 10)).toThrow(
      new RangeError('not a coupon rate: -1'),
    );
  });

  test.each([0, -1, Number.NaN, Infinity])('the yield at a price of %p', (price) => {
    expect(() => yieldToMaturity(PIB, COUPON_DAY, price)).toThrow(
      new RangeError(`not a price: ${price}`),
    );
  });

  test('a yield that overflows', () => {
    expect(() => yieldToMaturity(PIB, LAST_DAY, 10)).not.toThrow();
    expect(() => yieldToMaturity(ZERO, LAST_DAY, 1)).toThrow(
      new RangeError('no finite yield at a price of 1'),
    );
  });

  // At the first of these only the duration overflows, which once made the solver loop forever.
  test.each([10 ** 173.5, 1e200])('the yield at an absurd price of %p', (price) => {
    const settlement = parseDay('1955-09-30');
    expect(() => yieldToMaturity(PIB, settlement, price)).toThrow(/^no price at a yield of/);
  });

  test.each([-200, -201, Number.NaN])('the price and duration at a yield of %p', (yieldPercent) => {
    for (const settlement of [COUPON_DAY, LAST_DAY]) {
      expect(() => cleanPrice(PIB, settlement, yieldPercent)).toThrow(/^no price at a yield of/);
      expect(() => modifiedDuration(PIB, settlement, yieldPercent)).toThrow(RangeError);
    }
  });
});
