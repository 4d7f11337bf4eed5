import { assertPositivePrice } from './assertions.ts';
import { type CashFlows, presentValue, solveForceOfInterest } from './cash-flows.ts';
import { type CouponTerms, getCouponSchedule } from './coupon-schedule.ts';

/**
 * A bond that pays `couponRate` percent a year, zero or more, and 100 at maturity. Yields compound
 * `frequency` times a year and days count ACT/ACT (ICMA), in the last period too.
 * Every function here throws when settlement is on or after maturity.
 */
export type CouponBond = CouponTerms & { couponRate: number };

/** Interest since the last coupon day, per 100; zero on a coupon day. */
export function accruedInterest(bond: CouponBond, settlement: number): number {
  return getRemainingCashFlows(bond, settlement).accrued;
}

/** The price per 100, without accrued interest, at a yield above -100 percent a period. */
export function cleanPrice(bond: CouponBond, settlement: number, yieldPercent: number): number {
  const flows = getRemainingCashFlows(bond, settlement);
  return presentValue(flows, toForceOfInterest(bond, yieldPercent)).value - flows.accrued;
}

/** The yield at a clean price, which must be positive: the inverse of `cleanPrice`. */
export function yieldToMaturity(bond: CouponBond, settlement: number, price: number): number {
  assertPositivePrice(price);
  const flows = getRemainingCashFlows(bond, settlement);
  const yieldPercent =
    Math.expm1(solveForceOfInterest(flows, price + flows.accrued)) * 100 * bond.frequency;
  // A price far from 100 a few days before maturity compounds beyond the range of numbers.
  if (yieldPercent === Infinity) throw new RangeError(`no finite yield at a price of ${price}`);
  return yieldPercent;
}

/** By how many percent the dirty price falls as the yield rises by one: years, more than 0. */
export function modifiedDuration(
  bond: CouponBond,
  settlement: number,
  yieldPercent: number,
): number {
  const force = toForceOfInterest(bond, yieldPercent);
  const { macaulayPeriods } = presentValue(getRemainingCashFlows(bond, settlement), force);
  return macaulayPeriods / bond.frequency / Math.exp(force);
}

function getRemainingCashFlows(
  bond: CouponBond,
  settlement: number,
): CashFlows & { accrued: number } {
  if (!(bond.couponRate >= 0)) throw new RangeError(`not a coupon rate: ${bond.couponRate}`);
  const { remaining, accruedDays, periodDays } = getCouponSchedule(bond, settlement);
  const coupon = bond.couponRate / bond.frequency;
  return {
    coupon,
    count: remaining,
    periodsToFirst: (periodDays - accruedDays) / periodDays,
    accrued: (coupon * accruedDays) / periodDays,
  };
}

function toForceOfInterest(bond: CouponBond, yieldPercent: number): number {
  return Math.log1p(yieldPercent / 100 / bond.frequency);
}
