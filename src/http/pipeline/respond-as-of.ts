import { LEDGER } from '../../check/check-ledger.ts';
import { type Awaitable, whenReady } from '../../shared/awaitable.ts';
import { MISSING_REVISION_ERROR } from '../freshness/newest-revision.ts';
import { HttpError } from '../http-error.ts';
import { removeParameter } from '../responses/links.ts';
import { isComputed } from '../responses/records-response.ts';
import { withReprDigest } from '../responses/repr-digest.ts';
import {
  IMMUTABLE_CACHE_CONTROL,
  parseAcceptDatetime,
  type RequestedRevision,
  resolveRequestedRevision,
} from '../responses/requested-revision.ts';
import { errorResponse, type HttpResponse, withMemento } from '../responses/response.ts';
import { DAMAGED_ERROR } from '../scrub/known-damage.ts';
import type { KeyedRequest } from './operation-request.ts';
import type { DataContext, OperationQuery, PageQuery } from './route.ts';

/** Creates a response: of the current data where no revision is given. */
type CreateResponse = (asOf?: number, deferredError?: HttpError) => Awaitable<HttpResponse>;

/** Creates and caches the response as of the revision that a request names, or the current one. */
export function respondAsOf(
  data: DataContext,
  request: KeyedRequest,
  query: OperationQuery,
  create: CreateResponse,
): Awaitable<HttpResponse> {
  return whenReady(findCursorError(data, query), (error) =>
    error ? errorResponse(error) : respondAsOfRequested(data, request, query, create),
  );
}

/**
 * The error of a cursor whose revision is not that of the first page: where revisions were lost,
 * others of their numbers may have been published, and some workers may know these, and some those.
 */
function findCursorError(
  { findRevision, reader }: DataContext,
  { pinnedRevision, pinnedMs = 0 }: OperationQuery,
): Awaitable<HttpError | undefined> {
  if (pinnedRevision === undefined || pinnedMs === 0) return undefined;
  return whenReady(findRevision(pinnedRevision), (found) => {
    if (found && Date.parse(found.publishedAt) === pinnedMs) return undefined;
    // Unlike a file, a database server that has it may be out of reach.
    return !found && reader.servers().length > 0 ? MISSING_REVISION_ERROR : BAD_CURSOR_ERROR;
  });
}

const BAD_CURSOR_ERROR = new HttpError('bad_cursor');

function respondAsOfRequested(
  data: DataContext,
  request: KeyedRequest,
  query: OperationQuery,
  create: CreateResponse,
): Awaitable<HttpResponse> {
  const { asOf = parseAcceptDatetime(request.instant), defersErrors, namedRevision } = query;
  const createCurrent = (deferredError?: HttpError) => {
    data.cacheCounts.cacheMisses++;
    return whenReady(create(undefined, deferredError), (response) =>
      data.responseCache.set(request.key, response),
    );
  };
  if (asOf === undefined) {
    if (namedRevision === undefined) return createCurrent();
    return whenReady(data.newestRevision.awaitNamed(namedRevision), () => createCurrent());
  }
  if (data.damage.covers([LEDGER])) return DAMAGED_RESPONSE;
  const requested = asOf instanceof HttpError ? asOf : resolveRequestedRevision(data, asOf);
  return whenReady(requested, (resolved) => {
    if (resolved instanceof HttpError)
      return defersErrors ? createCurrent(resolved) : errorResponse(resolved);
    const isPinned = resolved.isPinned && !isComputed(query as PageQuery);
    return createAsOf(data, request, create, { ...resolved, isPinned });
  });
}

export const DAMAGED_RESPONSE = errorResponse(DAMAGED_ERROR);

/** There is no revision before the first one. */
function createAsOf(
  { reader, responseCache, cacheCounts }: DataContext,
  { target, key }: KeyedRequest,
  create: CreateResponse,
  { revision, mementoDatetime, isPinned }: RequestedRevision,
): Awaitable<HttpResponse> {
  const asOf = revision?.revision ?? 0;
  const revisionKey = `${key} ${asOf}${isPinned ? ' pinned' : ''}`;
  const cached = revision && responseCache.get(revisionKey);
  if (cached) {
    cacheCounts.cacheHits++;
    return cached;
  }
  cacheCounts.cacheMisses++;
  return whenReady(create(asOf), (created) => {
    if (created.revision === null) return created;
    // A cursor may pin an earlier revision.
    const filter = { before: created.revision + 1, limit: 1 };
    const sources = created.revision === asOf ? [revision] : reader.revisions(filter);
    return whenReady(sources, ([source]) => {
      const instant = source ? new Date(source.publishedAt) : mementoDatetime;
      // With the parameter, another instant in the header would have no effect.
      const response = withMemento(created, instant, removeParameter(target, 'as_of'));
      const isImmutable = isPinned && response.status === 200;
      if (isImmutable) response.headers.set('Cache-Control', IMMUTABLE_CACHE_CONTROL);
      return whenReady(isImmutable ? withReprDigest(response) : response, (sent) =>
        revision ? responseCache.setHistorical(revisionKey, sent) : sent,
      );
    });
  });
}
