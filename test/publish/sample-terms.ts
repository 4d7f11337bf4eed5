import { settlementDay } from '../../src/bonds/index.ts';
import { dayNumber } from '../../src/calendar.ts';
import type { Quote, Terms } from '../../src/publish/derivation/index.ts';
import { sampleCurve } from '../../src/sample/market/curve.ts';
import { type Security, sampleSecurities } from '../../src/sample/market/securities.ts';

const securities = new Map(
  sampleSecurities(sampleCurve()).map((security) => [security.symbol, security]),
);

/** The security of the sample that a quote is of. */
export function sampleSecurity({ symbol }: Quote): Security {
  const security = securities.get(symbol);
  if (!security) throw new Error(`not of the sample: ${symbol}`);
  return security;
}

/** The terms that hold on the date of a quote of the sample. */
export function sampleTerms(quote: Quote): Terms {
  const { pays, couponRate } = sampleSecurity(quote);
  if (pays === 'discount') return { pricing: 'discount' };
  const settlement = settlementDay(dayNumber(quote.date));
  return { couponRate: couponRate(settlement), couponFrequency: pays.frequency };
}
