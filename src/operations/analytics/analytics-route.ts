import { createQuoteFiguresRoute } from '../quote-figures-route.ts';
import { analyticsOperation, DEFAULT_HORIZON_MONTHS } from './analytics-operation.ts';
import { readAnalytics } from './read-analytics.ts';

/** The route of the figures of bonds and bills. */
export const createAnalyticsRoute = () =>
  createQuoteFiguresRoute(analyticsOperation, {
    findError: () => undefined,
    compute: (
      selection,
      { market, horizon: months = DEFAULT_HORIZON_MONTHS, repo },
      { reader, client },
    ) => readAnalytics(reader, { ...selection, market, months, repo }, client.signal),
  });
