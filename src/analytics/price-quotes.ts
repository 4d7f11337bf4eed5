import {
  choosePriceBasis,
  computeBondFigures,
  computeFloaterFigures,
  getPrice,
  holdRate,
  toPricedSecurity,
} from '../bonds/index.ts';
import type { Quote } from '../catalogue/datasets/quotes.ts';
import type { Dataset } from '../catalogue/model/dataset.ts';
import { foldAsciiCase } from '../schema/storage-table.ts';
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
  selection: Pick<QuotesAsOf, 'dataset' | 'asOf'>,
  quotes: readonly Quote[],
  signal: AbortSignal,
): Promise<readonly PricedQuote[]> {
  const settled = await settleQuotes(reader, quotes, selection, signal);
  return settled.map((quote) => priceAt(quote, quote.quotedPrice, true));
}
/** Securities that requests name by symbols or ISINs, in any letter case. */
interface NamedSecurities {
  readonly dataset: Dataset;
  readonly asOf: number;
  readonly names: readonly string[];
  /** A day that their quotes are not newer than. */
  readonly notAfter?: string | undefined;
}

/** The newest quote of each of some securities, by its name; throws likewise. */
export async function findNewestQuotes(
  reader: StoreReader,
  { dataset, asOf, names, notAfter }: NamedSecurities,
  signal: AbortSignal,
): Promise<(name: string) => SettledQuote | undefined> {
  const keys = [...new Set(names.map(foldAsciiCase))];
  const found = new Map<string, SettledQuote>();
  for (let start = 0; start < keys.length; start += MAX_NAMES) {
    const [first = '', ...others] = keys.slice(start, start + MAX_NAMES);
    const limited = { limit: MAX_QUOTES, ...(notAfter !== undefined && { notAfter }) };
    const selection = { kind: 'quotes', dataset, asOf, ...limited } as const;
    const securities = [first, ...others];
    const { records } = await reader.read({ ...selection, securities });
    // Newest first: of the symbols that share an ISIN, the one that was quoted last.
    const quotes = await settleQuotes(reader, JSON.parse(`[${records}]`), selection, signal);
    for (const find of [getSymbolKey, getIsinKey])
      for (const quote of quotes) if (!found.has(find(quote))) found.set(find(quote), quote);
  }
  return (name) => found.get(foldAsciiCase(name));
}

const getSymbolKey = ({ quote }: SettledQuote) => foldAsciiCase(quote.symbol);
const getIsinKey = ({ quote }: SettledQuote) => foldAsciiCase(quote.isin);

/** Securities that one statement finds. */
const MAX_NAMES = 50;
/** More than one of a security if symbols share an ISIN. */
const MAX_QUOTES = 10_000;

async function settleQuotes(
  reader: StoreReader,
  quotes: readonly Quote[],
  { dataset, asOf: revision }: Pick<QuotesAsOf, 'dataset' | 'asOf'>,
  signal: AbortSignal,
) {
  const dates = [...new Set(quotes.map(({ date }) => date))];
  const fits = new Map<string, KeptFit>();
  const options = { market: 'government', dates, revision, signal } as const;
  for await (const [date, fit] of getCurveReader(reader).fitDays(dataset, options))
    fits.set(date, fit);
  const { findTerms } = await getQuoteSource(reader).readTerms(dataset, quotes, revision);
  return quotes.map((quote) => settleQuote(quote, fits.get(quote.date) as KeptFit, findTerms));
}

/** A quote with its settlement, its price, and the security or floater that its terms make, if they are known. */
function settleQuote(quote: Quote, { curve, usualDays }: KeptFit, findTerms: FindTerms) {
  const terms = findTerms(quote.symbol);
  const settlement = getQuoteSettlement(quote, usualDays, terms);
  const basis = choosePriceBasis(quote);
  const quotedPrice = basis ? getPrice(basis, quote) : null;
  const maturity = parseDay(quote.maturityDate);
  const { isFloating, couponRates = [] } = terms ?? {};
  // Each floater has rates of its own; those of its terms are of no known day.
  const own = isFloating ? { ...terms, couponRate: 0, pricing: 'coupon' as const } : terms;
  const priced = maturity > settlement ? toPricedSecurity(quote.type, maturity, own) : '';
  const known = typeof priced === 'string' ? undefined : priced;
  const floater =
    isFloating && known && 'couponRate' in known
      ? tryFigures(() => holdRate(known, couponRates, settlement))
      : undefined;
  const security = isFloating ? undefined : known;
  const couponRate = floater?.couponRate ?? terms?.couponRate ?? null;
  return { quote, terms, curve, settlement, quotedPrice, security, floater, couponRate };
}

export type SettledQuote = ReturnType<typeof settleQuote>;

/** The quote at a clean price, with the figures that follow from it; a quoted yield may come before those of a floater. */
export function priceAt(settled: SettledQuote, cleanPrice: number | null, prefersQuoted = false) {
  const { security, settlement, floater } = settled;
  const compute = <T>(figures: (price: number) => T) =>
    cleanPrice === null ? undefined : tryFigures(() => figures(cleanPrice));
  return {
    ...settled,
    cleanPrice,
    prefersQuoted,
    figures: security && compute((price) => computeBondFigures(security, settlement, price)),
    floaterFigures:
      floater && compute((price) => computeFloaterFigures(floater, settlement, price)),
  };
}

export type PricedQuote = ReturnType<typeof priceAt>;

/** Undefined if a price has no such figures. */
export function tryFigures<T>(compute: () => T): T | undefined {
  try {
    return compute();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
