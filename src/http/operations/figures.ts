import { quotes } from '../../catalogue/datasets/quotes.ts';
import { securities } from '../../catalogue/datasets/securities.ts';
import { ACCEPT_DATETIME } from '../../catalogue/model/accept-datetime.ts';
import type { Operation } from '../../catalogue/model/operation.ts';
import type { ParameterValues } from '../../catalogue/model/parameter.ts';
import type { ResponseFormatName } from '../../catalogue/model/response-format.ts';
import { analyticsOperation } from '../../catalogue/operations/analytics.ts';
import { curveOperation, DEFAULT_TENORS } from '../../catalogue/operations/curve.ts';
import type { QuoteSelection } from '../../store/open-store.ts';
import type { Page } from '../background/create-page.ts';
import type { FigureJob } from '../background/read-figures.ts';
import { computeRequestCost } from '../background/request-cost.ts';
import type { Client } from '../background/schedule-job.ts';
import { createHttpError, isHttpError } from '../http-error.ts';
import { negotiateFormat } from '../request/content-negotiation.ts';
import { parseDataQuery, withFormat } from '../request/data-query.ts';
import { createNextCursor, planQuery } from '../request/plan-query.ts';
import { CURSOR_TOO_NEW_RESPONSE, getOrCreateResponse } from '../responses/cached-response.ts';
import { createPaginationLinks } from '../responses/links.ts';
import { createRecordsResponse } from '../responses/records-response.ts';
import { errorResponse, type HttpResponse } from '../responses/response.ts';
import type { OperationRoute } from '../route.ts';
import type { ServerContext } from '../server-context.ts';

/** The operations whose figures are computed from quotes: the curve, the analytics of a bond. */
export function createFigureRoutes(): OperationRoute[] {
  return [createCurveRoute(), createAnalyticsRoute()];
}

/** A curve takes some milliseconds, which is too long for the thread that responds. */
const CURVE_COST = 4;

function createCurveRoute(): OperationRoute {
  return {
    path: curveOperation.path,
    operation: curveOperation,
    respond(context, client, { path, query }, { headers }) {
      const values = withFormat(
        parseDataQuery(query, curveOperation.parameters),
        negotiateFormat(headers.get('accept')),
      );
      if (isHttpError(values)) return errorResponse(values);
      const { asOf: requestedAsOf, format, fields } = values;
      const {
        date: dates,
        market = 'government',
        tenors = DEFAULT_TENORS,
      }: CurveValues = values.filters;
      const target = query === '' ? path : `${path}?${query}`;
      const instant = headers.get(ACCEPT_DATETIME);
      const cacheable = { target, key: `${target} ${format}`, instant, asOf: requestedAsOf };
      const cost = CURVE_COST * (dates?.length ?? 1);
      return getOrCreateResponse(context, cacheable, async (asOf) => {
        const curve = { market, dates, tenors, asOf };
        const job = { ...SOURCES, curve, format, fields, target, asOf };
        const page = await createPage(context, client, { job, cost });
        client.charge(CURVE_COST * page.count);
        return respondWithPage(context, curveOperation, { page, format });
      });
    },
  };
}

type CurveValues = ParameterValues<typeof curveOperation.parameters>;

function createAnalyticsRoute(): OperationRoute {
  // Quotes are planned alike: the same filters, pages and cursors, which are its own by its name.
  const { name, parameters } = analyticsOperation;
  const dataset = { ...quotes, name, parameters };
  return {
    path: analyticsOperation.path,
    operation: analyticsOperation,
    respond(context, client, { path, query }, { headers }) {
      const acceptedFormat = negotiateFormat(headers.get('accept'));
      const plan = planQuery(dataset, query, { cursors: context.cursors, acceptedFormat });
      if (isHttpError(plan)) return errorResponse(plan);
      if (plan.filters.symbol === undefined) return MISSING_SYMBOL_RESPONSE;
      const { dataset: _, ...selection } = plan.selection as QuoteSelection;
      const { format, fields } = plan;
      const target = query === '' ? path : `${path}?${query}`;
      const instant = headers.get(ACCEPT_DATETIME);
      const cacheable = { target, key: `${target} ${format}`, instant, asOf: plan.asOf };
      return getOrCreateResponse(context, cacheable, async (requestedAsOf) => {
        // A cursor pins the revision of the first page.
        const { asOf = requestedAsOf } = selection;
        if (requestedAsOf !== undefined && asOf !== undefined && requestedAsOf < asOf)
          return CURSOR_TOO_NEW_RESPONSE;
        const analytics = { ...selection, ...(asOf !== undefined && { asOf }) };
        const job = { ...SOURCES, analytics, format, fields, target, asOf };
        const page = await createPage(context, client, {
          job,
          cost: estimateCost(selection.limit),
        });
        client.charge(estimateCost(page.count) - 1);
        const cursor = createNextCursor(plan, page, context.cursors);
        const links = cursor === undefined ? undefined : createPaginationLinks(target, cursor);
        return respondWithPage(context, analyticsOperation, { page, format, links });
      });
    },
  };
}

/** Each record may need the government curve of its day. */
const ANALYTICS_PER_REQUEST = 4;

function estimateCost(records: number): number {
  return Math.max(CURVE_COST, Math.ceil(records / ANALYTICS_PER_REQUEST));
}

const MISSING_SYMBOL_RESPONSE = errorResponse(
  createHttpError('missing_parameter', {
    parameter: 'symbol',
    allowed: analyticsOperation.parameters.symbol.requirement,
  }),
);

async function createPage(
  { scheduleJob }: ServerContext,
  client: Client,
  { job, cost }: { job: FigureJob; cost: number },
): Promise<Page> {
  const page = await scheduleJob(client, cost, (jobs) => jobs.createPage(job, client));
  if (page.encodeMs) client.recordEncoding?.(page.encodeMs);
  const { count: records } = page;
  client.charge(computeRequestCost({ records, format: job.format }) - 1);
  return page;
}

interface FigureResponseOptions {
  readonly page: Page;
  readonly format: ResponseFormatName;
  readonly links?: string | undefined;
}

async function respondWithPage(
  context: ServerContext,
  operation: Operation,
  { page, format, links }: FigureResponseOptions,
): Promise<HttpResponse> {
  const modified = await findLastSourceChange(context, page.revision);
  return createRecordsResponse({ source: operation, page, format, modified, links });
}

/** Figures follow from quotes and from the terms of securities. */
const SOURCES = { dataset: quotes.name, otherDatasets: [securities.name] };
const SOURCE_DATASETS = [SOURCES.dataset, ...SOURCES.otherDatasets];

async function findLastSourceChange({ findLastChange }: ServerContext, revision: number) {
  const changes = await Promise.all(SOURCE_DATASETS.map((name) => findLastChange(name, revision)));
  const [last, earlier] = changes
    .filter((change) => change !== undefined)
    .toSorted((a, b) => b.revision - a.revision);
  return last && { ...last, isAmbiguous: last.isAmbiguous || last.atMs === earlier?.atMs };
}
