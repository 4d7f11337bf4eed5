import type { CurveHistory, CurveSelection, Figures } from '../../analytics/curve-reader.ts';
import { getAnalyticsReader, getCurveReader } from '../../analytics/readers.ts';
import { quotes } from '../../catalogue/datasets/quotes.ts';
import type { ParameterValues } from '../../catalogue/model/parameter.ts';
import { HttpError } from '../../http/http-error.ts';
import type { DataRoute, PageQuery, PageRoute, ReadContext } from '../../http/pipeline/route.ts';
import { FLAT_FORMATS, type PageRequest, parsePageRequest } from '../../http/request/data-query.ts';
import {
  findNextPosition,
  type PlannedQuotes,
  planQuery,
  type QueryPlan,
} from '../../http/request/plan-query.ts';
import { CURVE_COST, computeRequestCost } from '../../http/request/request-cost.ts';
import { type PageRecords, toPageRecords } from '../../http/responses/encode-page.ts';
import { parseDay } from '../../shared/calendar.ts';
import type { QuoteSelection } from '../../store/open-store.ts';
import { analyticsOperation, DEFAULT_HORIZON_MONTHS } from '../analytics/analytics-operation.ts';
import { cashFlowsOperation } from '../cashflows/cash-flows-operation.ts';
import {
  createWideCurve,
  curveOperation,
  DEFAULT_CURVES,
  DEFAULT_TENORS,
  FIGURE_DATASETS,
  MAX_CURVE_DATES,
} from './curve-operation.ts';

/** The operations whose figures are computed from quotes: the curve, figures and cash flows of bonds. */
export function createFigureRoutes(): DataRoute[] {
  return [
    createCurveRoute(),
    createQuotesRoute(analyticsOperation, {
      findError: ({ symbol, from, to }: AnalyticsValues) =>
        symbol === undefined && (from ?? to) !== undefined ? RANGE_OF_MARKET_ERROR : undefined,
      compute(
        selection,
        { market, horizon: months = DEFAULT_HORIZON_MONTHS, repo }: AnalyticsValues,
        { reader, client },
      ) {
        const analytics = getAnalyticsReader(reader);
        return analytics.read({ ...selection, market, months, repo }, client.signal);
      },
    }),
    createQuotesRoute(cashFlowsOperation, {
      findError: ({ symbol }) => (symbol === undefined ? MISSING_SYMBOL_ERROR : undefined),
      compute: (selection, _, { reader, client }) =>
        getAnalyticsReader(reader).readCashFlows({ ...selection, limit: 1 }, client.signal),
    }),
  ];
}

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
      return { ...page, source, datasets: FIGURE_DATASETS, curve };
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
    async read(query, { view, reader, client }) {
      const selection = { ...query.curve, asOf: view.revision };
      const dataset = view.catalogue.get(quotes.name);
      const curves = await getCurveReader(reader).read(dataset, selection, client.signal);
      return toPageRecords(query, curves);
    },
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
  if (shape === 'wide' && !FLAT_FORMATS.includes(format))
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

type QuotesQuery = QueryPlan & PageQuery;

type AnalyticsValues = ParameterValues<typeof analyticsOperation.parameters>;

/** A market has hundreds of securities, so that figures of all of them are of one day. */
const RANGE_OF_MARKET_ERROR = new HttpError('range_of_market');

interface QuotesRouteOptions {
  readonly findError: (values: PageRequest['filters']) => HttpError | undefined;
  readonly compute: (
    selection: QuoteSelection & { readonly asOf: number },
    values: PageRequest['filters'],
    context: ReadContext,
  ) => Promise<Figures & Pick<PageRecords, 'lastPosition'>>;
}

/** Quotes are planned alike: the same filters, pages and cursors, which are its own by its name. */
function createQuotesRoute(
  operation: typeof analyticsOperation | typeof cashFlowsOperation,
  { findError, compute }: QuotesRouteOptions,
): PageRoute<QuotesQuery> {
  const { path, scope, name, parameters } = operation;
  const dataset = { ...quotes, name, parameters };
  return {
    path,
    operation,
    scope,
    parse(request) {
      const plan = planQuery(dataset, request);
      if (plan instanceof HttpError) return plan;
      return findError(plan.filters) ?? { ...plan, source: operation, datasets: FIGURE_DATASETS };
    },
    cost({ selection, format }, page) {
      if (!page) return estimateCost((selection as PlannedQuotes).limit);
      return estimateCost(page.count) - 1 + computeRequestCost({ records: page.count, format });
    },
    async read(query, context) {
      const { selection, filters } = query;
      const { catalogue, revision } = context.view;
      const source = { dataset: catalogue.get(quotes.name), asOf: revision };
      const figures = await compute(
        { ...(selection as PlannedQuotes), ...source },
        filters,
        context,
      );
      const page = toPageRecords(query, figures);
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
  allowed: cashFlowsOperation.parameters.symbol.requirement,
});
