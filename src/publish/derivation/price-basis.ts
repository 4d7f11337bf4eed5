import type { Quote } from '../../catalogue/datasets/quotes.ts';

/** A quote whose fields may still be blank. */
export type DraftQuote = { -readonly [Name in keyof Quote]?: Quote[Name] | undefined };

type QuotedPrices = Pick<DraftQuote, 'lastPrice' | 'bidPrice' | 'askPrice'>;

/** Which price of a quote is compared; `mid` is halfway between bid and ask. */
export type PriceBasis = 'lastPrice' | 'mid' | 'bidPrice' | 'askPrice';

/**
 * The last price, else the mid of bid and ask, else the one side that has an order: boards are
 * often one-sided. A price of 0 means no order; undefined where there is none at all.
 */
export function choosePriceBasis({
  lastPrice,
  bidPrice,
  askPrice,
}: QuotedPrices): PriceBasis | undefined {
  if (hasOrder(lastPrice)) return 'lastPrice';
  if (hasOrder(bidPrice)) return hasOrder(askPrice) ? 'mid' : 'bidPrice';
  return hasOrder(askPrice) ? 'askPrice' : undefined;
}

export function getPrice(basis: PriceBasis, quote: QuotedPrices): number {
  const { bidPrice = 0, askPrice = 0 } = quote;
  if (basis === 'mid') return (bidPrice + askPrice) / 2;
  return quote[basis] ?? 0;
}

function hasOrder(price: number | undefined): boolean {
  return price !== undefined && price > 0;
}
