import { type Awaitable, whenReady } from '../shared/awaitable.ts';
import { handleRequest } from './handle-request.ts';
import type { ConnectionCounts } from './monitoring/server-monitor.ts';
import { matchPath, parseRequestTarget } from './request/request-target.ts';
import type { Route } from './route.ts';
import { startConnectionLimit } from './runtime/connection-limit.ts';
import { drainConnections } from './runtime/keep-alive.ts';
import { type Listener, ReplaceableListener } from './runtime/replaceable-listener.ts';
import type { ServerContext } from './server-context.ts';
import type { Certificate } from './tls/certificate.ts';

export interface RunningServer {
  readonly address: string;
  /** Stops accepting connections, answers what arrives on open ones, and waits, up to a timeout. */
  stop(): Promise<void>;
}

const SHUTDOWN_TIMEOUT_MS = 8_000;

interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly isPortShared: boolean;
  /** Absent where connections are not encrypted. */
  readonly certificate?: Certificate | undefined;
  readonly maxConnections: number;
  /** How long no request may come before a stopping server closes connections; 0 for at once. */
  readonly drainQuietMs: number;
}

export interface ListeningServer extends RunningServer, ConnectionCounts {
  /** Uses another certificate for new connections. Throws where it cannot be used. */
  replaceCertificate(certificate: Certificate): void;
}

/** Listens on a port, with Bun's router; what matches no route goes to `fetch` and gets a 404. */
export function listen(
  getContext: () => ServerContext,
  routes: readonly Route[],
  options: ListenOptions,
): ListeningServer {
  const { host, maxConnections, drainQuietMs, certificate } = options;
  const first = openListener(getContext, routes, options);
  const { port = options.port } = first.server;
  const listener = new ReplaceableListener(first);
  const endConnectionLimit = listener.canPause
    ? startConnectionLimit(listener, maxConnections, getContext().emit)
    : () => {};
  const scheme = certificate ? 'https' : 'http';
  return {
    address: `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`,
    countConnections: () => listener.countConnections(),
    countActiveRequests: () => listener.countActiveRequests(),
    replaceCertificate(next) {
      listener.replace(openListener(getContext, routes, { ...options, port, certificate: next }));
    },
    async stop() {
      endConnectionLimit();
      const timeout = setTimeout(() => listener.stop(true), SHUTDOWN_TIMEOUT_MS);
      await drainConnections(getContext().keepAlive, listener, drainQuietMs);
      await listener.stop();
      clearTimeout(timeout);
    },
  };
}

function openListener(
  getContext: () => ServerContext,
  routes: readonly Route[],
  { host, port, isPortShared, certificate }: ListenOptions,
): Listener {
  const respond = (request: Request, server: Bun.Server<undefined>, route?: Route) => {
    const response = handleRequest(getContext(), request, route, server);
    return listener.isReplaced ? closeAfter(listener, response) : response;
  };
  const server = Bun.serve({
    hostname: host,
    port,
    development: false,
    // By default Bun would share the port with another process that listens on it.
    reusePort: isPortShared,
    // Clients may pause within a file, and finding the start of a range takes time.
    idleTimeout: 60,
    ...(certificate && { tls: { cert: certificate.cert, key: certificate.key } }),
    routes: Object.fromEntries(
      routes.map((route) => [
        route.path.replace(/\{(\w+)\}/g, ':$1'),
        (request: Request, server: Bun.Server<undefined>) =>
          respond(request, server, matchRoute(route, request)),
      ]),
    ),
    fetch: (request, server) => respond(request, server),
  });
  const listener: Listener = { server, isReplaced: false, lastRequestMs: 0 };
  return listener;
}

/** The client then connects to the listener in use. */
function closeAfter(listener: Listener, response: Awaitable<Response>): Awaitable<Response> {
  listener.lastRequestMs = performance.now();
  return whenReady(response, (sent) => {
    sent.headers.set('Connection', 'close');
    return sent;
  });
}

/** Bun accepts any text for a path parameter: the route matches only where it is valid. */
function matchRoute(route: Route, request: Request): Route | undefined {
  if (!('operation' in route)) return route;
  return matchPath(route.operation, parseRequestTarget(request.url).path) && route;
}
