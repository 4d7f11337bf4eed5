import { getSettlementDay } from '../../bonds/index.ts';
import { parseDay } from '../../calendar.ts';
import { roundTo } from '../rounding.ts';
import { generateQuotes, type Quote } from './generate-quotes.ts';
import { generateSecurities } from './generate-securities.ts';
import { createPricer } from './pricing.ts';
import { createSampleYieldCurve } from './yield-curve.ts';

/** The quotes as they came to be known. */
export interface SampleQuotes {
  readonly quotesToMay: readonly Quote[];
  /** With a slip on one day: last prices that are one too high. */
  readonly juneQuotes: readonly Quote[];
  /** The quotes with the slip, put right. */
  readonly correctedQuotes: readonly Quote[];
}

/** Three years of quotes. */
export function generateMarket(): SampleQuotes {
  const curve = createSampleYieldCurve();
  const securities = generateSecurities(curve);
  const quotes = generateQuotes(securities, curve);
  const june = quotes.filter(({ date }) => date > MAY_31);
  const corrected = june.filter(isErroneous);
  const bySymbol = new Map(securities.map((security) => [security.symbol, security]));
  const slipped = (quote: Quote): Quote => {
    const security = bySymbol.get(quote.symbol);
    if (!security) return quote;
    const { tradeAt } = createPricer(security, getSettlementDay(parseDay(quote.date)));
    return { ...quote, ...tradeAt(roundTo(quote.lastPrice + 1, 4)) };
  };
  return {
    quotesToMay: quotes.filter(({ date }) => date <= MAY_31),
    juneQuotes: june.map((quote) => (isErroneous(quote) ? slipped(quote) : quote)),
    correctedQuotes: corrected,
  };
}

const MAY_31 = '2026-05-31';

/** The ten-year bonds of one day. */
function isErroneous({ date, symbol }: Quote): boolean {
  return date === '2026-06-17' && symbol.startsWith('Z10');
}
