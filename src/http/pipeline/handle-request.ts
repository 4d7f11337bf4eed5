import { type Awaitable, whenReady } from '../../shared/awaitable.ts';
import type { Principal } from '../../tokens/token-registry.ts';
import { authenticate } from '../authentication/authenticate.ts';
import { REQUIRED_REVISION_HEADER } from '../freshness/newest-revision.ts';
import { HttpError } from '../http-error.ts';
import { createTooManyRequestsError, NOT_MODIFIED_REFUND } from '../rate-limiting/rate-limiter.ts';
import { parseQuery } from '../request/parse-query.ts';
import { hasValidHost, INVALID_HOST_ERROR } from '../request/request-headers.ts';
import { parseRequestTarget } from '../request/request-target.ts';
import {
  ALLOWED_METHODS,
  optionsResponse,
  POST_METHODS,
  permissiveOptionsResponse,
} from '../responses/cors.ts';
import { finalizeResponse } from '../responses/finalize-response.ts';
import { notFoundResponse } from '../responses/not-found-page.ts';
import {
  errorResponse,
  FORBIDDEN_RESPONSE,
  type HttpResponse,
  MIGRATED_RESPONSE,
  methodNotAllowedResponse,
  NOT_FOUND_RESPONSE,
} from '../responses/response.ts';
import { isAuthorized } from './authorize.ts';
import { type ConnectionControl, Exchange, type RequestingClient } from './exchange.ts';
import { findUnknownRoute, OUTDATED_PLAN_RESPONSE, planRoute } from './plan-route.ts';
import type { RequestContext } from './request-context.ts';
import type { DataContext, Route, TokenRoute } from './route.ts';
import { failureResponse, sendResponse } from './send-response.ts';
import { serveOperation } from './serve-operation.ts';

/**
 * Responds to a request, whatever fails. Without a route the path is unknown.
 *
 * The stages, in order: host, path, method; authenticate; limit the rate; authorize; await the
 * revision that the client has seen; for data, look into the cache, parse, find the revision, wait
 * for a turn, read, charge, respond and cache; then conditions and compression; then send and log.
 */
export function handleRequest(
  context: RequestContext,
  request: Request,
  route?: Route,
  server?: ConnectionControl,
): Awaitable<Response> {
  const exchange = new Exchange(context, request, route, server);
  context.keepAlive.lastRequestMs = exchange.startedMs;
  try {
    const finalized = whenReady(respond(exchange), (response) => finalize(exchange, response));
    if (!(finalized instanceof Promise)) return sendResponse(exchange, finalized);
    return finalized
      .catch((cause) => failureResponse(exchange, cause))
      .then((sent) => sendResponse(exchange, sent));
  } catch (cause) {
    return sendResponse(exchange, failureResponse(exchange, cause));
  }
}

/** Host, path, method, authentication. */
function respond(exchange: Exchange): Awaitable<HttpResponse> {
  const { context, headers, method } = exchange;
  if (!hasValidHost(headers)) return INVALID_HOST_RESPONSE;
  const route = exchange.route ?? findUnknownRoute(exchange);
  if (!route) return notFoundResponse(headers);
  if (method === 'OPTIONS') return respondToOptions(route, headers);
  const takesPost = 'takesPost' in route;
  if (takesPost ? method !== 'POST' : method !== 'GET' && method !== 'HEAD')
    return takesPost ? ONLY_POST_RESPONSE : ONLY_GET_RESPONSE;
  if ('getDocument' in route) return route.getDocument(exchange.request);
  // Its tokens are not read any more either, and some may be revoked.
  if (context.storeHealth.isMigrated) return MIGRATED_RESPONSE;

  const authentication =
    'authenticate' in route && route.authenticate
      ? route.authenticate(context.admission, exchange, exchange.request)
      : authenticate(exchange, context.admission);
  if (!(authentication instanceof Promise)) return admit(exchange, route, authentication);
  exchange.enterPhase('admission');
  return authentication.then((principal) => {
    exchange.enterPhase('read');
    return admit(exchange, route, principal);
  });
}

/** The users of OpenBB Workspace choose which headers it sends, to /mcp too. */
function respondToOptions(route: Route, headers: Headers): HttpResponse {
  if ('takesPost' in route) return permissiveOptionsResponse(headers, POST_METHODS);
  return 'allowsAnyHeader' in route ? permissiveOptionsResponse(headers) : optionsResponse();
}

/** Rate, scope, and the revision that the client has seen before. */
function admit(
  exchange: Exchange,
  route: TokenRoute,
  principal: Principal | HttpError,
): Awaitable<HttpResponse> {
  if (principal instanceof HttpError) return errorResponse(principal);
  const { admission, data } = exchange.context;
  exchange.principal = principal;
  const allowance = admission.rateLimiter(principal);
  exchange.allowance = allowance;
  if (allowance && !allowance.bucket.tryTake())
    return errorResponse(createTooManyRequestsError(allowance.bucket));

  // A scope that depends on the path is looked up with the parameters.
  if (!route.findScope && !isAuthorized(route, exchange)) return FORBIDDEN_RESPONSE;

  const { newestRevision } = data;
  const required = exchange.headers.get(REQUIRED_REVISION_HEADER);
  const waiting = whenReady(newestRevision.followOtherProcesses(), () =>
    required === null ? undefined : newestRevision.awaitRequired(required),
  );
  if (waiting instanceof Promise) exchange.enterPhase('revision');
  return whenReady(waiting, (error) => {
    if (waiting instanceof Promise) exchange.enterPhase('read');
    return error ? errorResponse(error) : serve(data, route, exchange);
  });
}

/** Serves a client that is admitted and authorized; again where a declaration came meanwhile. */
export function serve(
  data: DataContext,
  found: TokenRoute,
  client: RequestingClient,
  plansLeft = 3,
): Awaitable<HttpResponse> {
  return whenReady(planRoute(data, found, client), (route) => {
    if (!route) return NOT_FOUND_RESPONSE;
    if ((route !== found || route.findScope) && !isAuthorized(route, client))
      return FORBIDDEN_RESPONSE;
    data.damage.noteRead();
    return whenReady(servePlanned(data, route, client), (response) =>
      response === OUTDATED_PLAN_RESPONSE && plansLeft > 1
        ? serve(data, found, client, plansLeft - 1)
        : response,
    );
  });
}

function servePlanned(
  data: DataContext,
  route: TokenRoute,
  client: RequestingClient,
): Awaitable<HttpResponse> {
  if ('read' in route) return serveOperation(data, route, client);
  const target = parseRequestTarget(client.request.url);
  const values = route.parameters && parseQuery(target.query, route.parameters);
  if (values instanceof HttpError) return errorResponse(values);
  return route.respond(data, client, target, client.request);
}

/** Evaluates conditions and compresses. A 304 is cheap, so it costs a part of a request. */
function finalize(exchange: Exchange, response: HttpResponse): Awaitable<HttpResponse> {
  const { context, headers, allowance } = exchange;
  const finalized = finalizeResponse(headers, response, exchange, context.data);
  if (finalized instanceof Promise) exchange.enterPhase('compress');
  else if (finalized.status === 304) allowance?.bucket.refund(NOT_MODIFIED_REFUND);
  return finalized;
}

const INVALID_HOST_RESPONSE = errorResponse(INVALID_HOST_ERROR);
const ONLY_GET_RESPONSE = methodNotAllowedResponse(ALLOWED_METHODS);
const ONLY_POST_RESPONSE = methodNotAllowedResponse(POST_METHODS);
