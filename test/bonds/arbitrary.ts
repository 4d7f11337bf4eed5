import fc from 'fast-check';
import type { CouponBond, Frequency } from '../../src/bonds/index.ts';
import { parseDay } from '../../src/shared/calendar.ts';

export const day = fc.integer({ min: parseDay('1950-01-01'), max: parseDay('2120-12-31') });

export const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });

/** A bond and a day before its maturity, with the days left between the given bounds. */
export const settledBond = (
  daysLeft: { min: number; max: number },
  couponRate: fc.Arbitrary<number> = fc.oneof(fc.constant(0), number(0, 25)),
): fc.Arbitrary<{ bond: CouponBond; settlement: number }> =>
  fc
    .record({
      maturity: day,
      frequency: fc.constantFrom<Frequency>(1, 2, 4, 12),
      couponRate,
      daysLeft: fc.integer(daysLeft),
    })
    .map(({ daysLeft, ...bond }) => ({ bond, settlement: bond.maturity - daysLeft }));

/** From the day before maturity to fifty years before it. */
export const ANY_DAYS_LEFT = { min: 1, max: 18_262 };
