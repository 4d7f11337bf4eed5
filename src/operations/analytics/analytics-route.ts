import { HttpError } from '../../http/http-error.ts';
import { createQuoteFiguresRoute } from '../quote-figures-route.ts';
import { analyticsOperation, DEFAULT_HORIZON_MONTHS } from './analytics-operation.ts';
import { readAnalytics } from './read-analytics.ts';

/** The route of the figures of bonds and bills. */
export const createAnalyticsRoute = () =>
  createQuoteFiguresRoute(analyticsOperation, {
    findError: ({ symbol, from, to }) =>
      symbol === undefined && (from ?? to) !== undefined ? RANGE_OF_MARKET_ERROR : undefined,
    compute: (
      selection,
      { market, horizon: months = DEFAULT_HORIZON_MONTHS, repo },
      { reader, client },
    ) => readAnalytics(reader, { ...selection, market, months, repo }, client.signal),
  });

/** A market has hundreds of securities, so that figures of all of them are of one day. */
const RANGE_OF_MARKET_ERROR = new HttpError('range_of_market');
