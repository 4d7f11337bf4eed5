import {
  liveOperation,
  readyOperation,
  type UnavailableReason,
} from '../../catalogue/operations/health.ts';
import type { FollowStatus } from '../../follow/follow-status.ts';
import type { StoreHealth } from '../freshness/store-health.ts';
import type { KeepAlive } from '../pipeline/request-context.ts';
import type { DataContext, DocumentRoute } from '../pipeline/route.ts';
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
  /** Given where the database follows another one. */
  readonly follow?: FollowStatus | undefined;
}

export const STARTING_READINESS: Readiness = { reasons: ['starting'], revision: -1 };

export interface ReadinessSources {
  readonly storeHealth: Pick<StoreHealth, 'unconfirmedSince' | 'isMigrated'>;
  readonly keepAlive: KeepAlive;
  readonly data: Pick<DataContext, 'responseCache' | 'isBackgroundStuck'>;
  readonly scrub: ScrubView;
  readonly follow?: FollowStatus | undefined;
}

/** Readiness by what polling found: nothing is read. */
export function findReadiness(sources: ReadinessSources): Readiness {
  const { storeHealth, keepAlive, data, scrub, follow } = sources;
  const reasons: UnavailableReason[] = [];
  if (keepAlive.isDraining) reasons.push('stopping');
  if (storeHealth.isMigrated) reasons.push('store_migrated');
  else if (storeHealth.unconfirmedSince !== undefined) reasons.push('store_unreachable');
  const { faults, damaged } = scrub.status();
  if (faults > 0 || damaged.length > 0) reasons.push('data_damaged');
  if (data.isBackgroundStuck()) reasons.push('threads_hung');
  const { revision } = data.responseCache;
  if (follow && revision === 0) reasons.push('catching_up');
  return { reasons, revision, ...(damaged.length > 0 && { damaged }), ...(follow && { follow }) };
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
export function readyResponse({ reasons, revision, damaged, follow }: Readiness): HttpResponse {
  const { state, sourceRevision, problem } = follow ?? {};
  // Anybody may read it: it names no server.
  const followed = follow && { follow: { state, sourceRevision, problem } };
  if (reasons.length === 0) return healthResponse(200, { status: 'ready', revision, ...followed });
  const response = healthResponse(503, { status: 'unavailable', reasons, damaged, ...followed });
  response.headers.set('Retry-After', '1');
  return response;
}

function healthResponse(status: number, body: object): HttpResponse {
  const headers = createJsonHeaders('no-store');
  return { status, body: JSON.stringify(body), headers, revision: null };
}

export const LIVE_RESPONSE = healthResponse(200, { status: 'live' });
