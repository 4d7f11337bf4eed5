import { ACCEPT_DATETIME, acceptDatetime } from '../../catalogue/model/accept-datetime.ts';
import type { ResponseFormatName } from '../../catalogue/model/response-format.ts';
import { isHttpError } from '../http-error.ts';
import { negotiateFormat, prefersExactCount } from '../request/content-negotiation.ts';
import { createNextCursor, planQuery, type QueryPlan } from '../request/plan-query.ts';
import type { DatasetRoute } from '../route.ts';
import type { ServerContext } from '../server-context.ts';
import {
  type CacheableRequest,
  CURSOR_TOO_NEW_RESPONSE,
  createCachedResponse,
  findCachedResponse,
  INVALID_DATETIME_ERROR,
} from './cached-response.ts';
import { createPaginationLinks } from './links.ts';
import { createRecordsResponse } from './records-response.ts';
import { errorResponse, type HttpResponse } from './response.ts';

/** The records of a dataset that a request selects: plan, read, respond. */
export function respondWithDataset(
  context: ServerContext,
  { dataset, path }: DatasetRoute,
  { url, headers }: Request,
): HttpResponse | Promise<HttpResponse> {
  const target = url.slice(url.indexOf(path));
  const format = negotiateFormat(headers.get('accept'));
  const includeTotal = prefersExactCount(headers.get('prefer'));
  // No target has a space, so the key of one format is never the target of another request.
  const key =
    format === 'json' && !includeTotal
      ? target
      : `${target} ${getVariantKey(format, includeTotal)}`;
  const cacheable = { target, key, instant: headers.get(ACCEPT_DATETIME) };
  const cached = findCachedResponse(context, cacheable);
  if (cached) return cached;
  const planned = planQuery(dataset, target.slice(path.length + 1), context.cursors);
  if (isHttpError(planned)) return errorResponse(planned);
  const [request, plan] = deferInstantError(cacheable, planned);
  return createCachedResponse(context, request, (asOf) =>
    enqueueUnlessJson(context, format, async () => {
      // Meanwhile another request may have created the same response.
      const canBeCached = asOf === undefined && format !== 'json' && !plan.errorIfFound;
      const queued = canBeCached ? context.responseCache.get(key) : undefined;
      return queued ?? readDataset(context, plan, { target, format, includeTotal, asOf });
    }),
  );
}

/** A missing fund comes before an invalid `Accept-Datetime` too. */
function deferInstantError(
  request: CacheableRequest,
  plan: QueryPlan,
): [CacheableRequest, QueryPlan] {
  const { instant } = request;
  if (plan.selection.kind !== 'fund' || instant === null || acceptDatetime.parse(instant))
    return [request, plan];
  return [
    { ...request, instant: null },
    { errorIfFound: INVALID_DATETIME_ERROR, ...plan },
  ];
}

/** The part of a cache key that names the format, and whether records are counted. */
export function getVariantKey(format: ResponseFormatName, includeTotal: boolean): string {
  return `${format}${includeTotal ? ' counted' : ''}`;
}

/** Creates JSON at once; other formats take memory and time, so a few at a time. */
export function enqueueUnlessJson(
  { encodingQueue }: ServerContext,
  format: ResponseFormatName,
  create: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  return format === 'json' ? create() : encodingQueue(create);
}

async function readDataset(
  context: ServerContext,
  plan: QueryPlan,
  options: {
    target: string;
    format: ResponseFormatName;
    includeTotal: boolean;
    asOf?: number | undefined;
  },
): Promise<HttpResponse> {
  const { reader, cursors, countTotal, findLastChange } = context;
  const { target, format, includeTotal, asOf: requestedAsOf } = options;
  const { selection } = plan;
  const { dataset } = selection;
  // A cursor pins the revision of the first page.
  const { asOf = requestedAsOf } = selection;
  if (requestedAsOf !== undefined && asOf !== undefined && requestedAsOf < asOf)
    return CURSOR_TOO_NEW_RESPONSE;
  const asNdjson = format !== 'json';
  const page = await reader.read({ ...selection, asNdjson, ...(asOf !== undefined && { asOf }) });
  if (plan.errorIfFound && page.count > 0) return errorResponse(plan.errorIfFound);
  const result = includeTotal
    ? { ...page, total: await countTotal(selection, page.revision) }
    : page;
  const modified = await findLastChange(dataset.name, result.revision);
  const cursor = createNextCursor(plan, result, cursors);
  const links = cursor === undefined ? undefined : createPaginationLinks(target, cursor);
  return createRecordsResponse({ source: dataset, result, format, modified, links });
}
