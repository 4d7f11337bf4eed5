import { type DayCount, getYearFraction, toFixedDayCount } from './day-count.ts';
import { assertBeforeMaturity, assertPositivePrice, getYearsToMaturity } from './settlement.ts';

/**
 * A security that pays 100 at maturity and nothing before, quoted at a simple yield (ACT/365 by default, and
 * for ACT/ACT, which needs coupons) or at a discount rate of its face value (ACT/360). Every function here
 * throws if settlement is on or after maturity.
 */
export type DiscountBill = { maturity: number; dayCount?: DayCount; isBankDiscount?: boolean };

/** The price per 100 at a yield; a yield that leaves no positive price throws. */
export function billPrice(bill: DiscountBill, settlement: number, yieldPercent: number): number {
  const factor = linearFactor(bill, settlement, yieldPercent);
  return bill.isBankDiscount ? 100 * factor : 100 / factor;
}

/** The yield at a price, which must be positive: the inverse of `billPrice`. */
export function billYield(bill: DiscountBill, settlement: number, price: number): number {
  assertPositivePrice(price);
  const gain = bill.isBankDiscount ? 1 - price / 100 : 100 / price - 1;
  return (gain * 100) / getBillYears(bill, settlement);
}

/** The percentage by which the price falls if the yield rises by one point: in years, positive. */
export function billModifiedDuration(
  bill: DiscountBill,
  settlement: number,
  yieldPercent: number,
): number {
  return getBillYears(bill, settlement) / linearFactor(bill, settlement, yieldPercent);
}

/** What a simple yield makes of 1, or a discount rate leaves of it. */
function linearFactor(bill: DiscountBill, settlement: number, yieldPercent: number): number {
  const interest = (getBillYears(bill, settlement) * yieldPercent) / 100;
  const factor = bill.isBankDiscount ? 1 - interest : 1 + interest;
  if (!(factor > 0)) throw new RangeError(`a yield of ${yieldPercent} percent gives no price`);
  return factor;
}

/** The years from settlement to maturity, as its yield counts them. */
export function getBillYears(bill: DiscountBill, settlement: number): number {
  const { maturity, dayCount, isBankDiscount } = bill;
  assertBeforeMaturity(maturity, settlement);
  const fixedDayCount = toFixedDayCount(dayCount) ?? (isBankDiscount ? 'ACT/360' : undefined);
  if (fixedDayCount) return getYearFraction(fixedDayCount, settlement, maturity);
  return getYearsToMaturity(settlement, maturity);
}
