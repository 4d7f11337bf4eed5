import {
  billModifiedDuration,
  billPrice,
  billYield,
  type CouponBond,
  cleanPrice,
  type DiscountBill,
  getSettlementDay,
  modifiedDuration,
  yieldToMaturity,
} from '../../bonds/index.ts';
import { formatDay, isDay, parseDay } from '../../calendar.ts';
import type { DraftQuote } from './price-basis.ts';
import { type PricingTerms, toPricedSecurity } from './pricing-terms.ts';

/** A figure, or as text the reason why there is none. */
export type FigureOrReason = number | string;

/** A security, and the day on which a trade in it settles. */
export interface SettledSecurity {
  readonly security: CouponBond | DiscountBill;
  readonly settlement: number;
}

/** What a quote's yield is computed on, or as text what is missing for that. */
export function resolveSettledSecurity(
  { type }: DraftQuote,
  days: SettlementDays | string,
  terms: PricingTerms | undefined,
): SettledSecurity | string {
  if (typeof days === 'string') return days;
  const { settlement, maturity } = days;
  if (settlement >= maturity) {
    return `it settles on ${formatDay(settlement)}, on or after its maturity ${formatDay(maturity)}`;
  }
  const security = toPricedSecurity(type, maturity, terms);
  return typeof security === 'string' ? security : { security, settlement };
}

/** Day numbers. */
export interface SettlementDays {
  readonly settlement: number;
  readonly maturity: number;
}

/** The days of a quote, settlement at T+1, or as text which of them is missing. */
export function getSettlementDays({ date, maturityDate }: DraftQuote): SettlementDays | string {
  if (!date || !isDay(date)) return 'date is missing';
  if (!maturityDate || !isDay(maturityDate)) return 'maturityDate is missing';
  return { settlement: getSettlementDay(parseDay(date)), maturity: parseDay(maturityDate) };
}

/** The price at a yield in percent; what has no price throws, as in `src/bonds/`. */
export function computePrice({ security, settlement }: SettledSecurity, ytm: number): number {
  if ('couponRate' in security) return cleanPrice(security, settlement, ytm);
  return billPrice(security, settlement, ytm);
}

/** The yield in percent at a price; what has no yield throws. */
export function computeYield({ security, settlement }: SettledSecurity, price: number): number {
  if ('couponRate' in security) return yieldToMaturity(security, settlement, price);
  return billYield(security, settlement, price);
}

/** The modified duration at a yield in percent; what has none throws. */
export function computeDuration({ security, settlement }: SettledSecurity, ytm: number): number {
  if ('couponRate' in security) return modifiedDuration(security, settlement, ytm);
  return billModifiedDuration(security, settlement, ytm);
}

/** The next step from what was found; a reason stays, and what the step cannot compute is one. */
export function mapFigure<Found>(
  found: Found | string,
  step: (found: Found) => FigureOrReason,
): FigureOrReason {
  if (typeof found === 'string') return found;
  try {
    return step(found);
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
}
