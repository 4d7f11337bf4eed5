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

/** A security, and the settlement day of a trade in it. */
export interface SettledSecurity {
  readonly security: CouponBond | DiscountBill;
  readonly settlement: number;
}

/** The security to compute a quote's yield with, or as text what is missing for it. */
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
interface SettlementDays {
  readonly settlement: number;
  readonly maturity: number;
}

/** The days of a quote, settlement at T+1, or as text which of them is missing. */
export function getSettlementDays({ date, maturityDate }: DraftQuote): SettlementDays | string {
  if (!date || !isDay(date)) return 'date is missing';
  if (!maturityDate || !isDay(maturityDate)) return 'maturityDate is missing';
  return { settlement: getSettlementDay(parseDay(date)), maturity: parseDay(maturityDate) };
}

/** The price at a yield in percent; throws a RangeError where there is none, as `src/bonds`. */
export function computePrice({ security, settlement }: SettledSecurity, ytm: number): number {
  if ('couponRate' in security) return cleanPrice(security, settlement, ytm);
  return billPrice(security, settlement, ytm);
}

export function computeYield({ security, settlement }: SettledSecurity, price: number): number {
  if ('couponRate' in security) return yieldToMaturity(security, settlement, price);
  return billYield(security, settlement, price);
}

export function computeDuration({ security, settlement }: SettledSecurity, ytm: number): number {
  if ('couponRate' in security) return modifiedDuration(security, settlement, ytm);
  return billModifiedDuration(security, settlement, ytm);
}

/** Applies a computation; passes a reason through and turns a RangeError into one. */
export function mapFigure<Input>(
  input: Input | string,
  compute: (input: Input) => FigureOrReason,
): FigureOrReason {
  if (typeof input === 'string') return input;
  try {
    return compute(input);
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
}
