import { type CouponTerms, getCouponSchedule } from './coupon-schedule.ts';
import { assertPositivePrice } from './settlement.ts';

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

/** Equal coupons, zero or more, one period apart, with 100 of principal in the last. */
type CashFlows = {
  /** Paid at the end of each period, per 100. */
  coupon: number;
  /** Remaining coupons, at least one. */
  count: number;
  /** Periods from now to the first coupon, more than 0 and at most 1. */
  periodsToFirst: number;
};

/**
 * The present value of the flows, and their Macaulay duration in periods. `force` is
 * ln(1 + yield per period). Throws on overflow.
 */
function presentValue(
  { coupon, count, periodsToFirst }: CashFlows,
  force: number,
): { value: number; macaulayPeriods: number } {
  const discount = Math.exp(-force);
  // Horner's scheme, from the last payment back. The closed form of the annuity is no faster at
  // forty coupons, and its duration loses digits to cancellation at yields near zero.
  let sum = coupon + 100;
  let weightedPeriods = 0;
  for (let index = count - 1; index > 0; index -= 1) {
    weightedPeriods = (weightedPeriods + sum) * discount;
    sum = sum * discount + coupon;
  }
  const value = sum * Math.exp(-force * periodsToFirst);
  const macaulayPeriods = periodsToFirst + weightedPeriods / sum;
  if (!(value < Infinity && macaulayPeriods < Infinity)) {
    throw new RangeError(`no price at a yield of ${100 * Math.expm1(force)} percent a period`);
  }
  return { value, macaulayPeriods };
}

/** The force of interest at which the flows are worth `target`, a positive number. */
function solveForceOfInterest(flows: CashFlows, target: number): number {
  // The logarithm of a sum of exponentials is convex, and this one is decreasing: Newton's method
  // converges to the only root from any start, so it needs no bracket.
  let force = 0;
  for (;;) {
    const { value, macaulayPeriods } = presentValue(flows, force);
    const gap = Math.log(value / target);
    force += gap / macaulayPeriods;
    // Convergence is quadratic: the next gap would be below rounding.
    if (Math.abs(gap) < 1e-10) return force;
  }
}
