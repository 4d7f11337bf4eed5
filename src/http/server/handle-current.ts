import type { Awaitable } from '../../shared/awaitable.ts';
import type { ConnectionControl } from '../pipeline/exchange.ts';
import { handleRequest } from '../pipeline/handle-request.ts';
import type { RequestContext } from '../pipeline/request-context.ts';
import type { Route } from '../pipeline/route.ts';
import type { RouteTable } from '../pipeline/route-table.ts';
import { matchPath, parseRequestTarget } from '../request/request-target.ts';

/** The surroundings of requests, with the routes of the current catalogue. */
export interface ServerContext extends RequestContext {
  readonly routes: RouteTable<Route>;
}

/**
 * Responds from the database that is there now: another process that serves it too may have noticed
 * before this one that it was replaced, and clients are not to see first that one, then this.
 */
export function handleCurrent(
  getContext: () => ServerContext,
  request: Request,
  server: ConnectionControl,
  routed?: RoutedPath,
): Awaitable<Response> {
  const handle = (context: ServerContext) =>
    handleRequest(context, request, findRoute(context, request, routed), server);
  const context = getContext();
  const { followDatabase, data } = context;
  if (!followDatabase || !data.newestRevision.isOtherDatabaseShared()) return handle(context);
  return followDatabase().then(() => handle(getContext()));
}

/** The routes of a router, and the one that it found. */
type RoutedPath = readonly [routes: RouteTable<Route>, found: Route | undefined];

/** By now the routes may be those of another catalogue. */
function findRoute({ routes }: ServerContext, { url }: Request, routed?: RoutedPath) {
  const [known, route] = routed ?? [];
  if (routes !== known) return routes.find(parseRequestTarget(url).path);
  if (!(route && 'operation' in route && route.operation)) return route;
  // Routers accept any text for a path parameter: the route matches only where it is valid.
  return matchPath(route.operation, parseRequestTarget(url).path) && route;
}
