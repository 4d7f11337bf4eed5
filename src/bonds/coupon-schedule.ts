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

/** A first coupon that is not paid for one regular period, or whose interest is yet to begin. */
export interface FirstCoupon {
  /** The day that interest begins: that of issue, or the coupon day that issue was moved from. */
  readonly start: number;
  /** In coupon periods, as is the next one: from that day to maturity. */
  readonly periodsFromStart: number;
  /** From the day of the first coupon to maturity. */
  readonly periodsFromFirst: number;
}

/** Weekends and holidays move issues by so much, without a change of the first coupon. */
const MAX_MOVED_DAYS = 4;

/** A shorter first period is added to the next one: the first coupon is a long one. */
const MIN_SHORT_PERIOD = 1 / 4;

/**
 * The first coupon, by the day of issue, where it is odd, or where interest begins after settlement.
 * Undefined otherwise, and where settlement is too long after issue for it to matter.
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
