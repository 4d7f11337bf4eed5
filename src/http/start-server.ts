import type { Dataset } from '../catalogue/model/dataset.ts';
import type { EmitEvent } from '../event-log.ts';
import type { Settings } from '../settings.ts';
import { readFileLimit } from '../shared/open-files.ts';
import type { Store } from '../store/open-store.ts';
import { createTokenRegistry } from '../tokens/token-registry.ts';
import { createGarbageCollectionTrigger } from './background/garbage-collection.ts';
import { EventStreams, getStreamLimits } from './events/event-streams.ts';
import { listen, type RunningServer } from './listen.ts';
import { createDatasetMetrics } from './monitoring/dataset-metrics.ts';
import { RequestMetrics } from './monitoring/request-metrics.ts';
import { createServerMonitor, type ServerMonitor } from './monitoring/server-monitor.ts';
import { createFailedAuthLimiter } from './rate-limiting/failed-auth-limiter.ts';
import { createRateLimiter } from './rate-limiting/rate-limiter.ts';
import type { SharedLimits } from './rate-limiting/shared-limits.ts';
import { createRoutes } from './routes.ts';
import { createFollowedContext, type FollowedContext } from './runtime/follow-database.ts';
import { limitAnonymousRequests } from './runtime/limit-anonymous-requests.ts';
import { startPollingStore } from './runtime/poll-store.ts';
import type { SharedRevision } from './runtime/shared-revision.ts';
import type { ScrubFindings } from './scrub/scrub-status.ts';
import { Scrubber } from './scrub/scrubber.ts';
import type { ServerContextOptions } from './server-context.ts';
import { openTls } from './tls/tls-status.ts';

export interface ServerOptions {
  readonly store: Store;
  readonly catalogue: readonly Dataset[];
  readonly settings: Pick<
    Settings,
    'host' | 'port' | 'apiToken' | 'rateLimit' | 'tlsCert' | 'tlsKey' | 'scrubInterval'
  > &
    ServerContextOptions['settings'];
  readonly emit: EmitEvent;
  /** Given to each of several servers that share one port. */
  readonly sharedLimits?: Pick<SharedLimits, 'tokens' | 'addresses'>;
  readonly sharedRevision?: SharedRevision;
  /** Given to each of several servers, one of which scrubs: called with what it finds. */
  readonly onScrubFindings?: (findings: ScrubFindings) => void;
  /** How long no request may come before a stopping server closes connections; 0 by default. */
  readonly drainQuietMs?: number;
}

export interface MonitoredServer extends RunningServer {
  readonly monitor: ServerMonitor;
}

export interface ScrubbingServer extends MonitoredServer {
  readonly scrubber: Scrubber;
}

/** Starts a server over a store. Stopping it closes the connections that it opened. */
export async function startServer(options: ServerOptions): Promise<ScrubbingServer> {
  const { store, catalogue, settings, sharedLimits, sharedRevision } = options;
  const emit = limitAnonymousRequests(options.emit);
  const tls = openTls(settings);
  const tokenStore = store.tokens();
  const scrubber = new Scrubber({
    source: store.readerSource,
    intervalMs: settings.scrubInterval,
    emit,
    onFindings: options.onScrubFindings,
  });
  let followed: FollowedContext | undefined;
  const close = async () => {
    await followed?.close();
    tokenStore.close();
  };
  try {
    const tokenRegistry = createTokenRegistry(tokenStore, settings.apiToken);
    const limits = getStreamLimits(readFileLimit());
    const eventStreams = new EventStreams(catalogue, tokenRegistry, limits);
    followed = await createFollowedContext(store, {
      catalogue,
      reportAllocatedBytes: createGarbageCollectionTrigger('concurrently'),
      tokens: tokenRegistry,
      eventStreams,
      rateLimiter: createRateLimiter(settings.rateLimit, undefined, sharedLimits?.tokens),
      failedAuthLimiter: createFailedAuthLimiter(undefined, sharedLimits?.addresses),
      requestMetrics: new RequestMetrics(),
      scrub: scrubber,
      emit,
      settings,
      ...(sharedRevision && { sharedRevision }),
      ...(tls && { tls }),
    });
    const { reader, tokens } = followed.get();
    const revision = await reader.revision();
    await tokens.reload();
    const server = listen(followed.get, createRoutes(catalogue), {
      ...settings,
      // With another certificate, another server listens on the port beside the first one.
      isPortShared: sharedLimits !== undefined || tls !== undefined,
      certificate: tls?.certificate,
      drainQuietMs: options.drainQuietMs ?? 0,
    });
    const stopPolling = startPollingStore(followed);
    const stopFollowing = tls?.follow(emit, server.replaceCertificate);
    emit({ event: 'service.started', address: server.address, revision });
    if (!options.onScrubFindings) scrubber.start();
    const getContext = followed.get;
    const datasetMetrics = createDatasetMetrics(catalogue, getContext);
    return {
      address: server.address,
      monitor: createServerMonitor({ getContext, store, connections: server, datasetMetrics }),
      scrubber,
      async stop() {
        scrubber.stop();
        stopFollowing?.();
        eventStreams.stop();
        await server.stop();
        await stopPolling();
        await close();
        emit({ event: 'service.stopped' });
      },
    };
  } catch (cause) {
    // Open connections would keep the process alive.
    await close();
    throw cause;
  }
}
