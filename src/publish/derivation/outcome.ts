import {
  billModifiedDuration,
  billPrice,
  billYield,
  type CouponBond,
  cleanPrice,
  type DiscountBill,
  modifiedDuration,
  settlementDay,
  yieldToMaturity,
} from '../../bonds/index.ts';
import { dayNumber, dayText, isDay } from '../../calendar.ts';
import type { DraftQuote } from './price.ts';
import { securityOf, type Terms } from './terms.ts';

/** A figure, or as text the reason why there is none. */
export type Outcome = number | string;

/** A security, and the day on which a trade in it settles. */
export interface Settled {
  readonly security: CouponBond | DiscountBill;
  readonly settlement: number;
}

/** What a quote's yield is computed on, or as text what is missing for that. */
export function settledOf(
  { type }: DraftQuote,
  days: Days | string,
  terms: Terms | undefined,
): Settled | string {
  if (typeof days === 'string') return days;
  const { settlement, maturity } = days;
  if (settlement >= maturity) {
    return `it settles on ${dayText(settlement)}, on or after its maturity ${dayText(maturity)}`;
  }
  const security = securityOf(type, maturity, terms);
  return typeof security === 'string' ? security : { security, settlement };
}

/** Day numbers. */
export interface Days {
  readonly settlement: number;
  readonly maturity: number;
}

/** The days of a quote, settlement at T+1, or as text which of them is missing. */
export function daysOf({ date, maturityDate }: DraftQuote): Days | string {
  if (!date || !isDay(date)) return 'date is missing';
  if (!maturityDate || !isDay(maturityDate)) return 'maturityDate is missing';
  return { settlement: settlementDay(dayNumber(date)), maturity: dayNumber(maturityDate) };
}

/** The price at a yield in percent; what has no price throws, as in `src/bonds/`. */
export function priceOf({ security, settlement }: Settled, ytm: number): number {
  if ('couponRate' in security) return cleanPrice(security, settlement, ytm);
  return billPrice(security, settlement, ytm);
}

/** The yield in percent at a price; what has no yield throws. */
export function yieldOf({ security, settlement }: Settled, price: number): number {
  if ('couponRate' in security) return yieldToMaturity(security, settlement, price);
  return billYield(security, settlement, price);
}

/** The modified duration at a yield in percent; what has none throws. */
export function durationOf({ security, settlement }: Settled, ytm: number): number {
  if ('couponRate' in security) return modifiedDuration(security, settlement, ytm);
  return billModifiedDuration(security, settlement, ytm);
}

/** The next step from what was found; a reason stays, and what the step cannot compute is one. */
export function onward<Found>(found: Found | string, step: (found: Found) => Outcome): Outcome {
  if (typeof found === 'string') return found;
  try {
    return step(found);
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
}
