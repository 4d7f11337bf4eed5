import { liveOperation, readyOperation } from '../../catalogue/operations/health.ts';
import type { DocumentRoute } from '../pipeline/route.ts';
import { createJsonHeaders, type HttpResponse } from '../responses/response.ts';
import type { Readiness } from './readiness.ts';

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
export function readyResponse({ reasons, revision }: Readiness): HttpResponse {
  if (reasons.length === 0) return healthResponse(200, { status: 'ready', revision });
  const response = healthResponse(503, { status: 'unavailable', reasons });
  response.headers.set('Retry-After', '1');
  return response;
}

function healthResponse(status: number, body: object): HttpResponse {
  const headers = createJsonHeaders('no-store');
  return { status, body: JSON.stringify(body), headers, revision: null };
}

export const LIVE_RESPONSE = healthResponse(200, { status: 'live' });
