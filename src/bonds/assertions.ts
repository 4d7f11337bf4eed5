import { formatDay } from '../calendar.ts';

/** Throws unless settlement is before maturity. */
export function assertBeforeMaturity(maturity: number, settlement: number): void {
  if (settlement < maturity) return;
  const [settles, matures] = [settlement, maturity].map(formatDayForError);
  throw new RangeError(`settlement ${settles} is not before maturity ${matures}`);
}

/** Throws unless the price is a positive number. */
export function assertPositivePrice(price: number): void {
  // Boards print 0 where there is no order; such a row must not come back with a yield.
  if (!(price > 0 && price < Infinity)) throw new RangeError(`not a price: ${price}`);
}

function formatDayForError(day: number): string {
  return Number.isInteger(day) ? formatDay(day) : String(day);
}
