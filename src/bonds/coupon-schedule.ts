import { addMonths } from '../calendar.ts';
import { assertBeforeMaturity } from './assertions.ts';

/** Coupons a year. */
export type Frequency = 1 | 2 | 4;

/** What decides the days on which a bond pays; `maturity` is a day number. */
export type CouponTerms = { maturity: number; frequency: Frequency };

/** The coupon period that a settlement day falls in. */
export type CouponSchedule = {
  /** The last coupon day on or before settlement. */
  previous: number;
  /** The first coupon day after settlement. */
  next: number;
  /** Coupons after settlement, the one at maturity included. */
  remaining: number;
  /** Days from `previous` to settlement. */
  accruedDays: number;
  /** Days from `previous` to `next`. */
  periodDays: number;
};

/**
 * The schedule around a settlement day. Coupon days fall on maturity's day of the month, on the
 * month's last day where it is shorter, and follow no end-of-month rule.
 * Settlement on or after maturity throws.
 */
export function getCouponSchedule(terms: CouponTerms, settlement: number): CouponSchedule {
  assertBeforeMaturity(terms.maturity, settlement);
  // No n periods are two days longer than n * 366 / frequency, so this never starts too far back.
  const atLeast = Math.floor(((terms.maturity - settlement) * terms.frequency) / 366);
  let remaining = Math.max(1, atLeast);
  let previous = getCouponDay(terms, remaining);
  while (previous > settlement) {
    remaining += 1;
    previous = getCouponDay(terms, remaining);
  }
  const next = getCouponDay(terms, remaining - 1);
  const accruedDays = settlement - previous;
  return { previous, next, remaining, accruedDays, periodDays: next - previous };
}

// Each day is counted from maturity: stepping from one to the next would keep a clipped day.
function getCouponDay(terms: CouponTerms, periodsBack: number): number {
  return addMonths(terms.maturity, (-12 / terms.frequency) * periodsBack);
}
