import { type Awaitable, whenReady } from '../shared/awaitable.ts';
import { StoreUnavailableError } from '../store/open-store.ts';
import type { Principal } from '../tokens/token-registry.ts';
import { AbandonedError, OverloadedError } from './background/job-queue.ts';
import { type ConnectionControl, Exchange } from './exchange.ts';
import { createHttpError, type HttpError, isHttpError } from './http-error.ts';
import {
  createTooManyRequestsError,
  formatRateLimit,
  NOT_MODIFIED_REFUND,
} from './rate-limiting/rate-limiter.ts';
import { recordRequest } from './record-request.ts';
import { authenticate } from './request/authenticate.ts';
import { HOST_REQUIREMENT, hasValidHost } from './request/host.ts';
import { isAuthorized, respondWithRoute } from './respond-to-target.ts';
import {
  ALLOWED_METHODS,
  optionsResponse,
  POST_METHODS,
  permissiveOptionsResponse,
} from './responses/cors.ts';
import { finalizeResponse } from './responses/finalize-response.ts';
import {
  countBytes,
  errorResponse,
  FORBIDDEN_RESPONSE,
  type HttpResponse,
  NOT_FOUND_RESPONSE,
} from './responses/response.ts';
import type { LinkRoute, Route, TokenRoute } from './route.ts';
import {
  awaitRequiredRevision,
  followOtherProcesses,
  REQUIRED_REVISION_HEADER,
} from './runtime/newest-revision.ts';
import type { ServerContext } from './server-context.ts';

/** For Bun, which would give up clients that read slowly after a minute; see `read-rate.ts`. */
const STREAM_IDLE_TIMEOUT_SECONDS = 240;

/** Responds to a request, whatever fails. Without a route the path is unknown. */
export function handleRequest(
  context: ServerContext,
  request: Request,
  route?: Route,
  server?: ConnectionControl,
): Awaitable<Response> {
  const exchange = new Exchange(context, request, route, server);
  context.keepAlive.lastRequestMs = exchange.startedMs;
  try {
    const finalized = whenReady(respond(exchange), (response) => finalize(exchange, response));
    if (!(finalized instanceof Promise)) return toFetchResponse(exchange, finalized);
    return finalized
      .catch((cause) => handleFailure(exchange, cause))
      .then((sent) => toFetchResponse(exchange, sent));
  } catch (cause) {
    return toFetchResponse(exchange, handleFailure(exchange, cause));
  }
}

/** Route and authenticate; then `respondTo`. */
function respond(exchange: Exchange): Awaitable<HttpResponse> {
  const { context, headers, method, route } = exchange;
  if (!hasValidHost(headers)) return INVALID_HOST_RESPONSE;
  if (!route) return NOT_FOUND_RESPONSE;
  const takesPost = 'takesPost' in route;
  if (method === 'OPTIONS') return respondToOptions(route, headers);
  if (takesPost && method !== 'POST') return ONLY_POST_RESPONSE;
  if (!takesPost && method !== 'GET' && method !== 'HEAD') return METHOD_NOT_ALLOWED_RESPONSE;
  if ('getDocument' in route) return route.getDocument(context, exchange.request);

  const authentication =
    'authenticate' in route
      ? route.authenticate(context, exchange, exchange.request)
      : authenticate(exchange, context);
  if (!(authentication instanceof Promise)) return respondTo(exchange, route, authentication);
  exchange.enterPhase('admission');
  return authentication.then((principal) => {
    exchange.enterPhase('read');
    return respondTo(exchange, route, principal);
  });
}

/** The users of OpenBB Workspace choose which headers it sends, to /mcp too. */
function respondToOptions(route: Route, headers: Headers): HttpResponse {
  if ('takesPost' in route) return permissiveOptionsResponse(headers, POST_METHODS);
  return 'allowsAnyHeader' in route ? permissiveOptionsResponse(headers) : OPTIONS_RESPONSE;
}

/** Limits the rate, authorizes; then plans, reads and responds. */
function respondTo(
  exchange: Exchange,
  route: TokenRoute | LinkRoute,
  principal: Principal | HttpError,
): Awaitable<HttpResponse> {
  if (isHttpError(principal)) return errorResponse(principal);
  const { context, headers } = exchange;
  exchange.principal = principal;
  const allowance = context.rateLimiter(principal);
  exchange.allowance = allowance;
  if (allowance && !allowance.bucket.tryTake())
    return errorResponse(createTooManyRequestsError(allowance.bucket));

  if (!isAuthorized(route, principal)) return FORBIDDEN_RESPONSE;

  followOtherProcesses(context);
  const required = headers.get(REQUIRED_REVISION_HEADER);
  if (required === null) return respondWithRoute(context, route, exchange);
  const waiting = awaitRequiredRevision(context, required);
  if (waiting instanceof Promise) exchange.enterPhase('revision');
  return whenReady(waiting, (error) => {
    if (waiting instanceof Promise) exchange.enterPhase('read');
    return error ? errorResponse(error) : respondWithRoute(context, route, exchange);
  });
}

/** Evaluates conditions and compresses. A 304 is cheap, so it costs a part of a request. */
function finalize(exchange: Exchange, response: HttpResponse): Awaitable<HttpResponse> {
  const { context, headers, allowance } = exchange;
  const finalized = finalizeResponse(headers, response, exchange, context);
  if (finalized instanceof Promise) exchange.enterPhase('compress');
  else if (finalized.status === 304) allowance?.bucket.refund(NOT_MODIFIED_REFUND);
  return finalized;
}

/** The cause goes to the log with the request id, never to the client. */
function handleFailure({ context, requestId }: Exchange, cause: unknown): HttpResponse {
  const { emit, storeHealth } = context;
  if (cause instanceof AbandonedError) return ABANDONED_RESPONSE;
  if (cause instanceof OverloadedError) return OVERLOADED_RESPONSE;
  if (cause instanceof StoreUnavailableError) {
    // While the store is known to be unreachable, every request would log it.
    if (storeHealth.unconfirmedSince === undefined)
      emit({ event: 'store.unavailable', requestId, cause: cause.message });
    return errorResponse(createHttpError('temporarily_unavailable', {}, { 'Retry-After': '1' }));
  }
  const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  emit({ event: 'request.failed', requestId, cause: text });
  return errorResponse(createHttpError('internal_error'));
}

function toFetchResponse(exchange: Exchange, response: HttpResponse): Response {
  const { context, request, method, requestId, allowance, server } = exchange;
  const { status, body, headers, stream, revision } = response;
  if (revision !== null) context.sharedRevision?.raise(revision);
  // `new Response` copies headers, so one object serves all requests for a cached response: what
  // was set for one request must be replaced or deleted for the next.
  headers.set('X-Request-Id', requestId);
  if (allowance) {
    headers.set('RateLimit-Policy', allowance.policy);
    headers.set('RateLimit', formatRateLimit(allowance));
  } else {
    headers.delete('RateLimit-Policy');
    headers.delete('RateLimit');
  }
  if (context.storeHealth.hasEverFailed) setUnconfirmedHeader(context, response);
  const fetchResponse = new Response(stream?.bytes ?? body, { status, headers });
  const isHead = method === 'HEAD';
  // Bun sets the date of every response but this one.
  if (isHead) fetchResponse.headers.set('Date', new Date().toUTCString());
  if (context.keepAlive.isEnding) fetchResponse.headers.set('Connection', 'close');
  if (!stream) recordRequest(exchange, response, isHead || !body ? 0 : countBytes(body));
  else {
    server?.timeout(request, STREAM_IDLE_TIMEOUT_SECONDS);
    exchange.enterPhase('send');
    stream.completion.then(({ bytes, createMs, cause, isTooSlow }) => {
      // The status is sent already: the cause can only be logged.
      if (cause !== undefined) handleFailure(exchange, cause);
      if (isTooSlow) context.emit({ event: 'request.stalled', requestId, bytes });
      exchange.timer?.move(createMs, 'send', 'read');
      recordRequest(exchange, response, bytes);
    });
  }
  return fetchResponse;
}

/** Data that is served while the store is unreachable may be out of date. */
function setUnconfirmedHeader(
  { storeHealth: { unconfirmedSince } }: ServerContext,
  { headers, revision }: HttpResponse,
): void {
  if (unconfirmedSince !== undefined && revision !== null)
    headers.set(UNCONFIRMED_HEADER, unconfirmedSince);
  else headers.delete(UNCONFIRMED_HEADER);
}

const UNCONFIRMED_HEADER = 'Tenor-Unconfirmed-Since';
const METHOD_NOT_ALLOWED_RESPONSE = errorResponse(
  createHttpError('invalid_method', {}, { Allow: ALLOWED_METHODS }),
);
const INVALID_HOST_RESPONSE = errorResponse(
  createHttpError('bad_header', { header: 'Host', allowed: HOST_REQUIREMENT }),
);
const ONLY_POST_RESPONSE = errorResponse(
  createHttpError('invalid_method', {}, { Allow: POST_METHODS }),
);
const OPTIONS_RESPONSE = optionsResponse();
/** For the log only: nobody reads it. */
const ABANDONED_RESPONSE: HttpResponse = {
  status: 499,
  body: null,
  headers: new Headers(),
  revision: null,
};
const OVERLOADED_RESPONSE = errorResponse(
  createHttpError('temporarily_unavailable', {}, { 'Retry-After': '5' }),
);
