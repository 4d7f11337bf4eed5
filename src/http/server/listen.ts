import type { Catalogue } from '../../catalogue/catalogues.ts';
import { system } from '../../shared/system.ts';
import { type ConnectionCounts, countConnections } from '../monitoring/server-monitor.ts';
import type { ConnectionControl } from '../pipeline/exchange.ts';
import { handleRequest } from '../pipeline/handle-request.ts';
import type { Route, RoutedServer, RouteTable } from '../pipeline/route.ts';
import type { KeepAlive } from '../pipeline/server.ts';
import { matchPath, RequestTarget } from '../request/parse-query.ts';
import type { Certificate } from '../tls/certificate.ts';
import { ConnectionShedder } from './connection-shedder.ts';
import type { ReplaceableDatabase } from './replaceable-database.ts';
import { type Listener, ReplaceableListener } from './replaceable-listener.ts';

export interface RunningServer {
  readonly address: string;
  /** Says on /ready that it is about to stop; everything else is as before. */
  startDraining(): void;
  /** Answers what still arrives, then stops accepting connections and waits, up to a timeout. */
  stop(): Promise<void>;
}

const SHUTDOWN_TIMEOUT_MS = 8_000;

interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly isPortShared: boolean;
  /** Absent if connections are not encrypted. */
  readonly certificate?: Certificate | undefined;
  /** How long no request may come before a stopping server closes connections; 0 for at once. */
  readonly drainQuietMs: number;
}

interface ListeningServer extends RunningServer, ConnectionCounts {
  /** Uses another certificate for new connections. Throws if it cannot be used. */
  replaceCertificate(certificate: Certificate): void;
}

/** Listens on a port, with Bun's router; what matches no route goes to `fetch` and gets a 404. */
export function listen(getServer: () => CurrentServer, options: ListenOptions): ListeningServer {
  const { host, drainQuietMs } = options;
  let { port } = options;
  const listener = new ReplaceableListener((certificate) => {
    const opened = openListener(getServer, { ...options, port, certificate });
    // The one that was free, if any may be.
    ({ port = port } = opened.server);
    return opened;
  }, options.certificate);
  const stopShedding = new ConnectionShedder(listener, getServer().log.emit).start();
  const scheme = options.certificate ? 'https' : 'http';
  return {
    address: `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`,
    countConnections: () => countConnections(port),
    countActiveRequests: () => listener.countActiveRequests(),
    replaceCertificate: (certificate) => listener.replace(certificate),
    startDraining() {
      getServer().keepAlive.isDraining = true;
    },
    async stop() {
      stopShedding();
      const timeout = system.setTimeout(() => listener.stop(true), SHUTDOWN_TIMEOUT_MS);
      await drainConnections(getServer().keepAlive, drainQuietMs);
      await listener.stop();
      timeout.cancel();
    },
  };
}

function openListener(
  getServer: () => CurrentServer,
  { host, port, isPortShared, certificate }: ListenOptions,
): Listener {
  const { routes } = getServer();
  const respond = (request: Request, server: Bun.Server<undefined>, route?: Route) => {
    const response = handleCurrent(getServer, request, server, [routes, route]);
    return listener.isEnding ? closeAfter(response) : response;
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
      routes.routes.map((route) => [
        route.path.replace('{path}', '*').replace(/\{(\w+)\}/g, ':$1'),
        (request: Request, server: Bun.Server<undefined>) => respond(request, server, route),
      ]),
    ),
    fetch: (request, server) => respond(request, server),
  });
  const listener: Listener = { server, isEnding: false };
  return listener;
}

/** The client then connects to the listener in use. */
async function closeAfter(responding: Response | Promise<Response>): Promise<Response> {
  const response = await responding;
  response.headers.set('Connection', 'close');
  return response;
}

/** How long no request may come before a stopping server closes the connections that it has. */
export const DRAIN_QUIET_MS = 300;
const MAX_DRAIN_MS = 3_000;

/**
 * Answers what arrives, the last response of each connection, until nothing arrives any more: Bun
 * closes every idle connection when it stops, and a request may be on its way there.
 */
async function drainConnections(keepAlive: KeepAlive, quietMs: number): Promise<void> {
  keepAlive.isDraining = true;
  keepAlive.isEnding = true;
  const deadlineMs = system.monotonicNow() + MAX_DRAIN_MS;
  for (;;) {
    const nowMs = system.monotonicNow();
    const waitMs = Math.min(keepAlive.lastRequestMs + quietMs, deadlineMs) - nowMs;
    if (waitMs <= 0) return;
    await system.sleep(waitMs);
  }
}

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
  if (server.reopenDatabase && server.database.newestRevision.isOtherDatabaseShared())
    return handleAfterReopening(getServer, request, connection, routed);
  return handleRequest(server, request, findRoute(server, request, routed), connection);
}

async function handleAfterReopening(
  ...[getServer, request, connection, routed]: Parameters<typeof handleCurrent>
): Promise<Response> {
  await getServer().reopenDatabase?.();
  const server = getServer();
  return handleRequest(server, request, findRoute(server, request, routed), connection);
}

type RoutedPath = readonly [routes: RouteTable<Route>, found: Route | undefined];

/** By now the routes may be those of another catalogue. */
function findRoute({ routes }: CurrentServer, { url }: Request, routed?: RoutedPath) {
  const [known, route] = routed ?? [];
  if (routes !== known) return routes.find(new RequestTarget(url).path);
  if (!(route && 'operation' in route && route.operation)) return route;
  // Routers accept any text for a path parameter: the route matches only if it is valid.
  return matchPath(route.operation, new RequestTarget(url).path) && route;
}

/** One server for each database that is opened, and for each of its catalogues. */
export function createServerGetter(
  replaceable: Pick<ReplaceableDatabase, 'database' | 'reopenIfReplaced'>,
  shared: Omit<RoutedServer, 'database'>,
  getRoutes: (catalogue: Catalogue) => RouteTable<Route>,
) {
  // If there is none that can be used, the responses say so.
  const reopenDatabase = () => replaceable.reopenIfReplaced().catch(() => {});
  let server: CurrentServer | undefined;
  return () => {
    const { database } = replaceable;
    const routes = getRoutes(database.catalogues.current);
    if (database !== server?.database || routes !== server.routes)
      server = { ...shared, reopenDatabase, database, routes };
    return server;
  };
}
