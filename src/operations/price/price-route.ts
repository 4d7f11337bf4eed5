import {
  findNewestQuotes,
  priceAt,
  type SettledQuote,
  tryFigures,
} from '../../analytics/price-quotes.ts';
import { computeShiftedValue, getCashFlows, getDiscountCurve } from '../../bonds/curve/index.ts';
import { accruedInterest, computePrice } from '../../bonds/index.ts';
import { quotes } from '../../catalogue/datasets/quotes.ts';
import type { ParameterValues } from '../../catalogue/model/parameter.ts';
import { HttpError } from '../../http/http-error.ts';
import type { PageQuery, PageRoute } from '../../http/pipeline/route.ts';
import { toPageRecords } from '../../http/responses/encode-page.ts';
import { DEFAULT_HORIZON_MONTHS } from '../analytics/analytics-operation.ts';
import { computeAnalytics } from '../analytics/read-analytics.ts';
import { FIGURE_DATASETS } from '../curve/curve-operation.ts';
import { createOperationRoute } from '../operation-route.ts';
import { estimateFiguresCost } from '../quote-figures-route.ts';
import { priceOperation } from './price-operation.ts';

type PriceValues = ParameterValues<typeof priceOperation.parameters>;

const INPUTS = ['price', 'yield', 'spread'] as const;
type Input = (typeof INPUTS)[number];

interface PriceQuery extends PageQuery {
  readonly filters: PriceValues;
  readonly symbols: readonly string[];
  /** Absent if the quoted prices are meant. */
  readonly input: Input | undefined;
  readonly values: readonly number[];
}

/** The route of figures at prices of a request. */
export function createPriceRoute(): PageRoute<PriceQuery> {
  return createOperationRoute(priceOperation, {
    parse({ filters, ...page }) {
      if (filters.symbol === undefined) return MISSING_SYMBOL_ERROR;
      const symbols = filters.symbol.split(',');
      const [input, other] = INPUTS.filter((name) => filters[name] !== undefined);
      if (other) return new HttpError('one_of_several', { names: INPUTS.join(', ') });
      const values = (input && filters[input]) ?? [];
      if (input && values.length !== 1 && values.length !== symbols.length)
        return new HttpError('count_of_symbols', {
          parameter: input,
          count: String(symbols.length),
        });
      const query = { ...page, filters, symbols, input, values };
      return { ...query, source: priceOperation, datasets: FIGURE_DATASETS };
    },
    cost: ({ symbols, format }, page) => estimateFiguresCost(symbols.length, format, page),
    async read(query, { view, reader, client }) {
      const { filters, symbols, input, values } = query;
      const { date: notAfter, horizon: months = DEFAULT_HORIZON_MONTHS, repo } = filters;
      const dataset = view.catalogue.get(quotes.name);
      const named = { dataset, asOf: view.revision, names: symbols, notAfter };
      const find = await findNewestQuotes(reader, named, client.signal);
      const texts = symbols.flatMap((symbol, index) => {
        const quote = find(symbol);
        if (!quote) return [];
        const value = (values[index] ?? values[0]) as number;
        const price = input ? findPrice(quote, input, value) : quote.quotedPrice;
        return JSON.stringify(computeAnalytics(priceAt(quote, price), { months, repo }));
      });
      return toPageRecords(query, { revision: view.revision, texts });
    },
  });
}

const MISSING_SYMBOL_ERROR = new HttpError('missing_parameter', {
  parameter: 'symbol',
  allowed: priceOperation.parameters.symbol.requirement,
});

/** The clean price that an input means; null if it means none. */
function findPrice(quote: SettledQuote, input: Input, value: number): number | null {
  const { security = quote.floater, settlement, curve } = quote;
  if (input === 'price') return value > 0 ? value : null;
  if (!security) return null;
  const price = tryFigures(() => {
    if (input === 'yield') return computePrice({ security, settlement }, value);
    const flows = getCashFlows(security, settlement);
    const discount = quote.security && getDiscountCurve(curve, flows.years.at(-1) ?? 0);
    const accrued = 'couponRate' in security ? accruedInterest(security, settlement) : 0;
    return discount
      ? computeShiftedValue({ flows, curve: discount, spread: value / 100 }, 0) - accrued
      : Number.NaN;
  });
  return price !== undefined && price > 0 ? price : null;
}
