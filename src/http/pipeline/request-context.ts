import { Catalogues } from '../../catalogue/catalogues.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { EmitEvent } from '../../event-log.ts';
import type { Settings } from '../../settings.ts';
import type { StoreReader } from '../../store/open-store.ts';
import type { AuthenticationContext } from '../authentication/authenticate.ts';
import { createJobs, type Jobs, type ReportAllocatedBytes } from '../background/jobs.ts';
import { createJobScheduler } from '../background/schedule-job.ts';
import { NewestRevision } from '../freshness/newest-revision.ts';
import type { SharedRevision } from '../freshness/shared-revision.ts';
import { StoreHealth } from '../freshness/store-health.ts';
import { FailedAuthLimiter } from '../rate-limiting/failed-auth-limiter.ts';
import { createRateLimiter, type RateLimiter } from '../rate-limiting/rate-limiter.ts';
import type { SharedLimits } from '../rate-limiting/shared-limits.ts';
import { createClientAddressFinder, type FindClientAddress } from '../request/client-address.ts';
import { createCursorCodec } from '../request/cursor-codec.ts';
import { ResponseCache } from '../responses/response-cache.ts';
import { createStoreLookups } from '../responses/store-lookups.ts';
import { KnownDamage, type ReadObserver } from '../scrub/known-damage.ts';
import type { RequestMetrics } from './request-metrics.ts';
import type { DataContext, GetDataRoutes } from './route.ts';

/** The surroundings of a request. */
export interface RequestContext {
  readonly data: DataContext;
  readonly admission: Admission;
  readonly log: RequestLog;
  readonly storeHealth: StoreHealth;
  readonly keepAlive: KeepAlive;
  /** Notices a database that was replaced. Absent where none is followed, as in a command. */
  readonly followDatabase?: () => Promise<unknown>;
}

/** Decides who may send requests, and how many. */
interface Admission extends AuthenticationContext {
  readonly rateLimiter: RateLimiter;
  readonly findClientAddress: FindClientAddress;
}

/** Counts requests, and logs those that the settings name. */
interface RequestLog {
  readonly emit: EmitEvent;
  readonly metrics: RequestMetrics;
  /** The lowest status of the requests that are logged. */
  readonly minStatus: number;
  /** Requests that take longer are logged with where the time went. */
  readonly slowRequestMs: number;
  /** Whether each line has the address of the client, not only those of errors. */
  readonly hasAllAddresses: boolean;
}

/** Whether connections stay open after a response. */
export interface KeepAlive {
  /** Whether the server is about to stop: balancers are to send requests elsewhere. */
  isDraining: boolean;
  /** Whether each response closes its connection. */
  isEnding: boolean;
  lastRequestMs: number;
}

const RESPONSE_CACHE_BYTES = 24 * 1024 * 1024;

export interface DataContextOptions {
  /** The datasets that ship with the program. */
  readonly catalogue: readonly Dataset[];
  /** Those that were read before, where the reader can read none. */
  readonly catalogues?: Catalogues;
  readonly getDataRoutes: GetDataRoutes;
  readonly metrics: RequestMetrics;
  readonly emit: EmitEvent;
  /** Absent where all work is done on the calling thread. */
  readonly backgroundJobs?: (Jobs & { readonly isStuck: boolean }) | undefined;
  readonly reportAllocatedBytes: ReportAllocatedBytes;
  /** Given to each of several servers that share one port. */
  readonly sharedRevision?: SharedRevision | undefined;
  /** Absent where nothing is scrubbed, as in a command. */
  readonly scrubber?: ReadObserver;
}

/** Assembles what serves data over a reader. */
export async function createDataContext(
  reader: StoreReader,
  options: DataContextOptions,
): Promise<DataContext> {
  const { backgroundJobs, metrics, emit, sharedRevision, getDataRoutes } = options;
  const jobCounts = { running: 0, waiting: 0 };
  const inlineJobs = createJobs(reader, options.reportAllocatedBytes);
  const catalogues = options.catalogues ?? new Catalogues(options.catalogue, reader);
  const responseCache = new ResponseCache(RESPONSE_CACHE_BYTES);
  const secret = await reader.secret();
  if (!options.catalogues) await catalogues.advanceTo(await reader.revision());
  const shared = sharedRevision?.select(secret);
  return {
    ...createStoreLookups(reader),
    reader,
    ...{ catalogues, getDataRoutes },
    newestRevision: new NewestRevision(reader, responseCache, catalogues, emit, shared),
    damage: new KnownDamage(options.scrubber),
    responseCache,
    cacheCounts: metrics,
    cursors: createCursorCodec(secret),
    scheduleJob: createJobScheduler(inlineJobs, backgroundJobs, jobCounts),
    jobCounts,
    exportFile: (...values) => (backgroundJobs ?? inlineJobs).exportFile(...values),
    isBackgroundStuck: () => backgroundJobs?.isStuck === true,
  };
}

export type RequestSettings = Pick<
  Settings,
  'rateLimit' | 'logRequests' | 'logSlowMs' | 'logAddresses' | 'trustedProxies'
>;

const MIN_LOGGED_STATUS: Readonly<Record<Settings['logRequests'], number>> = {
  all: 0,
  errors: 400,
  off: Number.POSITIVE_INFINITY,
};

interface SharedContextOptions
  extends Pick<RequestLog, 'emit' | 'metrics'>,
    Pick<Admission, 'tokens'> {
  /** Given to each of several servers that share one port. */
  readonly sharedLimits?: Pick<SharedLimits, 'tokens' | 'addresses'> | undefined;
}

/** The part of a context that stays the same whichever database is served. */
export function createSharedContext(
  { rateLimit, trustedProxies, logRequests, logSlowMs, logAddresses }: RequestSettings,
  { tokens, emit, metrics, sharedLimits }: SharedContextOptions,
): Omit<RequestContext, 'data'> {
  return {
    admission: {
      tokens,
      rateLimiter: createRateLimiter(rateLimit, undefined, sharedLimits?.tokens),
      failedAuthLimiter: new FailedAuthLimiter(undefined, sharedLimits?.addresses),
      findClientAddress: createClientAddressFinder(trustedProxies),
    },
    log: {
      ...{ emit, metrics },
      minStatus: MIN_LOGGED_STATUS[logRequests],
      slowRequestMs: logSlowMs,
      hasAllAddresses: logAddresses === 'all',
    },
    storeHealth: new StoreHealth(emit),
    keepAlive: { isDraining: false, isEnding: false, lastRequestMs: Number.NEGATIVE_INFINITY },
  };
}
