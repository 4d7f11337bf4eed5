import { ACCEPT_DATETIME } from '../../catalogue/model/accept-datetime.ts';
import type { ResponseFormatName } from '../../catalogue/model/response-format.ts';
import { isHttpError } from '../http-error.ts';
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
  const plan = planQuery(dataset, target.slice(path.length + 1), context.cursors);
  if (isHttpError(plan)) return errorResponse(plan);
  return createCachedResponse(context, cacheable, (asOf) =>
    enqueueUnlessJson(context, format, async () => {
      // Meanwhile another request may have created the same response.
      const queued =
        asOf === undefined && format !== 'json' ? context.responseCache.get(key) : undefined;
      return queued ?? readDataset(context, plan, { target, format, includeTotal, asOf });
    }),
  );
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
  const result = includeTotal
    ? { ...page, total: await countTotal(selection, page.revision) }
    : page;
  const modified = await findLastChange(dataset.name, result.revision);
  const cursor = createNextCursor(plan, result, cursors);
  const links = cursor === undefined ? undefined : createPaginationLinks(target, cursor);
  return createRecordsResponse({ source: dataset, result, format, modified, links });
}
