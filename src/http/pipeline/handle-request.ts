import type { Awaitable } from '../../shared/awaitable.ts';
import type { Principal } from '../../tokens/principal.ts';
import { authenticate } from '../authentication/authenticate.ts';
import { REQUIRED_REVISION_HEADER } from '../freshness/newest-revision.ts';
import { HttpError } from '../http-error.ts';
import { createTooManyRequestsError, NOT_MODIFIED_REFUND } from '../rate-limiting/rate-limiter.ts';
import { hasValidHost, INVALID_HOST_ERROR } from '../request/request-headers.ts';
import {
  ALLOWED_METHODS,
  optionsResponse,
  POST_METHODS,
  permissiveOptionsResponse,
} from '../responses/cors.ts';
import { notFoundResponse } from '../responses/not-found.ts';
import {
  errorResponse,
  FORBIDDEN_RESPONSE,
  type HttpResponse,
  MIGRATED_RESPONSE,
  methodNotAllowedResponse,
} from '../responses/response.ts';
import { type ConnectionControl, Exchange } from './exchange.ts';
import { finalizeResponse } from './finalize-response.ts';
import { findCachedResponse, findUnknownRoute, isAuthorized, respond } from './respond.ts';
import type { Route, RoutedServer, TokenRoute } from './route.ts';
import { failureResponse, sendResponse } from './send-response.ts';

/**
 * Responds to a request, whatever fails. The order: host, path, method; token, rate, scope; the
 * revision that the client has seen; the cache. What is there by then is sent at once. Otherwise
 * `respond` goes on: view, route and scope in that view, parameters, turn, read, charge, cache. Then
 * conditions and compression; then send and log.
 */
export function handleRequest(
  server: RoutedServer,
  request: Request,
  route?: Route,
  connection?: ConnectionControl,
): Response | Promise<Response> {
  const exchange = new Exchange(server, request, route, connection);
  server.keepAlive.lastRequestMs = exchange.startedMs;
  try {
    const found = route ?? findUnknownRoute(exchange);
    const checked = check(exchange, found);
    const response = checked === ADMITTED ? findAtOnce(exchange, found as TokenRoute) : checked;
    if (!response || response instanceof Promise)
      return sendLater(exchange, respondLater(server, exchange, found as TokenRoute, response));
    const finalized = finalize(exchange, response);
    if (finalized instanceof Promise) return sendLater(exchange, finalized);
    return sendResponse(exchange, finalized);
  } catch (cause) {
    return sendResponse(exchange, failureResponse(exchange, cause));
  }
}

/** Instead of a response: the request goes on. */
const ADMITTED = Symbol('admitted');
type Checked = HttpResponse | typeof ADMITTED;

/** Host, path, method; public documents; then token, rate and scope. */
function check(exchange: Exchange, route: Route | undefined): Checked | Promise<Checked> {
  const { server, headers, method, request } = exchange;
  if (!hasValidHost(headers)) return INVALID_HOST_RESPONSE;
  if (!route) return notFoundResponse(headers);
  if (method === 'OPTIONS') return respondToOptions(route, headers);
  const takesPost = 'takesPost' in route;
  if (takesPost ? method !== 'POST' : method !== 'GET' && method !== 'HEAD')
    return takesPost ? ONLY_POST_RESPONSE : ONLY_GET_RESPONSE;
  if ('getDocument' in route) return route.getDocument(request);
  // Tokens are no longer read from a migrated database, and some may be revoked.
  if (server.storeHealth.isMigrated) return MIGRATED_RESPONSE;
  const authentication =
    'authenticate' in route && route.authenticate
      ? route.authenticate(server.admission, exchange)
      : authenticate(exchange, server.admission);
  return authentication instanceof Promise
    ? admitLater(exchange, route, authentication)
    : admit(exchange, route, authentication);
}

/** The users of OpenBB Workspace choose which headers it sends, to /mcp too. */
function respondToOptions(route: Route, headers: Headers): HttpResponse {
  if ('takesPost' in route) return permissiveOptionsResponse(headers, POST_METHODS);
  return 'allowsAnyHeader' in route ? permissiveOptionsResponse(headers) : optionsResponse();
}

async function admitLater(
  exchange: Exchange,
  route: TokenRoute,
  authentication: Promise<Principal | HttpError>,
): Promise<Checked> {
  exchange.enterPhase('admission');
  const principal = await authentication;
  exchange.enterPhase('read');
  return admit(exchange, route, principal);
}

/** Rate and scope. */
function admit(exchange: Exchange, route: TokenRoute, principal: Principal | HttpError): Checked {
  if (principal instanceof HttpError) {
    exchange.isUnauthenticated = true;
    return errorResponse(principal);
  }
  exchange.principal = principal;
  const allowance = exchange.server.admission.rateLimiter(principal);
  exchange.allowance = allowance;
  if (allowance && !allowance.bucket.tryTake())
    return errorResponse(createTooManyRequestsError(allowance.bucket));
  return isAuthorized(route, exchange) ? ADMITTED : FORBIDDEN_RESPONSE;
}

/** A cached response, unless a later revision has been seen elsewhere. */
function findAtOnce(exchange: Exchange, route: TokenRoute): HttpResponse | undefined {
  const required = exchange.headers.get(REQUIRED_REVISION_HEADER);
  if (exchange.database.newestRevision.isBehind(required)) return undefined;
  return findCachedResponse(exchange, route);
}

/** Everything that may have to wait. */
async function respondLater(
  server: RoutedServer,
  exchange: Exchange,
  route: TokenRoute,
  checking: Promise<Checked> | undefined,
): Promise<HttpResponse> {
  const checked = (await checking) ?? ADMITTED;
  if (checked !== ADMITTED) return finalize(exchange, checked);
  const error = await catchUp(exchange);
  const isTold = error && !('tellsMissingFirst' in route && route.tellsMissingFirst);
  const response = isTold ? errorResponse(error) : await respond(server, exchange, route, error);
  return finalize(exchange, response);
}

/** Waits for the revision that the client, or another process, has seen before. */
async function catchUp(exchange: Exchange): Promise<HttpError | undefined> {
  const { newestRevision } = exchange.database;
  const required = exchange.headers.get(REQUIRED_REVISION_HEADER);
  if (!newestRevision.isBehind(required)) return undefined;
  exchange.enterPhase('revision');
  const error = await newestRevision.catchUp(required);
  exchange.enterPhase('read');
  return error;
}

/** Evaluates conditions and compresses. A 304 is cheap, so it costs a part of a request. */
function finalize(exchange: Exchange, response: HttpResponse): Awaitable<HttpResponse> {
  const finalized = finalizeResponse(exchange, response);
  if (finalized instanceof Promise) exchange.enterPhase('compress');
  else if (finalized.status === 304) exchange.allowance?.bucket.refund(NOT_MODIFIED_REFUND);
  return finalized;
}

async function sendLater(exchange: Exchange, response: Promise<HttpResponse>): Promise<Response> {
  try {
    return sendResponse(exchange, await response);
  } catch (cause) {
    return sendResponse(exchange, failureResponse(exchange, cause));
  }
}

const INVALID_HOST_RESPONSE = errorResponse(INVALID_HOST_ERROR);
const ONLY_GET_RESPONSE = methodNotAllowedResponse(ALLOWED_METHODS);
const ONLY_POST_RESPONSE = methodNotAllowedResponse(POST_METHODS);
