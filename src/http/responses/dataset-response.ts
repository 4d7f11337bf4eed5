import { ACCEPT_DATETIME } from '../../catalogue/model/accept-datetime.ts';
import type { ResponseFormatName } from '../../catalogue/model/response-format.ts';
import { type Awaitable, whenReady } from '../../shared/awaitable.ts';
import type { Selection } from '../../store/open-store.ts';
import type { Jobs } from '../background/jobs.ts';
import { computeRequestCost } from '../background/request-cost.ts';
import type { Client } from '../background/schedule-job.ts';
import { type HttpError, isHttpError } from '../http-error.ts';
import { negotiateFormat, prefersExactCount } from '../request/content-negotiation.ts';
import { createNextCursor, planQuery, type QueryPlan } from '../request/plan-query.ts';
import type { DatasetRoute } from '../route.ts';
import type { ServerContext } from '../server-context.ts';
import {
  CURSOR_TOO_NEW_RESPONSE,
  createCachedResponse,
  findCachedResponse,
} from './cached-response.ts';
import { createPaginationLinks } from './links.ts';
import { createRecordsResponse } from './records-response.ts';
import { errorResponse, type HttpResponse } from './response.ts';

/** The sender of a request, with the request. */
export interface RequestingClient extends Client {
  readonly request: Request;
  readonly headers: Headers;
}

/** The records of a dataset that a request selects: plan, read, respond. */
export function respondWithDataset(
  context: ServerContext,
  { dataset, path }: DatasetRoute,
  client: RequestingClient,
): Awaitable<HttpResponse> {
  const {
    headers,
    request: { url },
  } = client;
  const target = url.slice(url.indexOf(path));
  const acceptedFormat = negotiateFormat(headers.get('accept'));
  const includeTotal = prefersExactCount(headers.get('prefer'));
  // No target has a space, so the key of one format is never the target of another request.
  const key =
    acceptedFormat === 'json' && !includeTotal
      ? target
      : `${target} ${getVariantKey(acceptedFormat, includeTotal)}`;
  const cacheable = { target, key, instant: headers.get(ACCEPT_DATETIME) };
  const cached = findCachedResponse(context, cacheable);
  if (cached) return cached;
  const { cursors } = context;
  const plan = planQuery(dataset, target.slice(path.length + 1), { cursors, acceptedFormat });
  if (isHttpError(plan)) return errorResponse(plan);
  // A missing fund comes before what a request is as of, too.
  const defersErrors = plan.selection.kind === 'fund';
  const request = { ...cacheable, asOf: plan.asOf, defersErrors };
  return createCachedResponse(context, request, (asOf, deferredError) => {
    const { errorIfFound = deferredError } = plan;
    const options = { target, includeTotal, asOf, errorIfFound };
    const cost = estimateCost(plan, options);
    return context.scheduleJob(client, cost, (jobs) => {
      // Meanwhile another request may have created the same response.
      const canBeCached = asOf === undefined && !errorIfFound;
      const created = canBeCached ? context.responseCache.get(key) : undefined;
      return created ?? readDataset(context, plan, options, { client, jobs });
    });
  });
}

/** The part of a cache key that names the format, and whether records are counted. */
export function getVariantKey(format: ResponseFormatName, includeTotal: boolean): string {
  return `${format}${includeTotal ? ' counted' : ''}`;
}

interface PageOptions {
  readonly target: string;
  readonly includeTotal: boolean;
  readonly asOf: number | undefined;
  /** What is wrong with the request, if anything is selected at all. */
  readonly errorIfFound: HttpError | undefined;
}

/** Records of a series or a fund, roughly. */
const USUAL_RECORDS = 100;
/** Counting the records of a security reads them; other counts are known. */
const MAX_COUNTED = 100_000;
const readsCounted = (selection: Pick<Selection, 'kind'>) =>
  'security' in selection || 'securities' in selection;

/** What a response may cost, before its records are read. */
function estimateCost(
  { selection, format }: QueryPlan,
  { includeTotal }: Pick<PageOptions, 'includeTotal'>,
): number {
  return computeRequestCost({
    records: 'limit' in selection ? selection.limit : USUAL_RECORDS,
    format,
    counted: includeTotal && readsCounted(selection) ? MAX_COUNTED : 0,
  });
}

function readDataset(
  { cursors, findLastChange }: ServerContext,
  plan: QueryPlan,
  { target, includeTotal, asOf: requestedAsOf, errorIfFound }: PageOptions,
  { client, jobs }: { client: Client; jobs: Jobs },
): Awaitable<HttpResponse> {
  const { format, fields } = plan;
  const { dataset, ...selection } = plan.selection;
  // A cursor pins the revision of the first page.
  const { asOf = requestedAsOf } = selection;
  if (requestedAsOf !== undefined && asOf !== undefined && requestedAsOf < asOf)
    return CURSOR_TOO_NEW_RESPONSE;
  const job = {
    dataset: dataset.name,
    selection: { ...selection, ...(asOf !== undefined && { asOf }) },
    format,
    fields,
    target,
    asOf,
    includeTotal,
  };
  return whenReady(jobs.createPage(job, client), (page) => {
    if (page.encodeMs) client.recordEncoding?.(page.encodeMs);
    const counted = readsCounted(selection) ? (page.total ?? 0) : 0;
    client.charge(computeRequestCost({ records: page.count, format, counted }) - 1);
    if (errorIfFound && page.count > 0) return errorResponse(errorIfFound);
    const cursor = createNextCursor(plan, page, cursors);
    const links = cursor === undefined ? undefined : createPaginationLinks(target, cursor);
    return whenReady(findLastChange(dataset.name, page.revision), (modified) =>
      createRecordsResponse({ source: dataset, page, format, modified, links }),
    );
  });
}
