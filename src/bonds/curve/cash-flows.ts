import { type CouponBond, getBondCashFlows, getPayment } from '../coupon-bond.ts';
import { getRemainingCouponDays } from '../coupon-schedule.ts';
import type { DiscountBill } from '../discount-bill.ts';
import { assertBeforeMaturity, getYearsToMaturity } from '../settlement.ts';

/** The payments of a security after settlement, per 100 of face value, in the order of time. */
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
  const flows = getBondCashFlows(security, settlement);
  const payments = getRemainingCouponDays(security, settlement)
    .map((day, index) => ({ day, amount: getPayment(flows, index) }))
    .filter(({ amount }) => amount > 0);
  return {
    years: payments.map(({ day }) => getYearsToMaturity(settlement, day)),
    amounts: payments.map(({ amount }) => amount),
  };
}
