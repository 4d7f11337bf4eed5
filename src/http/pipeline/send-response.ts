import { AbandonedError } from '../../shared/abandoned-error.ts';
import { formatCause } from '../../shared/format-cause.ts';
import { OverloadedError } from '../../shared/overloaded-error.ts';
import { system } from '../../shared/system.ts';
import { StoreUnavailableError } from '../../store/open-store.ts';
import { HttpError } from '../http-error.ts';
import { formatRateLimit } from '../rate-limiting/rate-limiter.ts';
import { countBodyBytes, errorResponse, type HttpResponse } from '../responses/response.ts';
import type { Exchange } from './exchange.ts';
import { recordRequest } from './record-request.ts';

/** For Bun, which would give up clients that read slowly after a minute; see `file-stream.ts`. */
const STREAM_IDLE_TIMEOUT_SECONDS = 240;

/** A second, by which its timer sets it, and whatever keeps that from running. */
const MAX_DATE_LAG_MS = 10_000;

/** Sets the headers that differ from request to request, and logs what was sent. */
export function sendResponse(exchange: Exchange, response: HttpResponse): Response {
  const { server, method } = exchange;
  const { status, body, headers, stream, revision } = response;
  if (revision !== null) exchange.database.newestRevision.shareWithOtherProcesses(revision);
  setRequestHeaders(exchange, response);
  // This copies headers, so one object serves all requests for a cached response.
  const fetchResponse = new Response(stream?.bytes ?? body, { status, headers });
  const isHead = method === 'HEAD';
  const modifiedMs = findModifiedMs(response);
  const nowMs = system.now();
  // Bun sets the date of every other response, which may be a little late.
  if (isHead || modifiedMs > nowMs - MAX_DATE_LAG_MS) {
    const date = new Date(nowMs).toUTCString();
    fetchResponse.headers.set('Date', date);
    // The clock of the publisher was ahead, or this one is behind.
    if (modifiedMs > nowMs) fetchResponse.headers.set('Last-Modified', date);
  }
  if (server.keepAlive.isEnding) fetchResponse.headers.set('Connection', 'close');
  if (stream) recordStream(exchange, response, stream);
  else recordRequest(exchange, response, isHead || !body ? 0 : countBodyBytes(body));
  return fetchResponse;
}

/** NaN if the response does not say. Reading the header takes longer. */
function findModifiedMs({ validators, headers }: HttpResponse): number {
  return validators
    ? (validators.modified?.atMs ?? Number.NaN)
    : Date.parse(headers.get('Last-Modified') ?? '');
}

/** Whatever is set for one request must be replaced or deleted for the next. */
function setRequestHeaders(
  { server, requestId, allowance }: Exchange,
  { headers, revision }: HttpResponse,
): void {
  headers.set('X-Request-Id', requestId);
  if (allowance) {
    // Reading a header takes a fraction of the time of setting it, and nearly all clients have the same policy.
    if (headers.get('RateLimit-Policy') !== allowance.policy)
      headers.set('RateLimit-Policy', allowance.policy);
    headers.set('RateLimit', formatRateLimit(allowance));
  } else {
    headers.delete('RateLimit-Policy');
    headers.delete('RateLimit');
  }
  const { hasEverFailed, unconfirmedSince } = server.storeHealth;
  if (!hasEverFailed) return;
  // Data that is served while the store is unreachable may be out of date.
  if (unconfirmedSince !== undefined && revision !== null)
    headers.set(UNCONFIRMED_HEADER, unconfirmedSince);
  else headers.delete(UNCONFIRMED_HEADER);
}

const UNCONFIRMED_HEADER = 'Tenor-Unconfirmed-Since';

function recordStream(
  exchange: Exchange,
  response: HttpResponse,
  { completion }: NonNullable<HttpResponse['stream']>,
): void {
  const { server, request, requestId, connection } = exchange;
  connection?.timeout(request, STREAM_IDLE_TIMEOUT_SECONDS);
  exchange.enterPhase('send');
  completion.then(({ bytes, createMs, cause, isTooSlow }) => {
    // The status is sent already: the cause can only be logged.
    if (cause !== undefined) failureResponse(exchange, cause);
    if (isTooSlow) server.log.emit({ event: 'request.stalled', requestId, bytes });
    exchange.timer?.move(createMs, 'send', 'read');
    recordRequest(exchange, response, bytes);
  });
}

/** The response to a failure. Its cause goes to the log with the request id, never to the client. */
export function failureResponse({ server, requestId }: Exchange, cause: unknown): HttpResponse {
  const { log, storeHealth } = server;
  if (cause instanceof AbandonedError) return ABANDONED_RESPONSE;
  if (cause instanceof OverloadedError) return OVERLOADED_RESPONSE;
  if (cause instanceof StoreUnavailableError) {
    // While the store is known to be unreachable, every request would log it.
    if (storeHealth.unconfirmedSince === undefined)
      log.emit({ event: 'store.unavailable', requestId, cause: cause.message });
    return errorResponse(new HttpError('temporarily_unavailable', {}, { 'Retry-After': '1' }));
  }
  log.emit({ event: 'request.failed', requestId, cause: formatCause(cause) });
  return errorResponse(new HttpError('internal_error'));
}

/** For the log only: the client has gone. */
const ABANDONED_RESPONSE: HttpResponse = {
  status: 499,
  body: null,
  headers: new Headers(),
  revision: null,
};
const OVERLOADED_RESPONSE = errorResponse(
  new HttpError('temporarily_unavailable', {}, { 'Retry-After': '5' }),
);
