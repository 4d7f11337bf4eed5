import {
  type CurveHistory,
  type CurveSelection,
  getCurveReader,
} from '../../analytics/curve-reader.ts';
import { quotes } from '../../catalogue/datasets/quotes.ts';
import type { ParameterValues } from '../../catalogue/model/parameter.ts';
import { CURVE_COST, computeRequestCost } from '../../http/background/job-scheduler.ts';
import { HttpError } from '../../http/http-error.ts';
import type { PageQuery, PageRoute } from '../../http/pipeline/route.ts';
import { FLAT_FORMATS } from '../../http/request/parse-query.ts';
import { toPageRecords } from '../../http/responses/encode-page.ts';
import { parseDay } from '../../shared/calendar.ts';
import { createOperationRoute, type OperationPage } from '../operation-route.ts';
import {
  createWideCurve,
  curveOperation,
  DEFAULT_CURVES,
  DEFAULT_TENORS,
  FIGURE_DATASETS,
  MAX_CURVE_DATES,
} from './curve-operation.ts';

interface CurveQuery extends PageQuery {
  readonly curve: Omit<CurveSelection, 'asOf'>;
}

/** The route of curves: of dates, or of a range of them. */
export function createCurveRoute(): PageRoute<CurveQuery> {
  return createOperationRoute(curveOperation, {
    parse(values) {
      const { filters, position, ...page } = values;
      const error = findCurveError(filters, values);
      if (error) return error;
      const { market = 'government', tenors = DEFAULT_TENORS, shape, rate = 'yield' } = filters;
      const history = planHistory(filters, position);
      const wideRate = shape === 'wide' ? rate : undefined;
      const source = wideRate ? createWideCurve(tenors, wideRate) : curveOperation;
      const curve = { market, dates: filters.date, history, tenors, wideRate };
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
  });
}

/** Points of a curve that take as long as a record. */
const POINTS_PER_RECORD = 4;

type CurveValues = ParameterValues<typeof curveOperation.parameters>;

function findCurveError(
  { date, from, to, every, limit, shape, rate }: CurveValues,
  { format, position, fields }: Pick<OperationPage, 'format' | 'position' | 'fields'>,
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
  position: OperationPage['position'],
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
