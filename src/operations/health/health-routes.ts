import type { FollowStatus } from '../../follow/follow-status.ts';
import type { DocumentRoute } from '../../http/pipeline/route.ts';
import { createJsonHeaders, type HttpResponse } from '../../http/responses/response.ts';
import {
  liveOperation,
  type ReadinessWarning,
  readyOperation,
  type UnavailableReason,
} from './health-operations.ts';

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

/** Whether a server can answer requests with data. */
export interface Readiness {
  /** Why not; empty if it is ready. */
  readonly reasons: readonly UnavailableReason[];
  /** The newest revision that is known; -1 if none is. */
  readonly revision: number;
  /** Names of what is damaged, if anything is. */
  readonly damaged?: readonly string[];
  readonly warnings?: readonly ReadinessWarning[] | undefined;
  /** Given if the database follows another one. */
  readonly follow?: FollowStatus | undefined;
}

/** 200 with the revision, or 503 with the reasons. */
export function readyResponse(readiness: Readiness): HttpResponse {
  const { reasons, revision, damaged, warnings, follow } = readiness;
  const { state, sourceRevision, problem, sharing } = follow ?? {};
  // Anybody may read it: it names no server.
  const others = {
    warnings,
    ...(follow && { follow: { state, sourceRevision, problem, sharing } }),
  };
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
