import { catalogue } from '../../src/catalogue/index.ts';
import type { EmitEvent } from '../../src/event-log.ts';
import { EventStreams } from '../../src/http/operations/events/event-streams.ts';
import {
  createDataContext,
  createSharedContext,
  type RequestContext,
} from '../../src/http/pipeline/request-context.ts';
import { RequestMetrics } from '../../src/http/pipeline/request-metrics.ts';
import type { Route } from '../../src/http/pipeline/route.ts';
import { createRoutes } from '../../src/http/server/routes.ts';
import type { StoreReader } from '../../src/store/open-store.ts';
import type { TokenRegistry } from '../../src/tokens/token-registry.ts';
import { SERVER_SETTINGS } from './test-server.ts';

interface TestContextOptions {
  readonly authenticate?: TokenRegistry['authenticate'];
  readonly emit?: EmitEvent;
}

/** A context over a reader, without a background thread and a rate limit. */
export async function createTestContext(
  reader: StoreReader,
  { authenticate = () => undefined, emit = () => {} }: TestContextOptions = {},
): Promise<RequestContext> {
  const metrics = new RequestMetrics();
  const tokens = { authenticate, lookUp: () => undefined };
  const settings = { ...SERVER_SETTINGS, rateLimit: null };
  return {
    data: await createDataContext(reader, {
      catalogue,
      reportAllocatedBytes() {},
      metrics,
      emit,
    }),
    ...createSharedContext(settings, { tokens, emit, metrics }),
  };
}

/** Every route of the catalogue, with no streams of events. */
export function createTestRoutes(): Route[] {
  return createRoutes(catalogue, {
    eventStreams: new EventStreams([], { isValid: () => true }, { max: 0, maxPerToken: 0 }),
    getReadiness: () => ({ reasons: [], revision: 0 }),
    mcpOrigins: new Set(),
  });
}
