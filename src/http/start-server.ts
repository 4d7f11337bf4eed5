import type { Dataset } from '../catalogue/model/dataset.ts';
import type { EmitEvent } from '../event-log.ts';
import type { Settings } from '../settings.ts';
import type { Store, StoreReader, TokenStore } from '../store/open-store.ts';
import { createTokenRegistry } from '../tokens/token-registry.ts';
import type { RunningServer } from './listen.ts';
import { listen } from './listen.ts';
import { createFailedAuthLimiter } from './rate-limiting/failed-auth-limiter.ts';
import { createRateLimiter } from './rate-limiting/rate-limiter.ts';
import type { SharedLimits } from './rate-limiting/shared-limits.ts';
import { createCursorCodec } from './request/cursor-codec.ts';
import { createLastChangeLookup } from './responses/last-change.ts';
import { createResponseCache } from './responses/response-cache.ts';
import { createRevisionAtLookup } from './responses/revision-at.ts';
import { createTotalCounter } from './responses/total-count.ts';
import { createRoutes } from './routes.ts';
import { createGarbageCollectionTrigger } from './runtime/garbage-collection.ts';
import { startPollingStore } from './runtime/poll-store.ts';
import { createStoreHealth } from './runtime/store-health.ts';
import { createTaskQueue } from './runtime/task-queue.ts';
import type { ServerContext } from './server-context.ts';

const RESPONSE_CACHE_BYTES = 24 * 1024 * 1024;
const MAX_CONCURRENT_ENCODINGS = 4;

/**
 * Puts a server together over a store and starts it. Stopping it closes its own connections. With
 * limits that are shared it is one of several: they share the port too.
 */
export async function startServer(
  store: Store,
  catalogue: readonly Dataset[],
  settings: Pick<Settings, 'host' | 'port' | 'apiToken' | 'rateLimit'>,
  emit: EmitEvent,
  shared?: Pick<SharedLimits, 'tokens' | 'addresses'>,
): Promise<RunningServer> {
  const reader = store.reader();
  const tokens = store.tokens();
  const close = () => {
    reader.close();
    tokens.close();
  };
  try {
    return await startWithConnections({ reader, tokens, close }, catalogue, settings, emit, shared);
  } catch (cause) {
    // Connections that nobody needs any more would keep the process alive.
    close();
    throw cause;
  }
}

/** What a server holds of its store. */
interface StoreConnections {
  readonly reader: StoreReader;
  readonly tokens: TokenStore;
  close(): void;
}

async function startWithConnections(
  { reader, tokens, close }: StoreConnections,
  ...[catalogue, settings, emit, shared]: Tail<Parameters<typeof startServer>>
): Promise<RunningServer> {
  const context = await createServerContext(reader, {
    tokens: createTokenRegistry(tokens, settings.apiToken),
    rateLimiter: createRateLimiter(settings.rateLimit, undefined, shared?.tokens),
    failedAuthLimiter: createFailedAuthLimiter(undefined, shared?.addresses),
    emit,
  });
  const revision = await reader.revision();
  context.responseCache.advanceTo(revision);
  await context.tokens.reload();
  const isPortShared = shared !== undefined;
  const listening = listen(context, createRoutes(catalogue), { ...settings, isPortShared });
  const stopWatching = startPollingStore(context);
  emit({ event: 'service.started', address: listening.address, revision });
  return {
    address: listening.address,
    async stop() {
      await listening.stop();
      await stopWatching();
      close();
      emit({ event: 'service.stopped' });
    },
  };
}

type Tail<T extends readonly unknown[]> = T extends [unknown, ...infer Rest] ? Rest : never;

/** All that requests need, over a reader. */
export async function createServerContext(
  reader: StoreReader,
  rest: Pick<ServerContext, 'tokens' | 'rateLimiter' | 'emit'> &
    Partial<Pick<ServerContext, 'failedAuthLimiter'>>,
): Promise<ServerContext> {
  return {
    failedAuthLimiter: createFailedAuthLimiter(),
    ...rest,
    reader,
    storeHealth: createStoreHealth(rest.emit),
    cursors: createCursorCodec(await reader.secret()),
    responseCache: createResponseCache(RESPONSE_CACHE_BYTES),
    findRevisionAt: createRevisionAtLookup(reader),
    findLastChange: createLastChangeLookup(reader),
    encodingQueue: createTaskQueue(MAX_CONCURRENT_ENCODINGS),
    countTotal: createTotalCounter(reader),
    reportAllocatedBytes: createGarbageCollectionTrigger(),
  };
}
