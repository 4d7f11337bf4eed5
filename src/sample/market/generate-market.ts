import { getSettlementDay } from '../../bonds/index.ts';
import { parseDay } from '../../calendar.ts';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import { roundTo } from '../rounding.ts';
import { generateQuotes } from './generate-quotes.ts';
import { generateSecurities } from './generate-securities.ts';
import { createPricer } from './pricing.ts';
import { createSampleYieldCurve } from './yield-curve.ts';

/** Three years of quotes; some last prices in June are wrong at first and corrected later. */
export function generateMarket() {
  const curve = createSampleYieldCurve();
  const securities = generateSecurities(curve);
  const quotes = generateQuotes(securities, curve);
  const june = quotes.filter(({ date }) => date > MAY_31);
  const bySymbol = new Map(securities.map((security) => [security.symbol, security]));
  const withErrors = june.map((quote): Quote => {
    const security = bySymbol.get(quote.symbol);
    if (!security || !isErroneous(quote)) return quote;
    const { tradeAt } = createPricer(security, getSettlementDay(parseDay(quote.date)));
    return { ...quote, ...tradeAt(roundTo(quote.lastPrice + 1, 4)) };
  });
  return {
    quotesToMay: quotes.filter(({ date }) => date <= MAY_31),
    juneQuotes: withErrors,
    correctedQuotes: june.filter(isErroneous),
  };
}

const MAY_31 = '2026-05-31';

/** The ten-year bonds of one day. */
function isErroneous({ date, symbol }: Quote): boolean {
  return date === '2026-06-17' && symbol.startsWith('Z10');
}
