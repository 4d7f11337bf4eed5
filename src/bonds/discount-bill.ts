import { type DayCount, getYearFraction, toFixedDayCount } from './day-count.ts';
import { assertBeforeMaturity, assertPositivePrice, getYearsToMaturity } from './settlement.ts';

/**
 * A security that pays 100 at maturity and nothing before, quoted at a simple yield: ACT/365 by default and
 * for ACT/ACT, which needs coupons. Every function here throws if settlement is on or after maturity.
 */
export type DiscountBill = { maturity: number; dayCount?: DayCount };

/** The price per 100 at a simple yield; a yield that leaves no positive price throws. */
export function billPrice(bill: DiscountBill, settlement: number, yieldPercent: number): number {
  return 100 / growthFactor(bill, settlement, yieldPercent);
}

/** The simple yield at a price, which must be positive: the inverse of `billPrice`. */
export function billYield(bill: DiscountBill, settlement: number, price: number): number {
  assertPositivePrice(price);
  return ((100 / price - 1) * 100) / getBillYears(bill, settlement);
}

/** The percentage by which the price falls if the simple yield rises by one point: in years, positive. */
export function billModifiedDuration(
  bill: DiscountBill,
  settlement: number,
  yieldPercent: number,
): number {
  return getBillYears(bill, settlement) / growthFactor(bill, settlement, yieldPercent);
}

function growthFactor(bill: DiscountBill, settlement: number, yieldPercent: number): number {
  const factor = 1 + (getBillYears(bill, settlement) * yieldPercent) / 100;
  if (!(factor > 0)) throw new RangeError(`a yield of ${yieldPercent} percent gives no price`);
  return factor;
}

/** The years from settlement to maturity, as its yield counts them. */
export function getBillYears({ maturity, dayCount }: DiscountBill, settlement: number): number {
  assertBeforeMaturity(maturity, settlement);
  const fixedDayCount = toFixedDayCount(dayCount);
  if (fixedDayCount) return getYearFraction(fixedDayCount, settlement, maturity);
  return getYearsToMaturity(settlement, maturity);
}
