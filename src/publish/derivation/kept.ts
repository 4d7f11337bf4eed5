import type { SecurityTerms } from '../../store/index.ts';
import type { Terms } from './terms.ts';

/** Terms as they are kept, where those that are not known are null. */
export function keptTerms({
  couponRate = null,
  couponFrequency = null,
  pricing = null,
}: { readonly [Name in keyof Terms]: Terms[Name] | null }): SecurityTerms {
  return { couponRate, couponFrequency, pricing };
}

/** Terms that were kept, or that a file gives, without those that are not known. */
export function termsFrom(given: { readonly [Name in keyof Terms]?: unknown }): Terms {
  const known = Object.entries(given).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(known) as Terms;
}
