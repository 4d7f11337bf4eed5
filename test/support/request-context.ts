import { Catalogues, getShippedCatalogue, NONE_DECLARED } from '../../src/catalogue/catalogues.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import type { EmitEvent } from '../../src/event-log.ts';
import { EventStreams } from '../../src/http/operations/events/event-streams.ts';
import {
  createDataContext,
  createSharedContext,
  type RequestContext,
} from '../../src/http/pipeline/request-context.ts';
import { RequestMetrics } from '../../src/http/pipeline/request-metrics.ts';
import type { DataContext, Route } from '../../src/http/pipeline/route.ts';
import type { HttpResponse } from '../../src/http/responses/response.ts';
import { KnownDamage } from '../../src/http/scrub/known-damage.ts';
import { createDataRoutes, createRoutes } from '../../src/http/server/routes.ts';
import type { Awaitable } from '../../src/shared/awaitable.ts';
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

/** A context over a reader, without a background thread and a rate limit. */
export async function createTestContext(
  reader: StoreReader,
  {
    authenticate = () => undefined,
    emit = () => {},
    datasets = catalogue,
    ...known
  }: TestContextOptions = {},
): Promise<RequestContext> {
  const metrics = new RequestMetrics();
  const tokens = { authenticate, lookUp: () => undefined };
  const settings = { ...SERVER_SETTINGS, rateLimit: null };
  const getDataRoutes = createDataRoutes();
  const options = { catalogue: datasets, ...known, getDataRoutes, metrics, emit };
  return {
    data: await createDataContext(reader, { ...options, reportAllocatedBytes() {} }),
    ...createSharedContext(settings, { tokens, emit, metrics }),
  };
}

/** Every route of the catalogue, with no streams of events. */
export function createTestRoutes(): readonly Route[] {
  const getRoutes = createRoutes({
    getDataRoutes: createDataRoutes(),
    eventStreams: new EventStreams({ isValid: () => true }, { max: 0, maxPerToken: 0 }),
    getReadiness: () => ({ reasons: [], revision: 0 }),
    mcpOrigins: new Set(),
  });
  return getRoutes(getShippedCatalogue(catalogue)).routes;
}

/** Data of which a function gives the response to each target. */
export function createFakeData(
  respond: (path: string) => Awaitable<Pick<HttpResponse, 'status' | 'body'>>,
): DataContext {
  const find = (path: string) => ({ path, respond: () => respond(path) });
  const data = {
    catalogues: new Catalogues([], { declarations: () => NONE_DECLARED }),
    damage: new KnownDamage(),
    getDataRoutes: () => ({ find }),
  };
  return data as unknown as DataContext;
}
