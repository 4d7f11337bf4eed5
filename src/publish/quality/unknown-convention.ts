import type { PricingTerms } from '../../bonds/index.ts';
import type { Warning } from './warning-rules.ts';

/**
 * Warns of a coupon bond of a company whose days may be counted in another way than is supposed.
 * Government bonds count ACT/ACT with few exceptions, and the yield of a floater is not computed.
 */
export function findUnknownConvention(
  symbol: string,
  type: string | null | undefined,
  { couponRate, pricing = 'coupon', floating, dayCount }: PricingTerms,
): Warning | undefined {
  if (type !== 'corporate' || dayCount !== undefined || floating) return undefined;
  if (!couponRate || pricing !== 'coupon') return undefined;
  const text = `${symbol} has a coupon of ${couponRate} % and no dayCount, so that days count ACT/ACT; many corporate bonds count 30/360`;
  return { rule: 'unknown-convention', field: 'dayCount', value: null, text };
}
