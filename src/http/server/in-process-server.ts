import type { Catalogue } from '../../catalogue/catalogues.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { LogEvent } from '../../event-log.ts';
import { memoizeByIdentity } from '../../shared/memoize.ts';
import { type Store, StoreUnavailableError } from '../../store/open-store.ts';
import { createPrincipal } from '../../tokens/token-registry.ts';
import { createGarbageCollectionTrigger } from '../background/garbage-collection.ts';
import { createLedgerRoutes } from '../operations/ledger/ledger-routes.ts';
import { handleRequest } from '../pipeline/handle-request.ts';
import { findCatalogue } from '../pipeline/plan-route.ts';
import {
  createDataContext,
  createSharedContext,
  type RequestContext,
} from '../pipeline/request-context.ts';
import { RequestMetrics } from '../pipeline/request-metrics.ts';
import type { Route } from '../pipeline/route.ts';
import { RouteTable } from '../pipeline/route-table.ts';
import { parseRequestTarget } from '../request/request-target.ts';
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
  const data = await createDataContext(reader, {
    ...{ catalogue, getDataRoutes, metrics, emit },
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
  const context: RequestContext = {
    data,
    ...createSharedContext(SETTINGS, { tokens: ALLOW_ALL_TOKENS, emit, metrics }),
  };
  return {
    /** The routes of data of the revision that a target is for. */
    async findDataRoutes(target: string) {
      const parameters = new URLSearchParams(parseRequestTarget(target).query);
      return getDataRoutes(await findCatalogue(data, parameters));
    },
    /** Gets a target. Throws where a server would log the cause of a 500 or 503. */
    async get(target: string, headers?: RequestInit['headers']): Promise<Response> {
      const request = new Request(`http://localhost${target}`, headers && { headers });
      request.headers.set('Authorization', 'Bearer local');
      const routes = getRoutes(data.catalogues.current);
      const route = routes.find(parseRequestTarget(request.url).path);
      const response = await handleRequest(context, request, route);
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
};

function toError(event: LogEvent): Error | undefined {
  if (event.event === 'store.unavailable') return new StoreUnavailableError(event.cause);
  return event.event === 'request.failed' ? new Error(event.cause) : undefined;
}
