import { accruedInterest, type CouponBond, yieldToMaturity } from './coupon-bond.ts';
import { getPeriodDays } from './coupon-schedule.ts';

/** The coupon rate of a floater from a day on, in percent a year. */
export interface DatedRate {
  readonly from: number;
  readonly rate: number;
}

/** A floater whose current rate is known. */
export interface HeldFloater {
  /** The bond that it would be if the rate stayed. */
  readonly bond: CouponBond;
  readonly accrued: number;
}

/** Weekends and holidays move the day from which a rate holds by up to this much. */
const MAX_MOVED_DAYS = 4;

/**
 * A floater with its rate on the settlement day; undefined unless its rates, in order, are known since the
 * coupon period began. Interest accrues at each for its days. Throws as `accruedInterest` does.
 */
export function holdRate(
  bond: CouponBond,
  rates: readonly DatedRate[],
  settlement: number,
): HeldFloater | undefined {
  const [start = settlement] = getPeriodDays(bond, settlement);
  const known = rates.filter(({ from }) => from <= settlement);
  const first = known.findLastIndex(({ from }) => from <= start + MAX_MOVED_DAYS);
  const inForce = known.slice(Math.max(0, first));
  const last = inForce.at(-1);
  if (!last || Math.abs((inForce[0] as DatedRate).from - start) > MAX_MOVED_DAYS) return undefined;
  let weighted = 0;
  for (const [index, { from, rate }] of inForce.entries())
    weighted += rate * ((inForce[index + 1]?.from ?? settlement) - (index === 0 ? start : from));
  const mean = settlement > start ? weighted / (settlement - start) : last.rate;
  const held = { ...bond, couponRate: last.rate };
  return { bond: held, accrued: accruedInterest({ ...bond, couponRate: mean }, settlement) };
}

/** What follows from the clean price of a floater; its yield assumes that the current rate stays. */
export function computeFloaterFigures(
  { bond, accrued }: HeldFloater,
  settlement: number,
  price: number,
) {
  const dirtyPrice = price + accrued;
  const ytm = yieldToMaturity(bond, settlement, dirtyPrice - accruedInterest(bond, settlement));
  return { accrued, dirtyPrice, ytm };
}
