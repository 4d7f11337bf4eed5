import { addMonths, createMonthAdder } from '../shared/calendar.ts';
import { assertBeforeMaturity } from './settlement.ts';

/** Coupons a year. */
export type Frequency = 1 | 2 | 4 | 12;

/** The terms that determine coupon days; `maturity` is a day number. */
export type CouponTerms = { maturity: number; frequency: Frequency };

/**
 * The coupon days on or before settlement and after it, and the number of coupons after it, with
 * the one at maturity. Coupon days fall on maturity's day of the month, on the month's last day
 * where it is shorter, and follow no end-of-month rule. Settlement on or after maturity throws.
 */
export function getCouponSchedule(terms: CouponTerms, settlement: number) {
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

/** The coupon days after settlement, the first one first. */
export function getRemainingCouponDays(terms: CouponTerms, settlement: number): number[] {
  const { remaining } = getCouponSchedule(terms, settlement);
  const addToMaturity = createMonthAdder(terms.maturity);
  const months = 12 / terms.frequency;
  const days: number[] = [];
  for (let periodsBack = remaining - 1; periodsBack >= 0; periodsBack -= 1)
    days.push(addToMaturity(-months * periodsBack));
  return days;
}

// Counted from maturity: stepping from coupon to coupon would keep a clipped day of the month.
function getCouponDay(terms: CouponTerms, periodsBack: number): number {
  return addMonths(terms.maturity, (-12 / terms.frequency) * periodsBack);
}
