import { accruedInterest, type CouponBond, yieldToMaturity } from './coupon-bond.ts';
import { getPeriodDays } from './coupon-schedule.ts';

/** The coupon rate of a floater from a day on, in percent a year. */
export interface DatedRate {
  readonly from: number;
  readonly rate: number;
}

/** Weekends and holidays move the day from which a rate holds by up to this much. */
const MAX_MOVED_DAYS = 4;

/**
 * The bond that a floater is if its rate on the settlement day stays; undefined unless its rates, in order,
 * are known since the coupon period began. Interest accrues at each for its days, by the day count.
 */
export function holdRate(
  bond: CouponBond,
  rates: readonly DatedRate[],
  settlement: number,
): CouponBond | undefined {
  const [start = settlement, couponDay = settlement] = getPeriodDays(bond, settlement);
  const known = rates.filter(({ from }) => from >= start - MAX_MOVED_DAYS && from <= settlement);
  const inForce = known.slice(
    Math.max(
      0,
      known.findLastIndex(({ from }) => from <= start),
    ),
  );
  const [first, last] = [inForce[0], inForce.at(-1)];
  if (!first || !last || first.from > start + MAX_MOVED_DAYS) return undefined;
  // Differences of interest since the start, because the days of 30/360 do not add up.
  const accrued = inForce.map(({ from }, index) =>
    index === 0 ? 0 : accruedInterest({ ...bond, couponRate: 1 }, from),
  );
  let amount = 0;
  for (const [index, { rate }] of inForce.slice(0, -1).entries())
    amount += (rate - last.rate) * ((accrued[index + 1] ?? 0) - (accrued[index] ?? 0));
  return { ...bond, couponRate: last.rate, extraInterest: { couponDay, amount } };
}

/** What follows from the clean price of a floater; its yield assumes that the current rate stays. */
export function computeFloaterFigures(bond: CouponBond, settlement: number, price: number) {
  const accrued = accruedInterest(bond, settlement);
  return { accrued, dirtyPrice: price + accrued, ytm: yieldToMaturity(bond, settlement, price) };
}
