import { computePrice } from '../bond-figures.ts';
import { accruedInterest, type CouponBond } from '../coupon-bond.ts';
import type { DiscountBill } from '../discount-bill.ts';
import { getCashFlows } from './cash-flows.ts';

/** A security that is held from its settlement to a later day, which is before its maturity. */
export interface HeldSecurity {
  readonly security: CouponBond | DiscountBill;
  readonly settlement: number;
  readonly dirtyPrice: number;
  readonly ytm: number;
  readonly horizon: number;
}

/** What 1 borrowed on a day has grown to on a later one. */
export type Growth = (from: number, to: number) => number;

/**
 * What it returns over its financing if its yield stays unchanged, in percent of its dirty price. Coupons
 * that the holder gets are reinvested at the financing rate, including one whose ex-dividend period contains
 * the horizon.
 */
export function computeCarry(held: HeldSecurity, grow: Growth): number {
  const { security, settlement, dirtyPrice, ytm, horizon } = held;
  const { days, amounts } = getCashFlows(security, settlement);
  const ofBuyer = getCashFlows(security, horizon);
  let value = getDirtyPrice(held, ytm) - dirtyPrice * grow(settlement, horizon);
  for (const [index, day] of days.entries()) {
    const kept = (amounts[index] as number) - (ofBuyer.amounts[ofBuyer.days.indexOf(day)] ?? 0);
    if (kept !== 0) value += kept * grow(day, horizon);
  }
  return (value / dirtyPrice) * 100;
}

/** The additional return if its yield has changed by then, in percent of its dirty price. */
export function computeRollDown(held: HeldSecurity, yieldThen: number): number {
  const difference = getDirtyPrice(held, yieldThen) - getDirtyPrice(held, held.ytm);
  return (difference / held.dirtyPrice) * 100;
}

function getDirtyPrice({ security, horizon }: HeldSecurity, ytm: number): number {
  const accrued = 'couponRate' in security ? accruedInterest(security, horizon) : 0;
  return computePrice({ security, settlement: horizon }, ytm) + accrued;
}
