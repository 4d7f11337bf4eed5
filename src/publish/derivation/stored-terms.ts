import type { SecurityTerms } from '../../store/open-store.ts';
import type { PricingTerms } from './pricing-terms.ts';

/** Terms as they are kept, where those that are not known are null. */
export function toStoredTerms({
  couponRate = null,
  couponFrequency = null,
  pricing = null,
}: { readonly [Name in keyof PricingTerms]: PricingTerms[Name] | null }): SecurityTerms {
  return { couponRate, couponFrequency, pricing };
}

/** Terms that were kept, or that a file gives, without those that are not known. */
export function toPricingTerms(
  given: { readonly [Name in keyof PricingTerms]?: unknown },
): PricingTerms {
  const known = Object.entries(given).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(known) as PricingTerms;
}
