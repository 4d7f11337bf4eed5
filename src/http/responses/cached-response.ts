import type { AsOf } from '../../catalogue/model/response-parameters.ts';
import { type Awaitable, whenReady } from '../../shared/awaitable.ts';
import { createHttpError, type HttpError, isHttpError } from '../http-error.ts';
import type { ServerContext } from '../server-context.ts';
import { removeParameter } from './links.ts';
import {
  IMMUTABLE_CACHE_CONTROL,
  parseAcceptDatetime,
  type RequestedRevision,
  resolveRequestedRevision,
} from './requested-revision.ts';
import { errorResponse, type HttpResponse, withMemento } from './response.ts';

export interface CacheableRequest {
  readonly target: string;
  /** The key of its responses in the cache. */
  readonly key: string;
  /** The header `Accept-Datetime`; null where it is absent. */
  readonly instant: string | null;
  /** The parameter `as_of`, which wins over the header. */
  readonly asOf?: AsOf | undefined;
  /** Whether an invalid instant, or a revision that does not exist, is left to `create`. */
  readonly defersErrors?: boolean;
}

/** Creates a response: of the current data where no revision is given. */
type CreateResponse = (asOf?: number, deferredError?: HttpError) => Awaitable<HttpResponse>;

/** The response from the cache, or a new one, which is then cached. */
export function getOrCreateResponse(
  context: ServerContext,
  request: CacheableRequest,
  create: CreateResponse,
): Awaitable<HttpResponse> {
  return findCachedResponse(context, request) ?? createCachedResponse(context, request, create);
}

/** The cached response of the current data. */
export function findCachedResponse(
  { responseCache, requestMetrics }: ServerContext,
  { key, instant, asOf }: CacheableRequest,
): HttpResponse | undefined {
  const cached = instant === null && asOf === undefined ? responseCache.get(key) : undefined;
  if (cached) requestMetrics.cacheHits++;
  return cached;
}

/** Creates a response that is not in the cache, which may cache it. */
export function createCachedResponse(
  context: ServerContext,
  request: CacheableRequest,
  create: CreateResponse,
): Awaitable<HttpResponse> {
  const { key, instant, asOf = parseAcceptDatetime(instant), defersErrors } = request;
  const createCurrent = (deferredError?: HttpError) => {
    context.requestMetrics.cacheMisses++;
    return whenReady(create(undefined, deferredError), (response) =>
      context.responseCache.set(key, response),
    );
  };
  if (asOf === undefined) return createCurrent();
  const requested = isHttpError(asOf) ? asOf : resolveRequestedRevision(context, asOf);
  return whenReady(requested, (resolved) => {
    if (!isHttpError(resolved)) return respondAsOf(context, request, create, resolved);
    return defersErrors ? createCurrent(resolved) : errorResponse(resolved);
  });
}

/** There is no revision before the first one. */
function respondAsOf(
  { reader, responseCache, requestMetrics }: ServerContext,
  { target, key }: CacheableRequest,
  create: CreateResponse,
  { revision, mementoDatetime, isPinned }: RequestedRevision,
): Awaitable<HttpResponse> {
  const asOf = revision?.revision ?? 0;
  const revisionKey = `${key} ${asOf}${isPinned ? ' pinned' : ''}`;
  const cached = revision && responseCache.get(revisionKey);
  if (cached) {
    requestMetrics.cacheHits++;
    return cached;
  }
  requestMetrics.cacheMisses++;
  return whenReady(create(asOf), (created) => {
    if (created.revision === null) return created;
    // A cursor may pin an earlier revision.
    const filter = { before: created.revision + 1, limit: 1 };
    const sources = created.revision === asOf ? [revision] : reader.revisions(filter);
    return whenReady(sources, ([source]) => {
      const instant = source ? new Date(source.publishedAt) : mementoDatetime;
      // With the parameter, another instant in the header would have no effect.
      const response = withMemento(created, instant, removeParameter(target, 'as_of'));
      if (isPinned && response.status === 200)
        response.headers.set('Cache-Control', IMMUTABLE_CACHE_CONTROL);
      return revision ? responseCache.setHistorical(revisionKey, response) : response;
    });
  });
}

/** The response to a cursor of a later revision than the requested one. */
export const CURSOR_TOO_NEW_RESPONSE = errorResponse(createHttpError('later_cursor'));
