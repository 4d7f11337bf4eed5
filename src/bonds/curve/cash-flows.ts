import type { CouponBond } from '../coupon-bond.ts';
import { getRemainingCouponDays } from '../coupon-schedule.ts';
import type { DiscountBill } from '../discount-bill.ts';
import { assertBeforeMaturity, getYearsToMaturity } from '../settlement.ts';

/** What a security pays after settlement, per 100 of face value, in the order of time. */
export interface CashFlows {
  /** From settlement, actual/365. */
  readonly years: readonly number[];
  readonly amounts: readonly number[];
}

/** The coupons and the principal; throws when settlement is on or after maturity. */
export function getCashFlows(security: CouponBond | DiscountBill, settlement: number): CashFlows {
  const { maturity } = security;
  assertBeforeMaturity(maturity, settlement);
  if (!('couponRate' in security))
    return { years: [getYearsToMaturity(settlement, maturity)], amounts: [100] };
  const coupon = security.couponRate / security.frequency;
  const days = getRemainingCouponDays(security, settlement);
  return {
    years: days.map((day) => getYearsToMaturity(settlement, day)),
    amounts: days.map((day) => (day === maturity ? coupon + 100 : coupon)),
  };
}
