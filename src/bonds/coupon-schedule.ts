import { addMonths, createMonthAdder } from '../shared/calendar.ts';
import { assertBeforeMaturity } from './settlement.ts';

/** Coupons a year. */
export type Frequency = 1 | 2 | 4 | 12;

/** The terms that determine coupon days; `maturity` is a day number. */
export type CouponTerms = { maturity: number; frequency: Frequency };

/**
 * The coupon days on or before settlement and after it, and the number of coupons after it, including the one
 * at maturity. Coupon days fall on maturity's day of the month, or on the last day of a shorter month, and
 * follow no end-of-month rule. Settlement on or after maturity throws.
 */
export function getCouponSchedule(terms: CouponTerms, settlement: number) {
  assertBeforeMaturity(terms.maturity, settlement);
  // n periods are never more than a day longer than n * 366 / frequency: this is a lower bound.
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

/** The coupon days after settlement, in order. */
export function getRemainingCouponDays(terms: CouponTerms, settlement: number): number[] {
  const { remaining } = getCouponSchedule(terms, settlement);
  const addToMaturity = createMonthAdder(terms.maturity);
  const months = 12 / terms.frequency;
  const days: number[] = [];
  for (let periodsBack = remaining - 1; periodsBack >= 0; periodsBack -= 1)
    days.push(addToMaturity(-months * periodsBack));
  return days;
}

// Counted from maturity: stepping from coupon to coupon would keep a day of the month that was clipped once.
function getCouponDay(terms: CouponTerms, periodsBack: number): number {
  return addMonths(terms.maturity, (-12 / terms.frequency) * periodsBack);
}

/** An odd first coupon, or one whose interest has yet to begin. */
export interface FirstCoupon {
  /** The day interest begins: the issue day, or the coupon day that the issue was moved from. */
  readonly start: number;
  /** From that day to maturity, in coupon periods, like the next figure. */
  readonly periodsFromStart: number;
  /** From the day of the first coupon to maturity. */
  readonly periodsFromFirst: number;
}

/** Weekends and holidays move issues by up to this much without changing the first coupon. */
const MAX_MOVED_DAYS = 4;

/** A shorter first period is added to the next one, which makes a long first coupon. */
const MIN_SHORT_PERIOD = 1 / 4;

/**
 * The first coupon, by the issue day, if it is odd or if interest begins after settlement. Undefined
 * otherwise, or if settlement is too long after issue for it to matter.
 */
export function findFirstCoupon(
  terms: CouponTerms,
  issue: number,
  settlement: number,
): FirstCoupon | undefined {
  const maxFirstDays = (366 * (1 + MIN_SHORT_PERIOD)) / terms.frequency + 2;
  if (issue >= terms.maturity || settlement - issue > maxFirstDays) return undefined;
  const { previous, next, remaining, accruedDays, periodDays } = getCouponSchedule(terms, issue);
  const daysToNext = next - issue;
  const movedFrom =
    accruedDays <= MAX_MOVED_DAYS ? previous : daysToNext <= MAX_MOVED_DAYS ? next : undefined;
  if (movedFrom !== undefined && movedFrom < terms.maturity) {
    if (settlement >= movedFrom) return undefined;
    const periodsFromStart = movedFrom === next ? remaining - 1 : remaining;
    return { start: movedFrom, periodsFromStart, periodsFromFirst: periodsFromStart - 1 };
  }
  const isLong = daysToNext < periodDays * MIN_SHORT_PERIOD && remaining > 1;
  const periodsFromFirst = isLong ? remaining - 2 : remaining - 1;
  return { start: issue, periodsFromStart: remaining - accruedDays / periodDays, periodsFromFirst };
}
