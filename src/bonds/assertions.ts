import { formatDay } from '../calendar.ts';

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
