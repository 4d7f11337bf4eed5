import type { FollowStatus } from '../../follow/follow-status.ts';
import {
  liveOperation,
  readyOperation,
  type UnavailableReason,
} from '../../operations/health/health-operations.ts';
import type { Store } from '../../store/open-store.ts';
import type { StoreHealth } from '../freshness/store-health.ts';
import type { Database } from '../pipeline/database.ts';
import type { DocumentRoute } from '../pipeline/route.ts';
import type { KeepAlive } from '../pipeline/server.ts';
import { createJsonHeaders, type HttpResponse } from '../responses/response.ts';
import type { ScrubView } from '../scrub/scrub-status.ts';

/** Whether a server can answer requests with data. */
export interface Readiness {
  /** Why not; empty where it is ready. */
  readonly reasons: readonly UnavailableReason[];
  /** The newest revision that is known; -1 where none is. */
  readonly revision: number;
  /** Names of what is damaged, if anything is. */
  readonly damaged?: readonly string[];
  readonly warnings?: readonly string[] | undefined;
  /** Given where the database follows another one. */
  readonly follow?: FollowStatus | undefined;
}

export const STARTING_READINESS: Readiness = { reasons: ['starting'], revision: -1 };

export interface ReadinessSources {
  readonly storeHealth: Pick<StoreHealth, 'unconfirmedSince' | 'isMigrated'>;
  readonly keepAlive: KeepAlive;
  readonly database: Pick<Database, 'responseCache' | 'scheduler'>;
  readonly scrub: ScrubView;
  readonly follow?: FollowStatus | undefined;
  readonly store?: Pick<Store, 'lacksReserve'>;
}

/** Readiness by what polling found: nothing is read, and one file looked for. */
export function findReadiness(sources: ReadinessSources): Readiness {
  const { storeHealth, keepAlive, database, scrub, follow } = sources;
  const reasons: UnavailableReason[] = [];
  if (keepAlive.isDraining) reasons.push('stopping');
  if (storeHealth.isMigrated) reasons.push('store_migrated');
  else if (storeHealth.unconfirmedSince !== undefined) reasons.push('store_unreachable');
  const { faults, damaged } = scrub.status();
  if (faults > 0 || damaged.length > 0) reasons.push('data_damaged');
  if (database.scheduler.background?.isStuck) reasons.push('threads_hung');
  const { revision } = database.responseCache;
  if (follow && revision === 0) reasons.push('catching_up');
  const warnings = sources.store?.lacksReserve?.() ? ['reserve_missing'] : undefined;
  // What was applied is served once polling has found it.
  const isEarly = follow?.state === 'following' && revision < follow.revision;
  return {
    ...{ reasons, revision, warnings, ...(damaged.length > 0 && { damaged }) },
    ...(follow && { follow: isEarly ? { ...follow, state: 'behind' } : follow }),
  };
}

/** Whether the process runs, and whether it can answer requests: open to all, and cheap. */
export function createHealthRoutes(getReadiness: () => Readiness): DocumentRoute[] {
  return [
    { path: liveOperation.path, isProbe: true, getDocument: () => LIVE_RESPONSE },
    {
      path: readyOperation.path,
      isProbe: true,
      getDocument: () => readyResponse(getReadiness()),
    },
  ];
}

/** 200 with the revision, or 503 with the reasons. */
export function readyResponse(readiness: Readiness): HttpResponse {
  const { reasons, revision, damaged, warnings, follow } = readiness;
  const { state, sourceRevision, problem } = follow ?? {};
  // Anybody may read it: it names no server.
  const others = { warnings, ...(follow && { follow: { state, sourceRevision, problem } }) };
  if (reasons.length === 0) return healthResponse(200, { status: 'ready', revision, ...others });
  const response = healthResponse(503, { status: 'unavailable', reasons, damaged, ...others });
  response.headers.set('Retry-After', '1');
  return response;
}

function healthResponse(status: number, body: object): HttpResponse {
  const headers = createJsonHeaders('no-store');
  return { status, body: JSON.stringify(body), headers, revision: null };
}

export const LIVE_RESPONSE = healthResponse(200, { status: 'live' });
