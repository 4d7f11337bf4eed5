import type { Awaitable } from '../../shared/awaitable.ts';
import type { Client } from '../background/schedule-job.ts';
import { matchPath, parseRequestTarget } from '../request/request-target.ts';
import {
  FORBIDDEN_RESPONSE,
  type HttpResponse,
  NOT_FOUND_RESPONSE,
} from '../responses/response.ts';
import { isAuthorized } from './authorize.ts';
import type { RequestingClient } from './exchange.ts';
import { serve } from './handle-request.ts';
import type { DataContext } from './request-context.ts';
import type { Route, TokenRoute } from './route.ts';

/**
 * Responds to a target, which is path and query of a GET, as a request of that client would be
 * responded to: by the same routes, with the same cache and errors. The client is authenticated
 * already. It is charged for what the response costs beyond one request, not for that one.
 */
export type RespondToTarget = (
  data: DataContext,
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
  return (data, client, target, { method = 'GET', headers = new Headers() } = {}) => {
    const route = findRoute(routes, parseRequestTarget(target).path);
    if (!route) return NOT_FOUND_RESPONSE;
    const request = new Request(`http://localhost${target}`, { method, headers });
    const sender = withRequest(client, request);
    return isAuthorized(route, sender) ? serve(data, route, sender) : FORBIDDEN_RESPONSE;
  };
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

/** The route of a path, which must match exactly. */
export function findRoute<R extends Route>(routes: readonly R[], path: string): R | undefined {
  return routes.find((route) =>
    'operation' in route && route.operation
      ? matchPath(route.operation, path)
      : route.path === path,
  );
}
