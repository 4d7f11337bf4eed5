import { formatDay, parseDay } from '../shared/calendar.ts';
import type { CouponBond, ExDividendPeriod } from './coupon-bond.ts';
import type { Frequency } from './coupon-schedule.ts';
import type { DayCount } from './day-count.ts';
import type { DiscountBill } from './discount-bill.ts';
import { isValidIsin } from './isin.ts';
import { type FindHolidays, findIssueDay, type SettlementTerms } from './settlement.ts';

/** The terms that pricing needs, besides the quote. */
export interface PricingTerms extends SettlementTerms {
  /** In percent a year; of a floater, the rate on the date of the quote. */
  readonly couponRate?: number;
  readonly couponFrequency?: Frequency;
  readonly pricing?: 'discount' | 'zero' | 'coupon' | 'bank-discount';
  readonly floating?: boolean;
  readonly dayCount?: DayCount;
  readonly firstCouponDate?: string;
  readonly lastCouponDate?: string;
  readonly endOfMonth?: boolean;
  /** The yield is compounded by default. */
  readonly lastPeriodYield?: YieldKind;
  readonly firstPeriodYield?: YieldKind;
  /** Coupons are for the days of their periods by default. */
  readonly accrual?: 'equal';
  readonly exDividendDays?: number;
  /** The name of the calendar whose holidays are no business days. */
  readonly calendar?: string;
}

type YieldKind = 'compound' | 'simple';

export const TERM_NAMES = [
  ...(['couponRate', 'couponFrequency', 'pricing', 'issueDate', 'floating'] as const),
  ...(['dayCount', 'exDividendDays', 'settlementDays', 'calendar'] as const),
  ...(['firstCouponDate', 'lastCouponDate', 'endOfMonth'] as const),
  ...(['lastPeriodYield', 'firstPeriodYield', 'accrual'] as const),
] as const;

/** Terms from a file or the store: not validated, null if unknown. */
type RawTerms = { readonly [Name in keyof PricingTerms]?: unknown };

/** The known terms, with the holidays of their calendar if they can be found. */
export function toPricingTerms(terms: RawTerms, findHolidays?: FindHolidays): PricingTerms {
  const knownNames = TERM_NAMES.filter((name) => (terms[name] ?? null) !== null);
  const known: PricingTerms = Object.fromEntries(knownNames.map((name) => [name, terms[name]]));
  if (known.calendar === undefined || !findHolidays) return known;
  return { ...known, holidays: findHolidays(known.calendar) };
}

/** The security to compute with, or a message about missing terms; T-bills are priced at a discount. */
export function toPricedSecurity(
  type: string | undefined,
  maturity: number,
  terms: PricingTerms = {},
): CouponBond | DiscountBill | string {
  const { couponRate, couponFrequency: frequency = 2, pricing, issueDate, dayCount } = terms;
  const dayTerms = dayCount && { dayCount };
  const issue = findIssueDay(issueDate, maturity);
  if (pricing === 'bank-discount') return { maturity, isBankDiscount: true, ...dayTerms };
  if (pricing === 'discount' || (type === 'tbill' && !pricing && !couponRate))
    return { maturity, ...dayTerms };
  const periodTerms = {
    ...dayTerms,
    ...(terms.endOfMonth && { endOfMonth: true }),
    ...(terms.lastPeriodYield === 'simple' && { simpleYield: 'last' as const }),
    ...(terms.firstPeriodYield === 'simple' && { simpleYield: 'first' as const }),
  };
  if (pricing === 'zero') return { maturity, couponRate: 0, frequency, ...periodTerms };
  if (couponRate === undefined)
    return 'couponRate is missing; give couponRate (and couponFrequency), pricing=discount or pricing=zero';
  // Exchanges list discount securities with a coupon of 0, so the rate alone does not decide.
  if (couponRate === 0 && !pricing)
    return 'couponRate is 0 and pricing is missing; give pricing=discount, zero or coupon';
  const couponDays = findCouponDays(terms, maturity);
  if (typeof couponDays === 'string') return couponDays;
  return {
    maturity,
    couponRate,
    frequency,
    ...periodTerms,
    ...couponDays,
    ...(terms.accrual === 'equal' && { hasEqualCoupons: true }),
    ...(issue !== undefined && { issue }),
    ...(terms.exDividendDays && { exDividend: toExDividendPeriod(terms.exDividendDays, terms) }),
  };
}

/** The named coupon days, or a message about their order. */
function findCouponDays(
  { firstCouponDate, lastCouponDate, issueDate }: PricingTerms,
  maturity: number,
) {
  const maturityDate = formatDay(maturity);
  const dates = Object.entries({ issueDate, firstCouponDate, lastCouponDate, maturityDate });
  const known = dates.filter((entry): entry is [string, string] => entry[1] !== undefined);
  for (const [index, [name, date]] of known.entries()) {
    const [nextName = name, next = date] = known[index + 1] ?? [];
    // An issue on or after maturity is that of another security.
    if (date > next && name !== 'issueDate') return `${name} ${date} is after ${nextName} ${next}`;
  }
  return {
    ...(firstCouponDate !== undefined && { firstCoupon: parseDay(firstCouponDate) }),
    ...(lastCouponDate !== undefined && { lastCoupon: parseDay(lastCouponDate) }),
  };
}

function toExDividendPeriod(days: number, { holidays }: PricingTerms): ExDividendPeriod {
  return holidays ? { days, holidays } : { days };
}

/** The terms of a security under one symbol. */
export interface IdentifiedTerms<Terms extends PricingTerms> {
  readonly isin: string | null;
  /** The date of its newest quote. */
  readonly lastDate: string | null;
  readonly terms: Terms;
}

/**
 * Terms by upper-case ISIN, for a security that was given another symbol. If several symbols had the ISIN,
 * the terms are those of the symbol quoted last. Values that are not ISINs are ignored, as they may stand for
 * many securities.
 */
export function indexTermsByIsin<Terms extends PricingTerms>(
  securities: readonly IdentifiedTerms<Terms>[],
): ReadonlyMap<string, Terms> {
  const termsByIsin = new Map<string, Terms>();
  const sorted = securities.toSorted((a, b) => compareTexts(a.lastDate ?? '', b.lastDate ?? ''));
  for (const { isin, terms } of sorted) {
    const key = isin?.toUpperCase() ?? '';
    if (hasPricing(terms) && isValidIsin(key)) termsByIsin.set(key, terms);
  }
  return termsByIsin;
}

/** Whether terms say how a security is priced, rather than only when it was issued. */
export function hasPricing(terms: PricingTerms | undefined): boolean {
  return terms?.couponRate !== undefined || terms?.pricing !== undefined;
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
