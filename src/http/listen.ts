import { handleRequest } from './handle-request.ts';
import type { ConnectionCounts } from './monitoring/server-monitor.ts';
import { matchPath, parseRequestTarget } from './request/request-target.ts';
import type { Route } from './route.ts';
import { startConnectionLimit } from './runtime/connection-limit.ts';
import { drainConnections } from './runtime/keep-alive.ts';
import { findListenSocket } from './runtime/listen-socket.ts';
import type { ServerContext } from './server-context.ts';

export interface RunningServer {
  readonly address: string;
  /** Stops accepting connections, answers what arrives on open ones, and waits, up to a timeout. */
  stop(): Promise<void>;
}

export interface ListeningServer extends RunningServer, ConnectionCounts {}

const SHUTDOWN_TIMEOUT_MS = 8_000;

interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly isPortShared: boolean;
  readonly maxConnections: number;
  /** How long no request may come before a stopping server closes connections; 0 for at once. */
  readonly drainQuietMs: number;
}

/** Listens on a port, with Bun's router; what matches no route goes to `fetch` and gets a 404. */
export function listen(
  getContext: () => ServerContext,
  routes: readonly Route[],
  { host, port, isPortShared, maxConnections, drainQuietMs }: ListenOptions,
): ListeningServer {
  const server = Bun.serve({
    hostname: host,
    port,
    development: false,
    // By default Bun would share the port with another process that listens on it.
    reusePort: isPortShared,
    // Clients may pause within a file, and finding the start of a range takes time.
    idleTimeout: 60,
    routes: Object.fromEntries(
      routes.map((route) => [
        route.path.replace(/\{(\w+)\}/g, ':$1'),
        (request: Request, server: Bun.Server<undefined>) =>
          handleRequest(getContext(), request, matchRoute(route, request), server),
      ]),
    ),
    fetch: (request, server) => handleRequest(getContext(), request, undefined, server),
  });
  const listenSocket = findListenSocket(server.port ?? port);
  const endConnectionLimit =
    listenSocket && startConnectionLimit(listenSocket, maxConnections, getContext().emit);
  return {
    address: `http://${host.includes(':') ? `[${host}]` : host}:${server.port}`,
    countConnections: () => listenSocket?.countConnections(),
    countActiveRequests: () => server.pendingRequests,
    async stop() {
      endConnectionLimit?.();
      const timeout = setTimeout(() => server.stop(true), SHUTDOWN_TIMEOUT_MS);
      await drainConnections(getContext().keepAlive, listenSocket, drainQuietMs);
      await server.stop();
      clearTimeout(timeout);
    },
  };
}

/** Bun accepts any text for a path parameter: the route matches only where it is valid. */
function matchRoute(route: Route, request: Request): Route | undefined {
  if (!('operation' in route)) return route;
  return matchPath(route.operation, parseRequestTarget(request.url).path) && route;
}
