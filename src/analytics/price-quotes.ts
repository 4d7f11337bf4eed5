import {
  choosePriceBasis,
  computeBondFigures,
  getPrice,
  toPricedSecurity,
} from '../bonds/index.ts';
import type { Quote } from '../catalogue/datasets/quotes.ts';
import { parseDay } from '../shared/calendar.ts';
import type { QuoteSelection, ReadResult, StoreReader } from '../store/open-store.ts';
import { getCurveReader } from './curve-reader.ts';
import type { KeptFit } from './fit-cache.ts';
import { type FindTerms, getQuoteSettlement, getQuoteSource } from './quote-source.ts';

/** Quotes as of a revision. */
export type QuotesAsOf = QuoteSelection & { readonly asOf: number };

/** Decimals of figures as they are sent. */
export const FIGURE_DECIMALS = 8;

/** A page of quotes, priced, with the government curves of their days. Throws an AbandonedError after an abort. */
export async function priceQuotes(
  reader: StoreReader,
  selection: QuotesAsOf,
  signal: AbortSignal,
): Promise<Omit<ReadResult, 'records'> & { readonly quotes: readonly PricedQuote[] }> {
  const { records, ...page } = await reader.read(selection);
  const quotes = JSON.parse(`[${records}]`) as Quote[];
  return { ...page, quotes: await priceKnownQuotes(reader, selection, quotes, signal) };
}

/** Quotes that have been read, priced likewise. */
export async function priceKnownQuotes(
  reader: StoreReader,
  { dataset, asOf: revision }: Pick<QuotesAsOf, 'dataset' | 'asOf'>,
  quotes: readonly Quote[],
  signal: AbortSignal,
): Promise<readonly PricedQuote[]> {
  const dates = [...new Set(quotes.map(({ date }) => date))];
  const fits = new Map<string, KeptFit>();
  const options = { market: 'government', dates, revision, signal } as const;
  for await (const [date, fit] of getCurveReader(reader).fitDays(dataset, options))
    fits.set(date, fit);
  const { findTerms } = await getQuoteSource(reader).readTerms(dataset, quotes, revision);
  return quotes.map((quote) => toPricedQuote(quote, fits.get(quote.date) as KeptFit, findTerms));
}

/** A quote with its settlement, its price, and what follows from its terms if they are known. */
function toPricedQuote(quote: Quote, { curve, usualDays }: KeptFit, findTerms: FindTerms) {
  const terms = findTerms(quote.symbol);
  const settlement = getQuoteSettlement(quote, usualDays, terms);
  const basis = choosePriceBasis(quote);
  const cleanPrice = basis ? getPrice(basis, quote) : null;
  const maturity = parseDay(quote.maturityDate);
  const priced = maturity > settlement ? toPricedSecurity(quote.type, maturity, terms) : '';
  const security = terms?.isFloating || typeof priced === 'string' ? undefined : priced;
  const figures =
    security && cleanPrice !== null
      ? tryFigures(() => computeBondFigures(security, settlement, cleanPrice))
      : undefined;
  return { quote, curve, settlement, cleanPrice, security, figures };
}

export type PricedQuote = ReturnType<typeof toPricedQuote>;

/** Undefined if a price has no such figures. */
export function tryFigures<T>(compute: () => T): T | undefined {
  try {
    return compute();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
