/** The prices of a quote, each of which may be missing; 0 means no order. */
export interface QuotedPrices {
  readonly lastPrice?: number | undefined;
  readonly bidPrice?: number | undefined;
  readonly askPrice?: number | undefined;
}

/** Which price of a quote is compared; `mid` is halfway between bid and ask. */
export type PriceBasis = 'lastPrice' | 'mid' | 'bidPrice' | 'askPrice';

/** The last price, else the mid of bid and ask, else the only side; a price of 0 means no order. */
export function choosePriceBasis(quote: QuotedPrices): PriceBasis | undefined {
  const { lastPrice, bidPrice, askPrice } = quote;
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
