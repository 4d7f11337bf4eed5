import { formatDay, isWeekend } from '../calendar.ts';

/** The day a trade settles: T+1, the next weekday. Public holidays are ignored. */
export function getSettlementDay(tradeDay: number): number {
  let day = tradeDay + 1;
  while (isWeekend(day)) day += 1;
  return day;
}

/** Days to maturity over 365; zero or less once the security has matured. */
export function getYearsToMaturity(settlement: number, maturity: number): number {
  return (maturity - settlement) / 365;
}

export function assertBeforeMaturity(maturity: number, settlement: number): void {
  if (settlement < maturity) return;
  const settlementText = Number.isInteger(settlement) ? formatDay(settlement) : settlement;
  throw new RangeError(
    `settlement ${settlementText} is not before maturity ${formatDay(maturity)}`,
  );
}

export function assertPositivePrice(price: number): void {
  // Boards print 0 if there is no order; such a row must not get a yield.
  if (!(price > 0 && price < Infinity)) throw new RangeError(`not a price: ${price}`);
}
