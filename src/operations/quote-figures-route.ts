import type { Figures } from '../analytics/curve-reader.ts';
import type { QuotesAsOf } from '../analytics/price-quotes.ts';
import { quotes } from '../catalogue/datasets/quotes.ts';
import type { ParameterValues } from '../catalogue/model/parameter.ts';
import type { ResponseFormatName } from '../catalogue/model/response-format.ts';
import {
  CURVE_COST,
  computeRequestCost,
  computeSearchCost,
} from '../http/background/job-scheduler.ts';
import { HttpError } from '../http/http-error.ts';
import type { PageQuery, PageRoute, ReadContext } from '../http/pipeline/route.ts';
import { type PageRecords, toPageRecords } from '../http/responses/encode-page.ts';
import type { analyticsOperation } from './analytics/analytics-operation.ts';
import type { cashFlowsOperation } from './cashflows/cash-flows-operation.ts';
import { FIGURE_DATASETS } from './curve/curve-operation.ts';
import { findNextPosition, type PlannedQuotes, planQuery, type QueryPlan } from './plan-query.ts';
import { countSearched, searchesRecords } from './searched-records.ts';

type FiguresOperation = typeof analyticsOperation | typeof cashFlowsOperation;

interface FiguresHandlers<Values> {
  readonly findError: (values: Values) => HttpError | undefined;
  readonly compute: (
    selection: QuotesAsOf,
    values: Values,
    context: ReadContext,
  ) => Promise<Figures & Pick<PageRecords, 'lastKey'>>;
}

/** The route of figures of quotes, which are planned as quotes are: the same filters and pages. */
export function createQuoteFiguresRoute<O extends FiguresOperation>(
  operation: O,
  { findError, compute }: FiguresHandlers<ParameterValues<O['parameters']>>,
): PageRoute<QueryPlan & PageQuery> {
  const { path, scope, name, parameters } = operation;
  const dataset = { ...quotes, name, parameters };
  type Values = ParameterValues<O['parameters']>;
  return {
    path,
    operation,
    scope,
    parse(request) {
      const plan = planQuery(dataset, request);
      if (plan instanceof HttpError) return plan;
      const error = findError(plan.filters as Values);
      return (
        error ?? {
          ...plan,
          ...(searchesRecords(plan.selection) && { isBounded: true }),
          source: operation,
          datasets: FIGURE_DATASETS,
        }
      );
    },
    cost({ selection, format, available }, page) {
      const searched = page ? page.searched : searchesRecords(selection) ? available : 0;
      const { limit } = selection as PlannedQuotes;
      return estimateFiguresCost(limit, format, page) + computeSearchCost(searched);
    },
    async read(query, context) {
      const { catalogue, revision } = context.view;
      const selection = {
        ...(query.selection as PlannedQuotes),
        dataset: catalogue.get(quotes.name),
        asOf: revision,
      };
      const figures = await compute(selection, query.filters as Values, context);
      const page = toPageRecords(query, figures);
      const searched = await countSearched(context.reader, selection);
      return { ...page, ...searched, nextPosition: findNextPosition(selection, page) };
    },
  };
}

/** Each record may need the government curve of its day. */
const RECORDS_PER_REQUEST = 4;

/** The cost of figures: before they are read, of as many records as there may be. */
export function estimateFiguresCost(
  limit: number,
  format: ResponseFormatName,
  page?: { readonly count: number },
): number {
  const count = page?.count ?? limit;
  const cost = Math.max(CURVE_COST, Math.ceil(count / RECORDS_PER_REQUEST));
  return page ? cost - 1 + computeRequestCost({ records: count, format }) : cost;
}
