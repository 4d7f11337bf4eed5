import { type Catalogues, getShippedCatalogue } from '../../src/catalogue/catalogues.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import type { EmitEvent } from '../../src/event-log.ts';
import { createDatabase, type Database } from '../../src/http/pipeline/database.ts';
import { Exchange } from '../../src/http/pipeline/exchange.ts';
import { RequestMetrics } from '../../src/http/pipeline/request-metrics.ts';
import type { Route, RoutedServer } from '../../src/http/pipeline/route.ts';
import { createServerParts, type Server } from '../../src/http/pipeline/server.ts';
import { createDataRoutes, createRoutes } from '../../src/http/server/routes.ts';
import { EventStreams } from '../../src/operations/events/event-streams.ts';
import type { StoreReader } from '../../src/store/open-store.ts';
import type { TokenRegistry } from '../../src/tokens/token-registry.ts';
import { SERVER_SETTINGS } from './test-server.ts';

interface TestContextOptions {
  readonly authenticate?: TokenRegistry['authenticate'];
  readonly emit?: EmitEvent;
  /** The shipped datasets. */
  readonly datasets?: readonly Dataset[];
  /** Given where the reader fails. */
  readonly catalogues?: Catalogues;
}

/** A server over a reader, without a background thread and a rate limit. */
export async function createTestContext(
  reader: StoreReader,
  {
    authenticate = () => undefined,
    emit = () => {},
    datasets = catalogue,
    ...known
  }: TestContextOptions = {},
): Promise<RoutedServer> {
  const metrics = new RequestMetrics();
  const tokens = { authenticate, lookUp: () => undefined, findById: () => undefined };
  const settings = { ...SERVER_SETTINGS, rateLimit: null };
  const getDataRoutes = createDataRoutes();
  const options = { catalogue: datasets, ...known, metrics, emit };
  return {
    getDataRoutes,
    database: await createDatabase(reader, { ...options, reportAllocatedBytes() {} }),
    ...createServerParts(settings, { tokens, emit, metrics }),
  };
}

/** Every route of the catalogue, with no streams of events. */
export function createTestRoutes(): readonly Route[] {
  const getRoutes = createRoutes({
    getDataRoutes: createDataRoutes(),
    eventStreams: new EventStreams({ isValid: () => true }, { max: 0, maxPerToken: 0 }),
    getReadiness: () => ({ reasons: [], revision: 0 }),
    tokens: { readAll: async () => [] },
    mcpOrigins: new Set(),
    sdmxAgency: 'TENOR',
  });
  return getRoutes(getShippedCatalogue(catalogue)).routes;
}

/** A client's exchange over a database of which a test gives the parts that it needs. */
export function createTestExchange(
  parts: Partial<Record<keyof Database, unknown>>,
  request: Request = new Request('http://localhost/'),
): Exchange {
  const admission = { findClientAddress: () => '' };
  const server = { database: parts, admission } as unknown as Server;
  return new Exchange(server, request, undefined);
}
