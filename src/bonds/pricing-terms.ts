import { isDay, parseDay } from '../shared/calendar.ts';
import type { CouponBond } from './coupon-bond.ts';
import type { Frequency } from './coupon-schedule.ts';
import type { DiscountBill } from './discount-bill.ts';

/** Terms that price and yield are computed with, besides the quote. */
export interface PricingTerms {
  /** In percent a year; of a floater, the rate on the date of the quote. */
  readonly couponRate?: number;
  readonly couponFrequency?: Frequency;
  readonly pricing?: 'discount' | 'zero' | 'coupon';
  /** The day of issue, from which the first coupon follows. */
  readonly issueDate?: string;
}

/** The security to compute with, or, as text, missing terms; T-bills are priced at a discount. */
export function toPricedSecurity(
  type: string | undefined,
  maturity: number,
  { couponRate, couponFrequency: frequency = 2, pricing, issueDate }: PricingTerms = NO_TERMS,
): CouponBond | DiscountBill | string {
  if (pricing === 'discount' || (type === 'tbill' && !pricing && !couponRate)) return { maturity };
  if (pricing === 'zero') return { maturity, couponRate: 0, frequency };
  if (couponRate === undefined) {
    return 'couponRate is missing; give couponRate (and couponFrequency), pricing=discount or pricing=zero';
  }
  // Exchanges list discount securities with a coupon of 0, so the rate alone does not decide.
  if (couponRate === 0 && !pricing) {
    return 'couponRate is 0 and pricing is missing; give pricing=discount, zero or coupon';
  }
  if (issueDate === undefined || !isDay(issueDate)) return { maturity, couponRate, frequency };
  return { maturity, couponRate, frequency, issue: parseDay(issueDate) };
}

const NO_TERMS: PricingTerms = {};
