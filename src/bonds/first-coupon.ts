import { type CouponTerms, getCouponSchedule } from './coupon-schedule.ts';

/** A first coupon that is not paid for one regular period; all in coupon periods. */
export interface OddFirstCoupon {
  /** From issue to maturity. */
  readonly periodsFromIssue: number;
  /** From the day of the first coupon to maturity. */
  readonly periodsFromFirst: number;
}

/** Weekends and holidays move issues by so much, without a change of the first coupon. */
const MAX_MOVED_DAYS = 4;

/** A shorter first period is added to the next one: the first coupon is a long one. */
const MIN_SHORT_PERIOD = 1 / 4;

/**
 * The first coupon, by the day of issue, where it is odd. Undefined where it is regular, and where
 * settlement is too long after issue for it to matter.
 */
export function findOddFirstCoupon(
  terms: CouponTerms,
  issue: number,
  settlement: number,
): OddFirstCoupon | undefined {
  const maxFirstDays = (366 * (1 + MIN_SHORT_PERIOD)) / terms.frequency + 2;
  if (issue >= terms.maturity || settlement - issue > maxFirstDays) return undefined;
  const { remaining, accruedDays, periodDays } = getCouponSchedule(terms, issue);
  const daysToNext = periodDays - accruedDays;
  if (Math.min(accruedDays, daysToNext) <= MAX_MOVED_DAYS) return undefined;
  const isLong = daysToNext < periodDays * MIN_SHORT_PERIOD && remaining > 1;
  const periodsFromFirst = isLong ? remaining - 2 : remaining - 1;
  return { periodsFromIssue: remaining - accruedDays / periodDays, periodsFromFirst };
}
