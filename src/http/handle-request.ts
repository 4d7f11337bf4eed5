import { ACCEPT_DATETIME } from '../catalogue/model/accept-datetime.ts';
import { StoreUnavailableError } from '../store/open-store.ts';
import type { Principal } from '../tokens/token-registry.ts';
import { createHttpError, isHttpError } from './http-error.ts';
import type { RateAllowance } from './rate-limiting/rate-limiter.ts';
import {
  createTooManyRequestsError,
  formatRateLimit,
  NOT_MODIFIED_REFUND,
} from './rate-limiting/rate-limiter.ts';
import { authenticate } from './request/authenticate.ts';
import { negotiateFormat, prefersExactCount } from './request/content-negotiation.ts';
import { planQuery } from './request/plan-query.ts';
import { parseRequestTarget } from './request/request-target.ts';
import { respondAsOf } from './responses/as-of-response.ts';
import { createDatasetResponse, getResponseCacheKey } from './responses/dataset-response.ts';
import { finalizeResponse } from './responses/finalize-response.ts';
import { getOrCreateResponse } from './responses/get-or-create-response.ts';
import type { HttpResponse } from './responses/response.ts';
import {
  ALLOWED_METHODS,
  errorResponse,
  FORBIDDEN_RESPONSE,
  NOT_FOUND_RESPONSE,
  optionsResponse,
} from './responses/response.ts';
import type { Route } from './route.ts';
import { getRequestId } from './runtime/request-id.ts';
import type { ServerContext } from './server-context.ts';

/** What is to be known of a connection, and done with it. */
interface ConnectionControl {
  requestIP(request: Request): { readonly address: string } | null;
  timeout(request: Request, seconds: number): void;
}

/** How long nothing can be sent of a stream until its client is given up as gone. */
const STREAM_IDLE_TIMEOUT_SECONDS = 240;

/** One request on its way. */
interface RequestContext {
  readonly context: ServerContext;
  readonly request: Request;
  readonly method: string;
  /** Absent where no route has the path. */
  readonly route: Route | undefined;
  readonly requestId: string;
  readonly startedMs: number;
  readonly server: ConnectionControl | undefined;
  /** Both are known once the token is accepted. */
  principal?: Principal;
  allowance?: RateAllowance | null;
}

/** Answers a request, whatever happens on its way. Without a route the path is unknown. */
export function handleRequest(
  context: ServerContext,
  request: Request,
  route?: Route,
  server?: ConnectionControl,
): Response | Promise<Response> {
  const startedMs = performance.now();
  const requestId = getRequestId(request);
  const { method } = request;
  const requestContext: RequestContext = {
    context,
    request,
    method,
    route,
    requestId,
    startedMs,
    server,
  };
  try {
    const answer = dispatchRequest(requestContext);
    const sent =
      answer instanceof Promise
        ? answer.then((a) => finalize(requestContext, a))
        : finalize(requestContext, answer);
    if (!(sent instanceof Promise)) return toFetchResponse(requestContext, sent);
    return sent
      .catch((cause) => handleFailure(requestContext, cause))
      .then((response) => toFetchResponse(requestContext, response));
  } catch (cause) {
    return toFetchResponse(requestContext, handleFailure(requestContext, cause));
  }
}

/** The whole line, in order: path, method, token, rate, plan, read, answer. */
function dispatchRequest(requestContext: RequestContext): HttpResponse | Promise<HttpResponse> {
  const { context, request, method, route } = requestContext;

  if (!route) return NOT_FOUND_RESPONSE;
  if (method === 'OPTIONS') return OPTIONS_RESPONSE;
  if (method !== 'GET' && method !== 'HEAD') return METHOD_NOT_ALLOWED_RESPONSE;
  if ('getDocument' in route) return route.getDocument();

  const { headers, url } = request;
  const principal = authenticate(headers.get('authorization'), context, () =>
    getClientAddress(requestContext),
  );
  if (isHttpError(principal)) return errorResponse(principal);
  requestContext.principal = principal;
  requestContext.allowance = context.rateLimiter(principal);
  const { allowance } = requestContext;
  if (allowance && !allowance.bucket.tryTake())
    return errorResponse(createTooManyRequestsError(allowance.bucket));
  const { scope } = 'dataset' in route ? route.dataset : route.operation;
  if (scope && !principal.scopes.has(scope)) return FORBIDDEN_RESPONSE;

  if ('operation' in route)
    return route.respond(context, principal, parseRequestTarget(url), request);

  const { dataset, path } = route;
  const target = url.slice(url.indexOf(path));
  const form = negotiateFormat(headers.get('accept'));
  const counted = prefersExactCount(headers.get('prefer'));
  const instant = headers.get(ACCEPT_DATETIME);
  const key = getResponseCacheKey({ target, format: form, includeTotal: counted });
  const cached = instant === null ? context.responseCache.get(key) : undefined;
  if (cached) return cached;

  const planned = planQuery(dataset, target.slice(path.length + 1), context.cursors);
  if (isHttpError(planned)) return errorResponse(planned);
  const wanted = { dataset, target, plan: planned, format: form, includeTotal: counted };
  const make = (asOf?: number) => createDatasetResponse(context, wanted, asOf);
  return instant === null
    ? getOrCreateResponse(context, key, make)
    : respondAsOf(context, { target, key }, instant, make);
}

/** The client's network address; empty where nothing came over a network. */
function getClientAddress({ server, request }: RequestContext): string {
  return server?.requestIP(request)?.address ?? '';
}

/** What is sent of an answer. What the client has already is cheaper, and counts for less. */
function finalize(
  requestContext: RequestContext,
  response: HttpResponse,
): HttpResponse | Promise<HttpResponse> {
  const { context, request, allowance } = requestContext;
  const sent = finalizeResponse(request.headers, response, context);
  if (!(sent instanceof Promise) && sent.status === 304)
    allowance?.bucket.refund(NOT_MODIFIED_REFUND);
  return sent;
}

/** The answer where something broke: the cause goes to the log with the request's id. */
function handleFailure({ context, requestId }: RequestContext, cause: unknown): HttpResponse {
  if (cause instanceof StoreUnavailableError) {
    // While it is known to be lost, every request would say so.
    if (context.storeHealth.unconfirmedSince === undefined)
      context.emit({ event: 'store.unavailable', requestId, cause: cause.message });
    return errorResponse(createHttpError('temporarily_unavailable', {}, { 'Retry-After': '1' }));
  }
  const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  context.emit({ event: 'request.failed', requestId, cause: text });
  return errorResponse(createHttpError('internal_error'));
}

function toFetchResponse(requestContext: RequestContext, answer: HttpResponse): Response {
  const { context, method, requestId, allowance } = requestContext;
  const { status, body, headers, stream } = answer;
  // A response copies its headers when it is made, so one set can serve every reply in turn. What
  // one token was told must not stay for the next, nor for those without one.
  headers.set('X-Request-Id', requestId);
  if (allowance) {
    headers.set('RateLimit-Policy', allowance.policy);
    headers.set('RateLimit', formatRateLimit(allowance));
  } else {
    headers.delete('RateLimit-Policy');
    headers.delete('RateLimit');
  }
  if (context.storeHealth.hasEverFailed) setUnconfirmedHeader(context, answer);
  const response = new Response(stream?.bytes ?? body, { status, headers });
  const isHead = method === 'HEAD';
  // Bun dates every reply but this one.
  if (isHead) response.headers.set('Date', new Date().toUTCString());
  if (!stream) logRequest(requestContext, answer, isHead ? 0 : (body?.size ?? 0));
  else {
    requestContext.server?.timeout(requestContext.request, STREAM_IDLE_TIMEOUT_SECONDS);
    stream.completion.then(({ bytes, cause }) => {
      // The status is out already: all that is left is to tell why the body broke off.
      if (cause !== undefined) handleFailure(requestContext, cause);
      logRequest(requestContext, answer, bytes);
    });
  }
  return response;
}

/** What is known while the store does not answer may be out of date: the client is told. */
function setUnconfirmedHeader(
  { storeHealth }: ServerContext,
  { headers, revision }: HttpResponse,
): void {
  if (storeHealth.unconfirmedSince !== undefined && revision !== null)
    headers.set(UNCONFIRMED_HEADER, storeHealth.unconfirmedSince);
  else headers.delete(UNCONFIRMED_HEADER);
}

function logRequest(
  requestContext: RequestContext,
  { status, revision }: HttpResponse,
  bytes: number,
): void {
  const { context, method, route, requestId, startedMs, principal } = requestContext;
  context.emit({
    event: 'request',
    requestId,
    token: principal?.id ?? null,
    method,
    route: route?.path ?? null,
    status,
    bytes,
    ms: Math.round((performance.now() - startedMs) * 1_000) / 1_000,
    revision,
  });
}

const UNCONFIRMED_HEADER = 'Tenor-Unconfirmed-Since';
const METHOD_NOT_ALLOWED_RESPONSE = errorResponse(
  createHttpError('invalid_method', {}, { Allow: ALLOWED_METHODS }),
);
const OPTIONS_RESPONSE = optionsResponse();
