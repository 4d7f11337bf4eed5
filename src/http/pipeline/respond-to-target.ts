import type { Awaitable } from '../../shared/awaitable.ts';
import type { Client } from '../background/schedule-job.ts';
import { parseRequestTarget } from '../request/request-target.ts';
import {
  FORBIDDEN_RESPONSE,
  type HttpResponse,
  NOT_FOUND_RESPONSE,
} from '../responses/response.ts';
import { isAuthorized } from './authorize.ts';
import type { RequestingClient } from './exchange.ts';
import { serve } from './handle-request.ts';
import { findUnknownRoute } from './plan-route.ts';
import type { DataContext } from './route.ts';

/**
 * Responds to a target, which is path and query of a GET, as a request of that client would be
 * responded to: by the same routes, with the same cache and errors. The client is authenticated
 * already. It is charged for what the response costs beyond one request, not for that one. Any
 * other path than those of data gets a 404.
 */
export function respondToTarget(
  data: DataContext,
  client: Client,
  target: string,
  { method = 'GET', headers = new Headers() }: TargetRequestOptions = {},
): Awaitable<HttpResponse> {
  const request = new Request(`http://localhost${target}`, { method, headers });
  const sender = withRequest(client, request);
  const { path } = parseRequestTarget(target);
  const route = data.getDataRoutes(data.catalogues.current).find(path) ?? findUnknownRoute(sender);
  if (!route) return NOT_FOUND_RESPONSE;
  return isAuthorized(route, sender) ? serve(data, route, sender) : FORBIDDEN_RESPONSE;
}

interface TargetRequestOptions {
  /** GET by default. */
  readonly method?: 'GET' | 'HEAD';
  /** Such as `Accept` and `Accept-Datetime`. None by default. */
  readonly headers?: Headers;
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
