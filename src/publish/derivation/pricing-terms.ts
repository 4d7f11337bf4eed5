import type { CouponBond, DiscountBill, Frequency } from '../../bonds/index.ts';
import type { FieldProblem } from '../../schema/validate-record.ts';
import type { SecurityTerms } from '../../store/open-store.ts';

/** What price and yield are computed with, besides the quote. */
export interface PricingTerms {
  /** In percent a year; of a floater, the rate on the date of the quote. */
  readonly couponRate?: number;
  /** 2 by default. */
  readonly couponFrequency?: Frequency;
  readonly pricing?: (typeof PRICING_METHODS)[number];
}

export const PRICING_METHODS = ['discount', 'coupon'] as const;

/** Terms as a file or the store holds them: not validated, or null where unknown. */
type RawTerms = { readonly [Name in keyof PricingTerms]?: unknown };

/** Drops the terms that are not known. */
export function toPricingTerms(terms: RawTerms): PricingTerms {
  const known = Object.entries(terms).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(known) as PricingTerms;
}

/** Terms as they are stored, with null where one is not known. */
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

/**
 * The security to compute with, or, as text, the terms that are missing for it. T-bills are priced
 * at a discount and all others by their coupons, unless `pricing` says otherwise.
 */
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
