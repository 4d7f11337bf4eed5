import type { Dataset } from '../catalogue/model/dataset.ts';
import type { EmitEvent } from '../event-log.ts';
import type { Settings } from '../settings.ts';
import type { Store } from '../store/open-store.ts';
import { createTokenRegistry } from '../tokens/token-registry.ts';
import { createBackgroundThread } from './background/background-thread.ts';
import { createGarbageCollectionTrigger } from './background/garbage-collection.ts';
import { listen, type RunningServer } from './listen.ts';
import { createFailedAuthLimiter } from './rate-limiting/failed-auth-limiter.ts';
import { createRateLimiter } from './rate-limiting/rate-limiter.ts';
import type { SharedLimits } from './rate-limiting/shared-limits.ts';
import { createRoutes } from './routes.ts';
import { limitAnonymousRequests } from './runtime/limit-anonymous-requests.ts';
import { startPollingStore } from './runtime/poll-store.ts';
import { createServerContext } from './server-context.ts';

export interface ServerOptions {
  readonly store: Store;
  readonly catalogue: readonly Dataset[];
  readonly settings: Pick<Settings, 'host' | 'port' | 'apiToken' | 'rateLimit' | 'maxConnections'>;
  readonly emit: EmitEvent;
  /** Given to each of several servers that share one port. */
  readonly sharedLimits?: Pick<SharedLimits, 'tokens' | 'addresses'>;
  /** How long no request may come before a stopping server closes connections; 0 by default. */
  readonly drainQuietMs?: number;
}

/** Starts a server over a store. Stopping it closes the connections that it opened. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { store, catalogue, settings, sharedLimits } = options;
  const emit = limitAnonymousRequests(options.emit);
  const reader = store.reader();
  const tokenStore = store.tokens();
  const reportAllocatedBytes = createGarbageCollectionTrigger('concurrently');
  const background =
    store.readerSource && createBackgroundThread(store.readerSource, reader, reportAllocatedBytes);
  const close = () => {
    reader.close();
    tokenStore.close();
  };
  try {
    const context = await createServerContext(reader, {
      catalogue,
      reportAllocatedBytes,
      ...(background && { backgroundJobs: background }),
      tokens: createTokenRegistry(tokenStore, settings.apiToken),
      rateLimiter: createRateLimiter(settings.rateLimit, undefined, sharedLimits?.tokens),
      failedAuthLimiter: createFailedAuthLimiter(undefined, sharedLimits?.addresses),
      emit,
    });
    const revision = await reader.revision();
    context.responseCache.advanceTo(revision);
    await context.tokens.reload();
    const isPortShared = sharedLimits !== undefined;
    const server = listen(context, createRoutes(catalogue), {
      ...settings,
      isPortShared,
      drainQuietMs: options.drainQuietMs ?? 0,
    });
    const stopPolling = startPollingStore(context);
    emit({ event: 'service.started', address: server.address, revision });
    return {
      address: server.address,
      async stop() {
        await server.stop();
        await stopPolling();
        await background?.stop();
        close();
        emit({ event: 'service.stopped' });
      },
    };
  } catch (cause) {
    // Open connections would keep the process alive.
    close();
    throw cause;
  }
}
