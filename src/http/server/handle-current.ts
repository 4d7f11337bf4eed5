import type { ConnectionControl } from '../pipeline/exchange.ts';
import { handleRequest } from '../pipeline/handle-request.ts';
import type { Route, RoutedServer } from '../pipeline/route.ts';
import type { RouteTable } from '../pipeline/route-table.ts';
import { matchPath, RequestTarget } from '../request/request-target.ts';

/** A server, with the routes of the current catalogue. */
export interface CurrentServer extends RoutedServer {
  readonly routes: RouteTable<Route>;
}

/**
 * Responds from the database that is there now: another process that serves it too may have noticed
 * before this one that it was replaced, and clients are not to see first that one, then this.
 */
export function handleCurrent(
  getServer: () => CurrentServer,
  request: Request,
  connection: ConnectionControl,
  routed?: RoutedPath,
): Response | Promise<Response> {
  const server = getServer();
  if (server.followDatabase && server.database.newestRevision.isOtherDatabaseShared())
    return handleAfterFollowing(getServer, request, connection, routed);
  return handleRequest(server, request, findRoute(server, request, routed), connection);
}

async function handleAfterFollowing(
  ...[getServer, request, connection, routed]: Parameters<typeof handleCurrent>
): Promise<Response> {
  await getServer().followDatabase?.();
  const server = getServer();
  return handleRequest(server, request, findRoute(server, request, routed), connection);
}

/** The routes of a router, and the one that it found. */
type RoutedPath = readonly [routes: RouteTable<Route>, found: Route | undefined];

/** By now the routes may be those of another catalogue. */
function findRoute({ routes }: CurrentServer, { url }: Request, routed?: RoutedPath) {
  const [known, route] = routed ?? [];
  if (routes !== known) return routes.find(new RequestTarget(url).path);
  if (!(route && 'operation' in route && route.operation)) return route;
  // Routers accept any text for a path parameter: the route matches only where it is valid.
  return matchPath(route.operation, new RequestTarget(url).path) && route;
}
