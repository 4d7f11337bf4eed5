import type { Catalogue } from '../../catalogue/catalogues.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { LogEvent } from '../../event-log.ts';
import { createLedgerRoutes } from '../../operations/ledger/ledger-routes.ts';
import { memoizeByIdentity } from '../../shared/memoize.ts';
import { type Store, StoreUnavailableError } from '../../store/open-store.ts';
import { createPrincipal } from '../../tokens/principal.ts';
import { createDatabase } from '../pipeline/database.ts';
import { handleRequest } from '../pipeline/handle-request.ts';
import { RequestMetrics } from '../pipeline/request-metrics.ts';
import { resolveView } from '../pipeline/resolve-view.ts';
import { type Route, type RoutedServer, RouteTable } from '../pipeline/route.ts';
import { createServerParts } from '../pipeline/server.ts';
import { RequestTarget } from '../request/parse-query.ts';
import { createGarbageCollectionTrigger } from '../responses/response.ts';
import { createDataRoutes, createOpenApiRoute } from './routes.ts';

export type InProcessServer = Awaited<ReturnType<typeof createInProcessServer>>;

/** Responds to requests for data as a server does, but without port, token and rate limit. */
export async function createInProcessServer(store: Store, catalogue: readonly Dataset[]) {
  let failure: Error | undefined;
  const reader = store.reader();
  const getDataRoutes = createDataRoutes();
  const metrics = new RequestMetrics();
  const emit = (event: LogEvent) => {
    failure ??= toError(event);
  };
  const database = await createDatabase(reader, {
    catalogue,
    metrics,
    emit,
    reportAllocatedBytes: createGarbageCollectionTrigger('now'),
  }).catch((cause) => {
    reader.close();
    throw cause;
  });
  const getRoutes = memoizeByIdentity((current: Catalogue) => {
    const dataRoutes = getDataRoutes(current).routes;
    const openRoutes = [createOpenApiRoute(current), ...createLedgerRoutes()];
    return new RouteTable<Route>([...dataRoutes, ...openRoutes]);
  });
  const server: RoutedServer = {
    database,
    getDataRoutes,
    ...createServerParts(SETTINGS, { tokens: ALLOW_ALL_TOKENS, emit, metrics }),
  };
  // Nothing polls the store.
  const takeUpRevisions = async () => database.newestRevision.advanceTo(await reader.revision());
  return {
    async findDataRoutes(target: string) {
      await takeUpRevisions();
      const request = { target: new RequestTarget(target), headers: new Headers() };
      return getDataRoutes((await resolveView(database, request)).catalogue);
    },
    /** Gets a target. Throws if a server would log the cause of a 500 or 503. */
    async get(target: string, headers?: RequestInit['headers']): Promise<Response> {
      await takeUpRevisions();
      const request = new Request(`http://localhost${target}`, headers && { headers });
      request.headers.set('Authorization', 'Bearer local');
      const routes = getRoutes(database.catalogues.current);
      const route = routes.find(new RequestTarget(request.url).path);
      const response = await handleRequest(server, request, route);
      if (failure) throw failure;
      return response;
    },
    close: () => reader.close(),
  };
}

const SETTINGS = {
  rateLimit: null,
  trustedProxies: null,
  logRequests: 'off',
  logSlowMs: Number.POSITIVE_INFINITY,
  logAddresses: 'errors',
} as const;

/** A user that can open the database may read all of it. */
const LOCAL_PRINCIPAL = createPrincipal('local');
const ALLOW_ALL_TOKENS = {
  authenticate: () => LOCAL_PRINCIPAL,
  lookUp: () => undefined,
  findById: () => undefined,
};

function toError(event: LogEvent): Error | undefined {
  if (event.event === 'store.unavailable') return new StoreUnavailableError(event.cause);
  return event.event === 'request.failed' ? new Error(event.cause) : undefined;
}
