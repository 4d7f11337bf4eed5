import { type Dataset, SCOPES } from '../catalogue/model/dataset.ts';
import type { LogEvent } from '../event-log.ts';
import { type Store, StoreUnavailableError } from '../store/open-store.ts';
import type { Principal, TokenRegistry } from '../tokens/token-registry.ts';
import { createGarbageCollectionTrigger } from './background/garbage-collection.ts';
import { EventStreams } from './events/event-streams.ts';
import { findRoute } from './find-route.ts';
import { handleRequest } from './handle-request.ts';
import { RequestMetrics } from './monitoring/request-metrics.ts';
import { createFailedAuthLimiter } from './rate-limiting/failed-auth-limiter.ts';
import { createRateLimiter } from './rate-limiting/rate-limiter.ts';
import { parseRequestTarget } from './request/request-target.ts';
import { createRoutes } from './routes.ts';
import { NO_SCRUB } from './scrub/scrub-status.ts';
import { createServerContext } from './server-context.ts';

/** Responds as a server does, but without port, token and rate limit. */
export interface InProcessServer {
  /** Gets a target. Throws where a server would log the cause of a 500 or 503. */
  get(target: string, headers?: RequestInit['headers']): Promise<Response>;
  close(): void;
}

export async function createInProcessServer(
  store: Store,
  catalogue: readonly Dataset[],
): Promise<InProcessServer> {
  let failure: Error | undefined;
  const reader = store.reader();
  const routes = createRoutes(catalogue);
  const context = await createServerContext(reader, {
    catalogue,
    reportAllocatedBytes: createGarbageCollectionTrigger('now'),
    tokens: ALLOW_ALL_TOKENS,
    eventStreams: new EventStreams(catalogue, ALLOW_ALL_TOKENS, NO_STREAMS),
    rateLimiter: createRateLimiter(null),
    failedAuthLimiter: createFailedAuthLimiter(),
    requestMetrics: new RequestMetrics(),
    scrub: NO_SCRUB,
    settings: NO_LOG,
    emit: (event) => {
      failure ??= toError(event);
    },
  }).catch((cause) => {
    reader.close();
    throw cause;
  });
  return {
    async get(target, headers) {
      const request = new Request(`http://localhost${target}`, headers && { headers });
      request.headers.set('Authorization', 'Bearer local');
      const route = findRoute(routes, parseRequestTarget(request.url).path);
      const response = await handleRequest(context, request, route);
      if (failure) throw failure;
      return response;
    },
    close: () => reader.close(),
  };
}

/** Nothing polls the store. */
const NO_STREAMS = { max: 0, maxPerToken: 0 };
const NO_LOG = {
  logRequests: 'off',
  logSlowMs: Number.POSITIVE_INFINITY,
  logAddresses: 'errors',
  trustedProxies: null,
  mcpOrigins: new Set<string>(),
} as const;

/** Whoever can open the database may read all of it. */
const LOCAL_PRINCIPAL: Principal = {
  id: 'local',
  scopes: new Set(SCOPES),
  rate: null,
  expiresAtMs: Number.POSITIVE_INFINITY,
  lastUsedAtMs: 0,
};
const ALLOW_ALL_TOKENS: TokenRegistry = {
  authenticate: () => LOCAL_PRINCIPAL,
  authenticateLink: () => undefined,
  isValid: () => true,
  reload: async () => {},
  flushLastUsed: async () => {},
};

function toError(event: LogEvent): Error | undefined {
  if (event.event === 'store.unavailable') return new StoreUnavailableError(event.cause);
  return event.event === 'request.failed' ? new Error(event.cause) : undefined;
}
