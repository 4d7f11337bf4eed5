import type { EmitEvent } from '../../event-log.ts';
import type { Settings } from '../../settings.ts';
import type { AuthenticationContext } from '../authentication/authenticate.ts';
import { StoreHealth } from '../freshness/store-health.ts';
import { FailedAuthLimiter } from '../rate-limiting/failed-auth-limiter.ts';
import { createRateLimiter, type RateLimiter } from '../rate-limiting/rate-limiter.ts';
import type { SharedLimits } from '../rate-limiting/shared-limits.ts';
import { createClientAddressFinder, type FindClientAddress } from '../request/client-address.ts';
import { AuditLog } from './audit-log.ts';
import type { Database } from './database.ts';
import type { RequestMetrics } from './request-metrics.ts';

/** The surroundings of a request: settings, limits, log, and the database that is there now. */
export interface Server {
  readonly database: Database;
  readonly admission: Admission;
  readonly log: RequestLog;
  /** Absent unless the settings name a file. */
  readonly auditLog?: AuditLog | undefined;
  readonly storeHealth: StoreHealth;
  readonly keepAlive: KeepAlive;
  /** Notices a database that was replaced. Absent in a command. */
  readonly reopenDatabase?: () => Promise<unknown>;
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

export type RequestSettings = Pick<
  Settings,
  'rateLimit' | 'logRequests' | 'logSlowMs' | 'logAddresses' | 'trustedProxies'
> &
  Partial<Pick<Settings, 'auditLog'>>;

const MIN_LOGGED_STATUS: Readonly<Record<Settings['logRequests'], number>> = {
  all: 0,
  errors: 400,
  off: Number.POSITIVE_INFINITY,
};

interface ServerParts extends Pick<RequestLog, 'emit' | 'metrics'>, Pick<Admission, 'tokens'> {
  /** Given to each of several servers that share one port. */
  readonly sharedLimits?: Pick<SharedLimits, 'tokens' | 'addresses'> | undefined;
}

/** The part of a server that stays the same whichever database is served. */
export function createServerParts(
  { rateLimit, trustedProxies, logRequests, logSlowMs, logAddresses, auditLog }: RequestSettings,
  { tokens, emit, metrics, sharedLimits }: ServerParts,
): Omit<Server, 'database'> {
  return {
    admission: {
      tokens,
      rateLimiter: createRateLimiter(rateLimit, undefined, sharedLimits?.tokens),
      failedAuthLimiter: new FailedAuthLimiter(undefined, sharedLimits?.addresses),
      findClientAddress: createClientAddressFinder(trustedProxies),
    },
    log: {
      emit,
      metrics,
      minStatus: MIN_LOGGED_STATUS[logRequests],
      slowRequestMs: logSlowMs,
      hasAllAddresses: logAddresses === 'all',
    },
    auditLog: auditLog ? new AuditLog(auditLog, emit) : undefined,
    storeHealth: new StoreHealth(emit),
    keepAlive: { isDraining: false, isEnding: false, lastRequestMs: Number.NEGATIVE_INFINITY },
  };
}
