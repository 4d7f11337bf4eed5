import { getShippedCatalogue } from '../../catalogue/catalogues.ts';
import { PUBLIC_SCOPE } from '../../catalogue/model/dataset.ts';
import type { EmitEvent } from '../../event-log.ts';
import { createInitialStatus, type FollowStatus } from '../../follow/follow-status.ts';
import { EventStreams, getStreamLimits } from '../../operations/events/event-streams.ts';
import { openExportCache } from '../../operations/exports/export-cache.ts';
import type { Settings } from '../../settings.ts';
import { readFileLimit } from '../../shared/open-files.ts';
import {
  openSingleSignOn,
  type SingleSignOn,
  type SingleSignOnSettings,
} from '../../single-sign-on/single-sign-on.ts';
import type { Store, StoreMigratedError } from '../../store/open-store.ts';
import { createTokenRegistry, type TokenRegistry } from '../../tokens/token-registry.ts';
import type { SharedRevision } from '../freshness/shared-revision.ts';
import { DatasetMetrics } from '../monitoring/dataset-metrics.ts';
import { findReadiness } from '../monitoring/readiness.ts';
import { createServerMonitor, type ServerMonitor } from '../monitoring/server-monitor.ts';
import type { DatabaseOptions } from '../pipeline/database.ts';
import { RequestMetrics } from '../pipeline/request-metrics.ts';
import { limitAnonymousRequests } from '../pipeline/send-response.ts';
import { createServerParts, type RequestSettings } from '../pipeline/server.ts';
import type { SharedLimits } from '../rate-limiting/shared-limits.ts';
import { createGarbageCollectionTrigger } from '../responses/response.ts';
import type { ScrubNews } from '../scrub/scrub-status.ts';
import { Scrubber, type ScrubPace } from '../scrub/scrubber.ts';
import { openTls } from '../tls/tls-status.ts';
import { startFillingCurves } from './fill-curves.ts';
import { createServerGetter, listen, type RunningServer } from './listen.ts';
import { startPollingStore } from './poll-store.ts';
import { ReplaceableDatabase } from './replaceable-database.ts';
import { createDataRoutes, createRoutes, type RouteOptions } from './routes.ts';
import type { StartServingThread } from './thread/start-thread.ts';

type OwnSettings = Pick<Settings, 'host' | 'port' | 'tlsCert' | 'tlsKey' | 'scrubInterval'>;

export interface ServerOptions
  extends Pick<RouteOptions, 'sdkSource' | 'documentRoutes' | 'operations'> {
  readonly store: Store;
  readonly catalogue: DatabaseOptions['catalogue'];
  readonly settings: OwnSettings &
    RequestSettings &
    Pick<Settings, 'apiToken' | 'mcpOrigins' | 'sdmxAgency'> &
    Partial<Pick<Settings, 'exportCache' | 'follow'>> &
    Partial<SingleSignOnSettings>;
  readonly emit: EmitEvent;
  /** Given to each of several servers that share one port. */
  readonly sharedLimits?: Pick<SharedLimits, 'tokens' | 'addresses'>;
  readonly sharedRevision?: SharedRevision;
  /** Given to each of several servers, one of which scrubs: called with what others are to know. */
  readonly onScrubNews?: (news: ScrubNews) => void;
  /** How quickly it scrubs; by default at most 2 % of a core. */
  readonly scrubPace?: ScrubPace;
  /** How long no request may come before a stopping server closes connections; 0 by default. */
  readonly drainQuietMs?: number;
  /** Starts background threads; a worker of this process by default. */
  readonly startThread?: StartServingThread;
  /** Accepts requests; on the port of the settings by default. */
  readonly listen?: typeof listen;
}

export interface MonitoredServer extends RunningServer {
  readonly monitor: ServerMonitor;
  /** Resolves when a newer Tenor has migrated the store: the server is then to be stopped. */
  readonly migration: Promise<StoreMigratedError>;
  /** Takes note of how following another server goes. */
  setFollowStatus(status: FollowStatus): void;
}

export interface ScrubbingServer extends MonitoredServer {
  readonly scrubber: Scrubber;
}

/** Starts a server over a store. Stopping it closes the connections that it opened. */
export async function startServer(options: ServerOptions): Promise<ScrubbingServer> {
  const { store, catalogue, settings } = options;
  const emit = limitAnonymousRequests(options.emit);
  const tls = openTls(settings);
  const tokenStore = store.tokens();
  const singleSignOn = openSingleSignOn(settings, emit);
  const tokens = createTokenRegistry(tokenStore, settings.apiToken, singleSignOn);
  const eventStreams = new EventStreams(tokens, getStreamLimits(readFileLimit()));
  const exportCache = openExportCache(settings.exportCache, store.readerSource);
  let replaceable: ReplaceableDatabase | undefined;
  const scrubber = new Scrubber({
    getCatalogue: () => replaceable?.database.catalogues.current ?? getShippedCatalogue(catalogue),
    source: store.readerSource,
    intervalMs: settings.scrubInterval,
    pace: options.scrubPace,
    emit,
    onNews: options.onScrubNews,
    onDamage: (damaged) => {
      replaceable?.setDamaged(damaged);
      void exportCache?.drop(damaged);
    },
  });
  const metrics = new RequestMetrics();
  const getDataRoutes = createDataRoutes(options.operations, exportCache);
  const close = async () => {
    singleSignOn?.stop();
    await replaceable?.close();
    tokenStore.close();
  };
  try {
    replaceable = await ReplaceableDatabase.open(store, {
      catalogue,
      metrics,
      eventStreams,
      scrubber,
      emit,
      reportAllocatedBytes: createGarbageCollectionTrigger('concurrently'),
      sharedRevision: options.sharedRevision,
      startThread: options.startThread,
      isFollowing: Boolean(settings.follow),
    });
    await tokens.reload();
    replaceable.database.useSourceKeys(tokens.getSourceKeys());
    const parts = {
      emit,
      tls,
      tokens,
      eventStreams,
      scrubber,
      metrics,
      replaceable,
      getDataRoutes,
      singleSignOn,
    };
    const server = await startListening(options, parts);
    if (!options.onScrubNews) scrubber.start();
    const stopFilling = startFillingCurves(
      () => parts.replaceable.database,
      () => scrubber.isStarted,
    );
    return {
      ...server,
      scrubber,
      async stop() {
        stopFilling();
        scrubber.stop();
        eventStreams.stop();
        await server.stop();
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

interface ServerParts extends Pick<RouteOptions, 'getDataRoutes'> {
  readonly emit: EmitEvent;
  readonly tls: ReturnType<typeof openTls>;
  readonly tokens: TokenRegistry;
  readonly eventStreams: EventStreams;
  readonly scrubber: Scrubber;
  readonly metrics: RequestMetrics;
  readonly replaceable: ReplaceableDatabase;
  readonly singleSignOn: SingleSignOn | undefined;
}

/** Listens, and polls the store and the certificate for as long as it does. */
async function startListening(
  options: ServerOptions,
  parts: ServerParts,
): Promise<MonitoredServer> {
  const { store, settings, sharedLimits, drainQuietMs = 0 } = options;
  const { emit, tls, eventStreams, scrubber: scrub, replaceable, getDataRoutes } = parts;
  const shared = createServerParts(settings, { ...parts, sharedLimits });
  let follow = settings.follow ? createInitialStatus(settings.follow) : undefined;
  const getReadiness = () => findReadiness({ ...getServer(), scrub, follow, store });
  const revision = await replaceable.database.reader.revision();
  const { mcpOrigins, sdmxAgency } = settings;
  const getSignIn = () =>
    parts.singleSignOn?.describeSignIn(
      replaceable.database.catalogues.current.datasets
        .map(({ scope }) => scope)
        .filter((scope) => scope !== PUBLIC_SCOPE),
    );
  const getRoutes = createRoutes({
    ...options,
    getDataRoutes,
    eventStreams,
    getReadiness,
    tokens: parts.tokens,
    source: settings.follow,
    mcpOrigins,
    sdmxAgency,
    getSignIn,
  });
  const getServer = createServerGetter(replaceable, { ...shared, getDataRoutes }, getRoutes);
  const server = (options.listen ?? listen)(getServer, {
    ...settings,
    // With another certificate, another server listens on the port besides the first one.
    isPortShared: sharedLimits !== undefined || tls !== undefined,
    certificate: tls?.certificate,
    drainQuietMs,
  });
  const { storeHealth } = shared;
  const stopPolling = startPollingStore({ ...parts, storeHealth });
  const stopFollowing = tls?.follow(emit, server.replaceCertificate);
  emit({ event: 'service.started', address: server.address, revision });
  const datasetMetrics = new DatasetMetrics(() => replaceable.database);
  const monitor = createServerMonitor({
    getServer,
    getReadiness,
    store,
    connections: server,
    datasetMetrics,
    eventStreams,
    scrub,
    tls,
  });
  return {
    address: server.address,
    startDraining: server.startDraining,
    monitor,
    migration: storeHealth.migration,
    setFollowStatus(status) {
      follow = status;
    },
    async stop() {
      stopFollowing?.();
      await server.stop();
      await stopPolling();
      shared.auditLog?.close();
    },
  };
}
