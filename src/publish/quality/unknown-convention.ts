import type { PricingTerms } from '../../bonds/index.ts';
import type { Warning } from './warning-rules.ts';

/**
 * Warns about a corporate coupon bond whose day count may differ from the default. Government bonds count
 * ACT/ACT with few exceptions, and the yields of floaters are not computed.
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
