import { generateSecurities } from '../../scripts/sample/market/generate-securities.ts';
import { createSampleYieldCurve } from '../../scripts/sample/market/yield-curve.ts';
import type { PricingTerms } from '../../src/bonds/index.ts';
import { getSettlementDay } from '../../src/bonds/index.ts';
import type { Quote } from '../../src/catalogue/datasets/quotes.ts';
import { parseDay } from '../../src/shared/calendar.ts';

const securities = new Map(
  generateSecurities(createSampleYieldCurve()).map((security) => [security.symbol, security]),
);

/** The terms that hold on the date of a quote of the sample. */
export function sampleTerms(quote: Quote): PricingTerms {
  const security = securities.get(quote.symbol);
  if (!security) throw new Error(`not of the sample: ${quote.symbol}`);
  const { coupon, couponRate } = security;
  if (coupon === 'discount') return { pricing: 'discount' };
  const settlement = getSettlementDay(parseDay(quote.date));
  const { frequency: couponFrequency } = coupon;
  return { couponRate: couponRate(settlement), couponFrequency, dayCount: 'ACT/ACT' };
}
