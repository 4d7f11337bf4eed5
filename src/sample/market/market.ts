import { settlementDay } from '../../bonds/index.ts';
import { dayNumber } from '../../calendar.ts';
import { rounded } from '../rounding.ts';
import { sampleCurve } from './curve.ts';
import { pricingOf } from './pricing.ts';
import { type Quote, sampleQuotes } from './quotes.ts';
import { sampleSecurities } from './securities.ts';

/** The quotes as they came to be known. */
export interface Market {
  readonly toMay: readonly Quote[];
  /** With a slip on one day: last prices that are one too high. */
  readonly june: readonly Quote[];
  /** The quotes with the slip, put right. */
  readonly corrected: readonly Quote[];
}

/** Three years of quotes. */
export function sampleMarket(): Market {
  const curve = sampleCurve();
  const securities = sampleSecurities(curve);
  const quotes = sampleQuotes(securities, curve);
  const june = quotes.filter(({ date }) => date > MAY_31);
  const corrected = june.filter(hasSlip);
  const bySymbol = new Map(securities.map((security) => [security.symbol, security]));
  const slipped = (quote: Quote): Quote => {
    const security = bySymbol.get(quote.symbol);
    if (!security) return quote;
    const { tradeAt } = pricingOf(security, settlementDay(dayNumber(quote.date)));
    return { ...quote, ...tradeAt(rounded(quote.lastPrice + 1, 4)) };
  };
  return {
    toMay: quotes.filter(({ date }) => date <= MAY_31),
    june: june.map((quote) => (hasSlip(quote) ? slipped(quote) : quote)),
    corrected,
  };
}

const MAY_31 = '2026-05-31';

/** The ten-year bonds of one day. */
function hasSlip({ date, symbol }: Quote): boolean {
  return date === '2026-06-17' && symbol.startsWith('Z10');
}
