import { addMonths } from '../calendar.ts';
import { assertBeforeMaturity } from './assertions.ts';

export type Frequency = 1 | 2 | 4;

/** The terms that determine coupon days; `maturity` is a day number. */
export type CouponTerms = { maturity: number; frequency: Frequency };

export type CouponSchedule = {
  /** The last coupon day on or before settlement. */
  previous: number;
  /** The first coupon day after settlement. */
  next: number;
  /** Coupons after settlement, the one at maturity included. */
  remaining: number;
  accruedDays: number;
  periodDays: number;
};

/**
 * The schedule around a settlement day. Coupon days fall on maturity's day of the month, on the
 * month's last day where it is shorter, and follow no end-of-month rule.
 * Settlement on or after maturity throws.
 */
export function getCouponSchedule(terms: CouponTerms, settlement: number): CouponSchedule {
  assertBeforeMaturity(terms.maturity, settlement);
  // n periods are never two days longer than n * 366 / frequency: this is a lower bound.
  const minRemaining = Math.floor(((terms.maturity - settlement) * terms.frequency) / 366);
  let remaining = Math.max(1, minRemaining);
  let previous = getCouponDay(terms, remaining);
  while (previous > settlement) {
    remaining += 1;
    previous = getCouponDay(terms, remaining);
  }
  const next = getCouponDay(terms, remaining - 1);
  const accruedDays = settlement - previous;
  return { previous, next, remaining, accruedDays, periodDays: next - previous };
}

// Counted from maturity: stepping from coupon to coupon would keep a clipped day of the month.
function getCouponDay(terms: CouponTerms, periodsBack: number): number {
  return addMonths(terms.maturity, (-12 / terms.frequency) * periodsBack);
}
