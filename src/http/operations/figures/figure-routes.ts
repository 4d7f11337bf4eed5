import type { CurveSelection } from '../../../analytics/curve-reader.ts';
import { quotes } from '../../../catalogue/datasets/quotes.ts';
import { securities } from '../../../catalogue/datasets/securities.ts';
import type { ParameterValues } from '../../../catalogue/model/parameter.ts';
import { analyticsOperation } from '../../../catalogue/operations/analytics.ts';
import { curveOperation, DEFAULT_TENORS } from '../../../catalogue/operations/curve.ts';
import { HttpError } from '../../http-error.ts';
import { computeRequestCost } from '../../pages/request-cost.ts';
import type { DataRoute, PageQuery, PageRoute } from '../../pipeline/route.ts';
import { parseDataQuery } from '../../request/data-query.ts';
import {
  findNextPosition,
  type PlannedQuotes,
  planQuery,
  type QueryPlan,
} from '../../request/plan-query.ts';

/** The operations whose figures are computed from quotes: the curve, the analytics of a bond. */
export function createFigureRoutes(): DataRoute[] {
  return [createCurveRoute(), createAnalyticsRoute()];
}

/** Figures follow from quotes and from the terms of securities. */
const DATASETS = [quotes.name, securities.name];

/** A curve takes some milliseconds, which is too long for the thread that responds. */
const CURVE_COST = 4;

interface CurveQuery extends PageQuery {
  readonly curve: Omit<CurveSelection, 'asOf'>;
}

function createCurveRoute(): PageRoute<CurveQuery> {
  const { path, scope, parameters } = curveOperation;
  return {
    path,
    operation: curveOperation,
    scope,
    parse({ query, acceptedFormat }) {
      const values = parseDataQuery(query, parameters, acceptedFormat);
      if (values instanceof HttpError) return values;
      const { filters, ...page } = values;
      const {
        date: dates,
        market = 'government',
        tenors = DEFAULT_TENORS,
      }: ParameterValues<typeof parameters> = filters;
      const curve = { market, dates, tenors };
      return { ...page, source: curveOperation, datasets: DATASETS, curve };
    },
    cost({ curve, format }, page) {
      if (!page) return CURVE_COST * (curve.dates?.length ?? 1);
      return CURVE_COST * page.count + computeRequestCost({ records: page.count, format });
    },
    read: ({ curve }, { asOf, readPage }) => readPage({ curve: { ...curve, asOf } }),
  };
}

type AnalyticsQuery = QueryPlan & PageQuery;

function createAnalyticsRoute(): PageRoute<AnalyticsQuery> {
  // Quotes are planned alike: the same filters, pages and cursors, which are its own by its name.
  const { path, scope, name, parameters } = analyticsOperation;
  const dataset = { ...quotes, name, parameters };
  return {
    path,
    operation: analyticsOperation,
    scope,
    parse(request) {
      const plan = planQuery(dataset, request);
      if (plan instanceof HttpError) return plan;
      if (plan.filters.symbol === undefined) return MISSING_SYMBOL_ERROR;
      return { ...plan, source: analyticsOperation, datasets: DATASETS };
    },
    cost({ selection, format }, page) {
      if (!page) return estimateCost((selection as PlannedQuotes).limit);
      return estimateCost(page.count) - 1 + computeRequestCost({ records: page.count, format });
    },
    async read({ selection }, { asOf, readPage }) {
      const analytics = { ...(selection as PlannedQuotes), ...(asOf !== undefined && { asOf }) };
      const page = await readPage({ analytics });
      return { ...page, nextPosition: findNextPosition(selection, page) };
    },
  };
}

/** Each record may need the government curve of its day. */
const ANALYTICS_PER_REQUEST = 4;

function estimateCost(records: number): number {
  return Math.max(CURVE_COST, Math.ceil(records / ANALYTICS_PER_REQUEST));
}

const MISSING_SYMBOL_ERROR = new HttpError('missing_parameter', {
  parameter: 'symbol',
  allowed: analyticsOperation.parameters.symbol.requirement,
});
