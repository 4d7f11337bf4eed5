import type { Awaitable } from '../shared/awaitable.ts';
import type { Principal } from '../tokens/token-registry.ts';
import type { Client } from './background/schedule-job.ts';
import { findRoute } from './find-route.ts';
import { parseRequestTarget } from './request/request-target.ts';
import { type RequestingClient, respondWithDataset } from './responses/dataset-response.ts';
import { FORBIDDEN_RESPONSE, type HttpResponse, NOT_FOUND_RESPONSE } from './responses/response.ts';
import type { LinkRoute, TokenRoute } from './route.ts';
import type { ServerContext } from './server-context.ts';

/**
 * Responds to a target, which is path and query of a GET, as a request of that client would be
 * responded to: by the same routes, with the same cache and errors. The client is authenticated
 * already. It is charged for what the response costs beyond one request, not for that one.
 */
export type RespondToTarget = (
  context: ServerContext,
  client: Client,
  target: string,
  options?: TargetRequestOptions,
) => Awaitable<HttpResponse>;

interface TargetRequestOptions {
  /** GET by default. */
  readonly method?: 'GET' | 'HEAD';
  /** Such as `Accept` and `Accept-Datetime`. None by default. */
  readonly headers?: Headers;
}

/** Any other path than those of the routes gets a 404. */
export function createTargetResponder(routes: readonly TokenRoute[]): RespondToTarget {
  return (context, client, target, { method = 'GET', headers = new Headers() } = {}) => {
    const route = findRoute(routes, parseRequestTarget(target).path);
    if (!route) return NOT_FOUND_RESPONSE;
    if (!isAuthorized(route, client.principal)) return FORBIDDEN_RESPONSE;
    const request = new Request(`http://localhost${target}`, { method, headers });
    return respondWithRoute(context, route, withRequest(client, request));
  };
}

/** Whether a principal has the scope that a route needs; that of a link needs none of its own. */
export function isAuthorized(
  route: TokenRoute | LinkRoute,
  { scopes }: Pick<Principal, 'scopes'>,
): boolean {
  const { scope } =
    'dataset' in route ? route.dataset : 'operation' in route ? route.operation : route;
  return !scope || scopes.has(scope);
}

/** Responds to the request of a client that may use the route. */
export function respondWithRoute(
  context: ServerContext,
  route: TokenRoute | LinkRoute,
  client: RequestingClient,
): Awaitable<HttpResponse> {
  if ('dataset' in route) return respondWithDataset(context, route, client);
  const { request } = client;
  return route.respond(context, client, parseRequestTarget(request.url), request);
}

function withRequest(client: Client, request: Request): RequestingClient {
  return {
    request,
    headers: request.headers,
    principal: client.principal,
    // It is created when it is first used, which cached responses never do.
    get signal() {
      return client.signal;
    },
    charge: (requests) => client.charge(requests),
    enterPhase: (phase) => client.enterPhase?.(phase),
    recordEncoding: (ms) => client.recordEncoding?.(ms),
  };
}
