import { isValidIsin } from './isin.ts';
import type { PricingTerms } from './pricing-terms.ts';

/** The terms of a security under one symbol. */
export interface IdentifiedTerms<Terms extends PricingTerms> {
  readonly isin: string | null;
  /** The date of its newest quote. */
  readonly lastDate: string | null;
  readonly terms: Terms;
}

/**
 * Terms by ISIN in upper case, for a security that was given another symbol. Where several symbols had an ISIN,
 * they are those of the symbol that was quoted last. What is no ISIN may stand for many securities.
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
