import type { Quote } from '../../catalogue/datasets/quotes.ts';
import { memoize } from '../../shared/memoize.ts';
import { getMaxDecimals } from '../breakdown/compute-changes.ts';
import { addMonthsToDay } from '../formatting/dates.ts';
import { getPointDecimals } from '../security/analytics.ts';
import type { GetSpread } from './create-spreads.ts';

/** A quote with its changes against the comparison day, in price and in basis points. */
export interface QuoteRow {
  readonly quote: Quote;
  /** Over the government curve, in basis points. */
  readonly spread: number | undefined;
  readonly price: number | undefined;
  readonly points: number | undefined;
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
      // A price of 0 means that there is none, a yield of 0 that it was not computed.
      price:
        earlier?.lastPrice && quote.lastPrice ? quote.lastPrice - earlier.lastPrice : undefined,
      points: earlier?.ytm && quote.ytm ? (quote.ytm - earlier.ytm) * 100 : undefined,
    };
  });
}

/** Changes have no more decimals than the figures of the quotes. */
export function findChangeDecimals(quotes: readonly Quote[]) {
  return {
    price: getMaxDecimals(
      quotes.values().map(({ lastPrice }) => lastPrice),
      4,
    ),
    points: getPointDecimals(
      getMaxDecimals(
        quotes.values().map(({ ytm }) => ytm),
        3,
      ),
    ),
  };
}

/** Whether a quote is of the last month of its security. */
function isNearMaturity({ date, maturityDate }: Pick<Quote, 'date' | 'maturityDate'>) {
  return maturityDate < getMonthAfter(date);
}

const getMonthAfter = memoize(10, (date: string) => addMonthsToDay(date, 1));

/** The rows whose yields rose and fell most; not those within a month of maturity. */
export function findMovers(rows: readonly QuoteRow[]) {
  const moved = rows
    .filter(({ quote, points = 0 }) => points !== 0 && !isNearMaturity(quote))
    .toSorted((a, b) => getPoints(b) - getPoints(a));
  return {
    risen: moved.filter((row) => getPoints(row) > 0).slice(0, MOVER_COUNT),
    fallen: moved
      .filter((row) => getPoints(row) < 0)
      .toReversed()
      .slice(0, MOVER_COUNT),
  };
}

function getPoints({ points = 0 }: QuoteRow): number {
  return points;
}

const MOVER_COUNT = 5;
