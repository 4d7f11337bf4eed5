import {
  billModifiedDuration,
  billPrice,
  billYield,
  type CouponBond,
  cleanPrice,
  type DiscountBill,
  getSettlementDay,
  modifiedDuration,
  PRICING_METHODS,
  type PricingTerms,
  toPricedSecurity,
  yieldToMaturity,
} from '../../bonds/index.ts';
import { formatDay, isDay, parseDay } from '../../calendar.ts';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { FieldProblem } from '../../schema/validate-record.ts';
import type { SecurityTerms } from '../../store/open-store.ts';

export {
  choosePriceBasis,
  getPrice,
  PRICING_METHODS,
  type PriceBasis,
  type PricingTerms,
  toPricedSecurity,
} from '../../bonds/index.ts';

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

/** A quote whose fields may still be blank. */
export type DraftQuote = { -readonly [Name in keyof Quote]?: Quote[Name] | undefined };

/** Terms as a file or the store holds them: not validated, or null where unknown. */
type RawTerms = { readonly [Name in keyof PricingTerms]?: unknown };

export function toPricingTerms(terms: RawTerms): PricingTerms {
  const known = Object.entries(terms).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(known) as PricingTerms;
}

export function toStoredTerms(terms: PricingTerms): SecurityTerms {
  const { couponRate = null, couponFrequency = null, pricing = null } = terms;
  return { couponRate, couponFrequency, pricing };
}

export function validateTerms(terms: RawTerms): FieldProblem[] {
  const problems: FieldProblem[] = [];
  for (const [field, { accepts, rule }] of Object.entries(TERM_RULES)) {
    const value = terms[field as keyof PricingTerms];
    if (value !== undefined && !accepts(value)) problems.push({ field, value, rule });
  }
  return problems;
}

const TERM_RULES: Readonly<
  Record<keyof PricingTerms, { rule: string; accepts: (value: unknown) => boolean }>
> = {
  couponRate: {
    rule: 'a finite number of percent, 0 or more',
    accepts: (value) => typeof value === 'number' && value >= 0 && value < Infinity,
  },
  couponFrequency: {
    rule: '1, 2 or 4 coupons a year',
    accepts: (value) => value === 1 || value === 2 || value === 4,
  },
  pricing: {
    rule: `one of ${PRICING_METHODS.join(', ')}`,
    accepts: (value) => PRICING_METHODS.includes(value as (typeof PRICING_METHODS)[number]),
  },
};
