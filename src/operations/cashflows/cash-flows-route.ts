import { FIGURE_DECIMALS, type PricedQuote, priceQuotes } from '../../analytics/price-quotes.ts';
import { getCashFlows, getDiscountCurve, getDiscountFactor } from '../../bonds/curve/index.ts';
import { getYearsToMaturity } from '../../bonds/index.ts';
import { MAX_LIMIT } from '../../catalogue/model/response-parameters.ts';
import { HttpError } from '../../http/http-error.ts';
import { formatDay, parseDay } from '../../shared/calendar.ts';
import { roundFigure } from '../../shared/decimals.ts';
import { describeSecurity } from '../analytics/read-analytics.ts';
import { createQuoteFiguresRoute } from '../quote-figures-route.ts';
import { type CashFlowRecord, cashFlowsOperation } from './cash-flows-operation.ts';

/** The route of the payments of securities after the settlement of their newest selected quotes. */
export const createCashFlowsRoute = () =>
  createQuoteFiguresRoute(cashFlowsOperation, {
    findError: ({ symbol }) => (symbol === undefined ? MISSING_SYMBOL_ERROR : undefined),
    async compute(selection, _, { reader, client }) {
      const { signal } = client;
      // The newest quote of a symbol, even if others share its ISIN.
      const limit = selection.securities ? MAX_LIMIT : 1;
      const { quotes, revision } = await priceQuotes(reader, { ...selection, limit }, signal);
      const texts = quotes.flatMap(listCashFlows).map((record) => JSON.stringify(record));
      return { revision, texts };
    },
  });

const MISSING_SYMBOL_ERROR = new HttpError('missing_parameter', {
  parameter: 'symbol',
  allowed: cashFlowsOperation.parameters.symbol.requirement,
});

/** If the terms are not known, all but the principal is null. */
function listCashFlows(priced: PricedQuote): CashFlowRecord[] {
  const { quote, curve, settlement, security } = priced;
  const maturity = parseDay(quote.maturityDate);
  if (maturity <= settlement) return [];
  const unknown = {
    days: [maturity],
    years: [getYearsToMaturity(settlement, maturity)],
    amounts: [],
  };
  const { days, years, amounts } = security ? getCashFlows(security, settlement) : unknown;
  return days.map((day, index) => {
    const time = years[index] ?? 0;
    const amount = amounts[index] ?? null;
    const principal = day === maturity ? 100 : 0;
    const discount = getDiscountCurve(curve, time);
    const factor = discount ? getDiscountFactor(discount, time) : null;
    return {
      date: formatDay(day),
      coupon: amount === null ? null : roundFigure(amount - principal, FIGURE_DECIMALS),
      principal,
      amount: roundFigure(amount, FIGURE_DECIMALS),
      years: roundFigure(time, FIGURE_DECIMALS) ?? 0,
      discountFactor: roundFigure(factor, FIGURE_DECIMALS + 1),
      presentValue:
        amount === null || factor === null ? null : roundFigure(amount * factor, FIGURE_DECIMALS),
      symbol: quote.symbol,
      ...describeSecurity(priced),
    };
  });
}
