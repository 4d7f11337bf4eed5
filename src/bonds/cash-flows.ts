/** Equal coupons, zero or more, one period apart, with 100 of principal in the last. */
export type CashFlows = {
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
export function presentValue(
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
export function solveForceOfInterest(flows: CashFlows, target: number): number {
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
