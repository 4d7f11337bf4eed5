import type { Dataset } from '../catalogue/model/dataset.ts';
import type { EmitEvent } from '../event-log.ts';
import type { Settings } from '../settings.ts';
import type { StoreReader } from '../store/open-store.ts';
import type { TokenRegistry } from '../tokens/token-registry.ts';
import type { JobCounts } from './background/job-queue.ts';
import { createJobs, type Jobs, type ReportAllocatedBytes } from './background/jobs.ts';
import { createJobScheduler, type ScheduleJob } from './background/schedule-job.ts';
import type { EventStreams } from './events/event-streams.ts';
import type { RequestMetrics } from './monitoring/request-metrics.ts';
import type { FailedAuthLimiter } from './rate-limiting/failed-auth-limiter.ts';
import type { RateLimiter } from './rate-limiting/rate-limiter.ts';
import { createClientAddressFinder, type FindClientAddress } from './request/client-address.ts';
import { type CursorCodec, createCursorCodec } from './request/cursor-codec.ts';
import { createResponseCache, type ResponseCache } from './responses/response-cache.ts';
import { createStoreLookups, type StoreLookups } from './responses/store-lookups.ts';
import { createKeepAlive, type KeepAlive } from './runtime/keep-alive.ts';
import type { SharedRevision } from './runtime/shared-revision.ts';
import { createStoreHealth, type StoreHealth } from './runtime/store-health.ts';
import type { ScrubView } from './scrub/scrub-status.ts';
import type { TlsStatus } from './tls/tls-status.ts';

/** What handling a request needs. */
export interface ServerContext extends StoreLookups {
  readonly reader: StoreReader;
  readonly storeHealth: StoreHealth;
  readonly keepAlive: KeepAlive;
  readonly tokens: TokenRegistry;
  readonly rateLimiter: RateLimiter;
  readonly failedAuthLimiter: FailedAuthLimiter;
  readonly requestMetrics: RequestMetrics;
  readonly scrub: ScrubView;
  readonly eventStreams: EventStreams;
  readonly cursors: CursorCodec;
  readonly responseCache: ResponseCache;
  readonly scheduleJob: ScheduleJob;
  readonly jobCounts: JobCounts;
  /** Creates files of complete datasets. */
  readonly exportFile: Jobs['exportFile'];
  /** Given to each of several servers that share one port. */
  readonly sharedRevision?: SharedRevision;
  /** Absent where connections are not encrypted. */
  readonly tls?: TlsStatus;
  readonly emit: EmitEvent;
  /** The lowest status of the requests that are logged. */
  readonly minLoggedStatus: number;
  /** Requests that take longer are logged with where the time went. */
  readonly slowRequestMs: number;
  /** Whether each line of a request has the address of the client, not only those of errors. */
  readonly logsAllAddresses: boolean;
  readonly findClientAddress: FindClientAddress;
  /** Whose web pages may send messages to /mcp. */
  readonly mcpOrigins: ReadonlySet<string>;
}

const MIN_LOGGED_STATUS: Readonly<Record<Settings['logRequests'], number>> = {
  all: 0,
  errors: 400,
  off: Number.POSITIVE_INFINITY,
};

const RESPONSE_CACHE_BYTES = 24 * 1024 * 1024;

export interface ServerContextOptions
  extends Pick<
    ServerContext,
    | 'tokens'
    | 'rateLimiter'
    | 'failedAuthLimiter'
    | 'requestMetrics'
    | 'scrub'
    | 'eventStreams'
    | 'emit'
    | 'sharedRevision'
    | 'tls'
  > {
  readonly catalogue: readonly Dataset[];
  /** Absent where all work is done on the calling thread. */
  readonly backgroundJobs?: Jobs;
  readonly reportAllocatedBytes: ReportAllocatedBytes;
  readonly settings: Pick<
    Settings,
    'logRequests' | 'logSlowMs' | 'logAddresses' | 'trustedProxies' | 'mcpOrigins'
  >;
}

/** Assembles a context over a reader. */
export async function createServerContext(
  reader: StoreReader,
  { catalogue, backgroundJobs, reportAllocatedBytes, settings, ...options }: ServerContextOptions,
): Promise<ServerContext> {
  const jobCounts = { running: 0, waiting: 0 };
  const inlineJobs = createJobs(reader, catalogue, reportAllocatedBytes);
  return {
    ...options,
    ...createStoreLookups(reader),
    reader,
    storeHealth: createStoreHealth(options.emit),
    keepAlive: createKeepAlive(),
    cursors: createCursorCodec(await reader.secret()),
    responseCache: createResponseCache(RESPONSE_CACHE_BYTES),
    jobCounts,
    scheduleJob: createJobScheduler(inlineJobs, backgroundJobs, jobCounts),
    minLoggedStatus: MIN_LOGGED_STATUS[settings.logRequests],
    slowRequestMs: settings.logSlowMs,
    logsAllAddresses: settings.logAddresses === 'all',
    findClientAddress: createClientAddressFinder(settings.trustedProxies),
    mcpOrigins: settings.mcpOrigins,
    exportFile: (backgroundJobs ?? inlineJobs).exportFile,
  };
}
