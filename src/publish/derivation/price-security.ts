import {
  billModifiedDuration,
  billPrice,
  billYield,
  type CouponBond,
  cleanPrice,
  type DiscountBill,
  type Frequency,
  getSettlementDay,
  modifiedDuration,
  yieldToMaturity,
} from '../../bonds/index.ts';
import { formatDay, isDay, parseDay } from '../../calendar.ts';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { FieldProblem } from '../../schema/validate-record.ts';
import type { SecurityTerms } from '../../store/open-store.ts';

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

type QuotedPrices = Pick<DraftQuote, 'lastPrice' | 'bidPrice' | 'askPrice'>;

/** Which price of a quote is compared; `mid` is halfway between bid and ask. */
export type PriceBasis = 'lastPrice' | 'mid' | 'bidPrice' | 'askPrice';

/** The last price, else the mid of bid and ask, else the one side; a price of 0 means no order. */
export function choosePriceBasis({
  lastPrice,
  bidPrice,
  askPrice,
}: QuotedPrices): PriceBasis | undefined {
  if (hasOrder(lastPrice)) return 'lastPrice';
  if (hasOrder(bidPrice)) return hasOrder(askPrice) ? 'mid' : 'bidPrice';
  return hasOrder(askPrice) ? 'askPrice' : undefined;
}

export function getPrice(basis: PriceBasis, quote: QuotedPrices): number {
  const { bidPrice = 0, askPrice = 0 } = quote;
  if (basis === 'mid') return (bidPrice + askPrice) / 2;
  return quote[basis] ?? 0;
}

function hasOrder(price: number | undefined): boolean {
  return price !== undefined && price > 0;
}

/** What price and yield are computed with, besides the quote. */
export interface PricingTerms {
  /** In percent a year; of a floater, the rate on the date of the quote. */
  readonly couponRate?: number;
  readonly couponFrequency?: Frequency;
  readonly pricing?: (typeof PRICING_METHODS)[number];
}

export const PRICING_METHODS = ['discount', 'coupon'] as const;

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

/** The security to compute with, or, as text, missing terms; T-bills are priced at a discount. */
export function toPricedSecurity(
  type: string | undefined,
  maturity: number,
  { couponRate, couponFrequency: frequency = 2, pricing }: PricingTerms = NO_TERMS,
): CouponBond | DiscountBill | string {
  if (pricing === 'discount' || (type === 'tbill' && !pricing && !couponRate)) return { maturity };
  if (couponRate === undefined) {
    return 'couponRate is missing; give couponRate (and couponFrequency) or pricing=discount';
  }
  // Exchanges list discount securities with a coupon of 0, so the rate alone does not decide.
  if (couponRate === 0 && !pricing) {
    return 'couponRate is 0 and pricing is missing; give pricing=discount or pricing=coupon';
  }
  return { maturity, couponRate, frequency };
}

const NO_TERMS: PricingTerms = {};

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
