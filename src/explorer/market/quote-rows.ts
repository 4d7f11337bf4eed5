import type { Quote } from '../../catalogue/datasets/quotes.ts';
import { memoize } from '../../shared/memoize.ts';
import { addMonthsToDay } from '../formatting/dates.ts';
import type { SpreadRow } from '../security/quote-fields.ts';
import { getMaxDecimals } from '../series/compute-changes.ts';
import type { GetSpread } from './create-spreads.ts';

/** A quote with its changes since the comparison day; those of yields are in basis points. */
export interface QuoteRow extends SpreadRow {
  readonly ytmChange: number | undefined;
  readonly lastPriceChange: number | undefined;
}

export function buildQuoteRows(
  quotes: readonly Quote[],
  earlierQuotes: readonly Quote[],
  getSpread: GetSpread,
): QuoteRow[] {
  const earlierBySymbol = new Map(earlierQuotes.map((quote) => [quote.symbol, quote]));
  return quotes.map((quote) => {
    const earlier = earlierBySymbol.get(quote.symbol);
    return {
      quote,
      spread: getSpread(quote),
      // A price of 0 means no price, a yield of 0 that it was not computed.
      lastPriceChange:
        earlier?.lastPrice && quote.lastPrice ? quote.lastPrice - earlier.lastPrice : undefined,
      ytmChange: earlier?.ytm && quote.ytm ? (quote.ytm - earlier.ytm) * 100 : undefined,
    };
  });
}

/** Changes have no more decimals than the figures of the quotes. */
export function findChangeDecimals(quotes: readonly Quote[]) {
  const find = (name: 'lastPrice' | 'ytm', max: number) =>
    getMaxDecimals(
      quotes.values().map((quote) => quote[name]),
      max,
    );
  return { price: find('lastPrice', 4), bp: Math.max(0, find('ytm', 3) - 2) };
}

const getMonthAfter = memoize(10, (date: string) => addMonthsToDay(date, 1));

/** The rows whose yields rose most, then those that fell most; excluding those within a month of maturity. */
export function findMovers(rows: readonly QuoteRow[]): QuoteRow[] {
  const moved = rows
    .filter(({ quote }) => quote.maturityDate >= getMonthAfter(quote.date))
    .toSorted((a, b) => getChange(b) - getChange(a));
  return [
    ...moved.slice(0, MOVER_COUNT).filter((row) => getChange(row) > 0),
    ...moved.slice(-MOVER_COUNT).filter((row) => getChange(row) < 0),
  ];
}

function getChange({ ytmChange = 0 }: QuoteRow): number {
  return ytmChange;
}

const MOVER_COUNT = 5;
