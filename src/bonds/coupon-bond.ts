import { type CouponTerms, findOddFirstCoupon, getCouponSchedule } from './coupon-schedule.ts';
import { assertPositivePrice } from './settlement.ts';

/**
 * A bond that pays `couponRate` percent a year, zero or more, and 100 at maturity. Yields compound
 * `frequency` times a year and days count ACT/ACT (ICMA), in the last period too. With the day of
 * issue, the first coupon may be a short or a long one.
 * Every function here throws when settlement is on or after maturity.
 */
export type CouponBond = CouponTerms & { couponRate: number; issue?: number };

/** Interest since the last coupon day, or since issue, per 100; zero on a coupon day. */
export function accruedInterest(bond: CouponBond, settlement: number): number {
  return getBondCashFlows(bond, settlement).accrued;
}

/** The price per 100, without accrued interest, at a yield above -100 percent a period. */
export function cleanPrice(bond: CouponBond, settlement: number, yieldPercent: number): number {
  const flows = getBondCashFlows(bond, settlement);
  return presentValue(flows, toForceOfInterest(bond, yieldPercent)).value - flows.accrued;
}

/** The yield at a clean price, which must be positive: the inverse of `cleanPrice`. */
export function yieldToMaturity(bond: CouponBond, settlement: number, price: number): number {
  assertPositivePrice(price);
  const flows = getBondCashFlows(bond, settlement);
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
  const { macaulayPeriods } = presentValue(getBondCashFlows(bond, settlement), force);
  return macaulayPeriods / bond.frequency / Math.exp(force);
}

/** Coupons of consecutive periods, with 100 of principal in the last; all per 100. */
export type BondCashFlows = {
  /** Paid at the end of each period, zero or more. */
  coupon: number;
  /** Payments instead of these at the end of the first few periods: at most an odd first coupon. */
  oddCoupons: readonly number[];
  /** Remaining periods, at least one. */
  count: number;
  /** Periods from now to the end of the current one, more than 0 and at most 1. */
  periodsToFirst: number;
  accrued: number;
};

export function getBondCashFlows(bond: CouponBond, settlement: number): BondCashFlows {
  const { couponRate, frequency, issue } = bond;
  if (!(couponRate >= 0)) throw new RangeError(`not a coupon rate: ${couponRate}`);
  const { remaining: count, accruedDays, periodDays } = getCouponSchedule(bond, settlement);
  const coupon = couponRate / frequency;
  const periodsToFirst = (periodDays - accruedDays) / periodDays;
  const odd = issue === undefined ? undefined : findOddFirstCoupon(bond, issue, settlement);
  if (!odd || count <= odd.periodsFromFirst) {
    const accrued = (coupon * accruedDays) / periodDays;
    return { coupon, oddCoupons: NO_COUPONS, count, periodsToFirst, accrued };
  }
  const { periodsFromIssue, periodsFromFirst } = odd;
  const unpaid = new Array<number>(count - 1 - periodsFromFirst).fill(0);
  const firstCoupon = coupon * (periodsFromIssue - periodsFromFirst);
  const accruedPeriods = periodsFromIssue - (count - 1 + periodsToFirst);
  const accrued = coupon * Math.max(0, accruedPeriods);
  return { coupon, oddCoupons: [...unpaid, firstCoupon], count, periodsToFirst, accrued };
}

const NO_COUPONS: readonly number[] = [];

/** The payment at the end of a remaining period, counted from 0. */
export function getPayment({ coupon, oddCoupons, count }: BondCashFlows, index: number): number {
  const paid = index < oddCoupons.length ? (oddCoupons[index] as number) : coupon;
  return index === count - 1 ? paid + 100 : paid;
}

function toForceOfInterest(bond: CouponBond, yieldPercent: number): number {
  return Math.log1p(yieldPercent / 100 / bond.frequency);
}

/**
 * The present value of the flows, and their Macaulay duration in periods. `force` is
 * ln(1 + yield per period). Throws on overflow.
 */
function presentValue(flows: BondCashFlows, force: number) {
  const { coupon, oddCoupons, count, periodsToFirst } = flows;
  const discount = Math.exp(-force);
  // Horner's scheme, from the last payment back. The closed form of the annuity is no faster at
  // forty coupons, and its duration loses digits to cancellation at yields near zero.
  let sum = getPayment(flows, count - 1);
  let weightedPeriods = 0;
  for (let index = count - 2; index >= 0; index -= 1) {
    weightedPeriods = (weightedPeriods + sum) * discount;
    sum = sum * discount + (index < oddCoupons.length ? (oddCoupons[index] as number) : coupon);
  }
  const value = sum * Math.exp(-force * periodsToFirst);
  const macaulayPeriods = periodsToFirst + weightedPeriods / sum;
  if (!(value < Infinity && macaulayPeriods < Infinity)) {
    throw new RangeError(`no price at a yield of ${100 * Math.expm1(force)} percent a period`);
  }
  return { value, macaulayPeriods };
}

/** The force of interest at which the flows are worth `target`, a positive number. */
function solveForceOfInterest(flows: BondCashFlows, target: number): number {
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
