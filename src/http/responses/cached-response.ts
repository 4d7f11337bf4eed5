import { type Awaitable, whenReady } from '../../awaitable.ts';
import { ACCEPT_DATETIME, acceptDatetime } from '../../catalogue/model/accept-datetime.ts';
import type { Revision } from '../../store/open-store.ts';
import { createHttpError } from '../http-error.ts';
import type { ServerContext } from '../server-context.ts';
import { errorResponse, type HttpResponse, withMemento } from './response.ts';

export interface CacheableRequest {
  readonly target: string;
  /** The key of its responses in the cache. */
  readonly key: string;
  /** The header `Accept-Datetime`; null where the current data is requested. */
  readonly instant: string | null;
}

/** Creates a response: of the current data where no revision is given. */
type CreateResponse = (asOf?: number) => Awaitable<HttpResponse>;

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
  { key, instant }: CacheableRequest,
): HttpResponse | undefined {
  const cached = instant === null ? responseCache.get(key) : undefined;
  if (cached) requestMetrics.cacheHits++;
  return cached;
}

/** Creates a response that is not in the cache, which may cache it. */
export function createCachedResponse(
  context: ServerContext,
  request: CacheableRequest,
  create: CreateResponse,
): Awaitable<HttpResponse> {
  const { key, instant: header } = request;
  if (header === null) {
    context.requestMetrics.cacheMisses++;
    return whenReady(create(), (response) => context.responseCache.set(key, response));
  }
  const instant = acceptDatetime.parse(header);
  if (!instant) return INVALID_DATETIME_RESPONSE;
  return whenReady(context.findRevisionAt(header, instant), (revision) =>
    respondAsOf(context, request, create, instant, revision),
  );
}

/** There is no revision before the first one. */
function respondAsOf(
  { reader, responseCache, requestMetrics }: ServerContext,
  { target, key }: CacheableRequest,
  create: CreateResponse,
  instant: Date,
  revision: Revision | undefined,
): Awaitable<HttpResponse> {
  const asOf = revision?.revision ?? 0;
  const revisionKey = `${key} ${asOf}`;
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
      const mementoDatetime = source ? new Date(source.publishedAt) : instant;
      const response = withMemento(created, mementoDatetime, target);
      return revision ? responseCache.setHistorical(revisionKey, response) : response;
    });
  });
}

/** The error of an `Accept-Datetime` that is no instant. */
export const INVALID_DATETIME_ERROR = createHttpError('bad_header', {
  header: ACCEPT_DATETIME,
  allowed: acceptDatetime.requirement,
});
export const INVALID_DATETIME_RESPONSE = errorResponse(INVALID_DATETIME_ERROR);

/** The response to a cursor of a later revision than the requested instant. */
export const CURSOR_TOO_NEW_RESPONSE = errorResponse(createHttpError('later_cursor'));
