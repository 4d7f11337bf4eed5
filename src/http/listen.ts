import { handleRequest } from './handle-request.ts';
import { matchPath, parseRequestTarget } from './request/request-target.ts';
import type { Route } from './route.ts';
import type { ServerContext } from './server-context.ts';

export interface RunningServer {
  readonly address: string;
  /** Stops accepting, lets requests in flight finish, and cuts off what takes too long. */
  stop(): Promise<void>;
}

const SHUTDOWN_TIMEOUT_MS = 8_000;

/** Listens. Bun's router matches whole paths to the letter, so everything else is not found. */
export function listen(
  context: ServerContext,
  routes: readonly Route[],
  { host, port, isPortShared }: { host: string; port: number; isPortShared: boolean },
): RunningServer {
  const server = Bun.serve({
    hostname: host,
    port,
    development: false,
    // Left to itself Bun shares the port with whoever has it, and half the requests go there.
    reusePort: isPortShared,
    // A client may take its time between two pieces of a file, and a range its time to be found.
    idleTimeout: 60,
    routes: Object.fromEntries(
      routes.map((route) => [
        route.path.replace(/\{(\w+)\}/g, ':$1'),
        (request: Request, server: Bun.Server<undefined>) =>
          handleRequest(context, request, matchRoute(route, request), server),
      ]),
    ),
    fetch: (request) => handleRequest(context, request),
  });
  return {
    address: `http://${host.includes(':') ? `[${host}]` : host}:${server.port}`,
    async stop() {
      const forced = setTimeout(() => server.stop(true), SHUTDOWN_TIMEOUT_MS);
      await server.stop();
      clearTimeout(forced);
    },
  };
}

/** Bun lets any text stand for a segment of a path: the route only where it is one that may. */
function matchRoute(route: Route, request: Request): Route | undefined {
  if (!('operation' in route)) return route;
  return matchPath(route.operation, parseRequestTarget(request.url).path) && route;
}
