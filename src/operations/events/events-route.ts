import { LEDGER } from '../../check/check-ledger.ts';
import { HttpError } from '../../http/http-error.ts';
import { type Database, withHistoryHeaders } from '../../http/pipeline/database.ts';
import type { CustomRoute } from '../../http/pipeline/route.ts';
import { createBaseHeaders } from '../../http/responses/cors.ts';
import { errorResponse, type HttpResponse } from '../../http/responses/response.ts';
import { DAMAGED_ERROR } from '../../http/scrub/known-damage.ts';
import type { EventStreams } from './event-streams.ts';
import { EVENT_STREAM_TYPE, eventsOperation } from './events-operation.ts';

const LAST_EVENT_ID = 'Last-Event-ID';

/** The operation that sends an event for each new revision. */
export function createEventsRoute(eventStreams: EventStreams): CustomRoute {
  return {
    path: eventsOperation.path,
    operation: eventsOperation,
    parameters: eventsOperation.parameters,
    async respond({ database, principal, headers, method, signal }) {
      if (database.damage.covers([LEDGER])) return errorResponse(DAMAGED_ERROR);
      const range = await resolveRange(database, headers.get(LAST_EVENT_ID));
      if (range instanceof HttpError) return errorResponse(range);
      const since = headers.has(LAST_EVENT_ID) ? range.after : undefined;
      const response = await withHistoryHeaders(
        database,
        createEventsResponse(range.newest),
        since,
      );
      // Another database may have taken the place of the one that was read, whose streams have ended.
      if (database.newestRevision.isRetired) return errorResponse(OBSTACLE_ERRORS.stopping);
      if (method === 'HEAD') {
        // Without this header Bun would say that the body is empty.
        response.headers.set('Transfer-Encoding', 'chunked');
        return response;
      }
      const obstacle = eventStreams.findObstacle(principal);
      if (obstacle) return errorResponse(OBSTACLE_ERRORS[obstacle]);
      const stream = eventStreams.open({ source: database, principal, signal, ...range });
      return { ...response, stream };
    },
  };
}

async function resolveRange({ newestRevision, reader }: Database, lastEventId: string | null) {
  const isNumber = lastEventId !== null && /^\d{1,9}$/.test(lastEventId);
  // Another process or machine may have sent it already.
  if (isNumber) await newestRevision.awaitRevision(Number(lastEventId));
  const newest = await reader.revision();
  await newestRevision.advanceTo(newest);
  if (lastEventId === null) return { after: newest, newest };
  if (isNumber && Number(lastEventId) <= newest) return { after: Number(lastEventId), newest };
  return new HttpError('bad_header', {
    header: LAST_EVENT_ID,
    allowed: `the number of a revision that there is, from 0 to ${newest}`,
  });
}

function createEventsResponse(revision: number): HttpResponse {
  const headers = createBaseHeaders({
    'Content-Type': EVENT_STREAM_TYPE,
    'Cache-Control': 'no-store',
    'Tenor-Revision': String(revision),
    // Proxies such as nginx would hold events back until they have many.
    'X-Accel-Buffering': 'no',
  });
  return { status: 200, body: null, headers, revision };
}

type Obstacle = NonNullable<ReturnType<EventStreams['findObstacle']>>;

const OBSTACLE_ERRORS: Readonly<Record<Obstacle, HttpError>> = {
  tooManyOfToken: new HttpError('too_many_requests', {}, { 'Retry-After': '10' }),
  tooMany: new HttpError('temporarily_unavailable', {}, { 'Retry-After': '10' }),
  stopping: new HttpError('temporarily_unavailable', {}, { 'Retry-After': '1' }),
};
