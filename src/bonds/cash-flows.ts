/** Level coupons of zero or more, one period apart, and 100 with the last of them. */
export type CashFlows = {
  /** Paid at the end of each period, per 100. */
  coupon: number;
  /** How many coupons are left, one at least. */
  count: number;
  /** Periods from now to the first coupon, more than 0 and at most 1. */
  periodsToFirst: number;
};

/**
 * What the flows are worth today, and how long one waits for that worth: the mean of the periods
 * to each payment, weighted by present value (Macaulay's duration in periods).
 * `force` is ln(1 + yield per period). What is too large for a number throws.
 */
export function presentValue(
  { coupon, count, periodsToFirst }: CashFlows,
  force: number,
): { value: number; meanWait: number } {
  const discount = Math.exp(-force);
  // Horner's scheme, from the last payment back. The closed form of the annuity is no faster at
  // forty coupons, and its duration loses digits to cancellation at yields near zero.
  let sum = coupon + 100;
  let waits = 0;
  for (let left = count - 1; left > 0; left -= 1) {
    waits = (waits + sum) * discount;
    sum = sum * discount + coupon;
  }
  const value = sum * Math.exp(-force * periodsToFirst);
  const meanWait = periodsToFirst + waits / sum;
  if (!(value < Infinity && meanWait < Infinity)) {
    throw new RangeError(`no price at a yield of ${100 * Math.expm1(force)} percent a period`);
  }
  return { value, meanWait };
}

/** The force of interest at which the flows are worth `target`, a positive number. */
export function solveForceOfInterest(flows: CashFlows, target: number): number {
  // The logarithm of a sum of exponentials is convex, and this one falls everywhere: Newton's
  // method on it reaches the only root from any start, so there is no bracket to fall back on.
  let force = 0;
  for (;;) {
    const { value, meanWait } = presentValue(flows, force);
    const gap = Math.log(value / target);
    force += gap / meanWait;
    // The next gap would be of the order of the square of this one: below rounding.
    if (Math.abs(gap) < 1e-10) return force;
  }
}
