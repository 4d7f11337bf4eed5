import type { CurveHistory, CurveSelection } from '../../../analytics/curve-reader.ts';
import { quotes } from '../../../catalogue/datasets/quotes.ts';
import { securities } from '../../../catalogue/datasets/securities.ts';
import type { ParameterValues } from '../../../catalogue/model/parameter.ts';
import { analyticsOperation } from '../../../catalogue/operations/analytics.ts';
import {
  createWideCurve,
  curveOperation,
  DEFAULT_CURVES,
  DEFAULT_TENORS,
  MAX_CURVE_DATES,
} from '../../../catalogue/operations/curve.ts';
import { parseDay } from '../../../shared/calendar.ts';
import { HttpError } from '../../http-error.ts';
import { computeRequestCost } from '../../pages/request-cost.ts';
import type { DataRoute, PageQuery, PageRoute } from '../../pipeline/route.ts';
import { FLAT_FORMATS, type PageRequest, parsePageRequest } from '../../request/data-query.ts';
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
    parse(request) {
      const values = parsePageRequest(request, parameters);
      if (values instanceof HttpError) return values;
      const { filters, position, ...page } = values;
      const error = findCurveError(filters, values);
      if (error) return error;
      const {
        date: dates,
        market = 'government',
        tenors = DEFAULT_TENORS,
        shape,
        rate = 'yield',
      }: CurveValues = filters;
      const history = planHistory(filters, position);
      const wideRate = shape === 'wide' ? rate : undefined;
      const source = wideRate ? createWideCurve(tenors, wideRate) : curveOperation;
      const curve = { market, dates, history, tenors, wideRate };
      return { ...page, source, datasets: DATASETS, curve };
    },
    cost({ curve, format }, page) {
      const { dates, history, tenors } = curve;
      if (!page) return CURVE_COST * (dates?.length ?? history?.limit ?? 1);
      // Those of a history have been fitted before, mostly.
      const fits = Math.min(page.count, MAX_CURVE_DATES);
      const records = history
        ? Math.ceil((page.count * tenors.length) / POINTS_PER_RECORD)
        : page.count;
      return CURVE_COST * fits + computeRequestCost({ records, format });
    },
    read: ({ curve }, { asOf, readPage }) => readPage({ curve: { ...curve, asOf } }),
  };
}

/** Points of a curve that take as long as a record. */
const POINTS_PER_RECORD = 4;

type CurveValues = ParameterValues<typeof curveOperation.parameters>;

function findCurveError(
  { date, from, to, every, limit, shape, rate }: CurveValues,
  { format, position, fields }: Pick<PageRequest, 'format' | 'position' | 'fields'>,
): HttpError | undefined {
  const isRange = from !== undefined || to !== undefined;
  if (date !== undefined && isRange) return new HttpError('date_and_range');
  if (from !== undefined && to !== undefined && from > to) return new HttpError('reversed_range');
  const useless = every ? 'every' : limit ? 'limit' : position ? 'cursor' : undefined;
  if (!isRange && useless) return new HttpError('needs_range', { parameter: useless });
  if (rate && shape !== 'wide') return new HttpError('rate_of_long_shape');
  if (shape === 'wide' && format === 'json')
    return new HttpError('wide_json', { allowed: FLAT_FORMATS.join(', ') });
  return shape === 'wide' && fields ? new HttpError('fields_of_wide_shape') : undefined;
}

/** A later page begins at the day that its cursor holds. */
function planHistory(
  { from, to, every = 'day', limit = DEFAULT_CURVES }: CurveValues,
  position: PageRequest['position'],
): CurveHistory | undefined {
  if (from === undefined && to === undefined) return undefined;
  const last = position ? Number(position[0]) : to === undefined ? undefined : parseDay(to);
  return {
    every,
    limit,
    ...(from !== undefined && { from: parseDay(from) }),
    ...(last !== undefined && { to: last }),
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
