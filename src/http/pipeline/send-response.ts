import { AbandonedError } from '../../shared/abandoned-error.ts';
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

/** Sets the headers that differ from request to request, and logs what was sent. */
export function sendResponse(exchange: Exchange, response: HttpResponse): Response {
  const { context, method } = exchange;
  const { status, body, headers, stream, revision } = response;
  if (revision !== null) context.data.newestRevision.shareWithOtherProcesses(revision);
  setRequestHeaders(exchange, response);
  // This copies headers, so one object serves all requests for a cached response.
  const fetchResponse = new Response(stream?.bytes ?? body, { status, headers });
  const isHead = method === 'HEAD';
  // Bun sets the date of every response but this one.
  if (isHead) fetchResponse.headers.set('Date', new Date(system.now()).toUTCString());
  if (context.keepAlive.isEnding) fetchResponse.headers.set('Connection', 'close');
  if (stream) recordStream(exchange, response, stream);
  else recordRequest(exchange, response, isHead || !body ? 0 : countBodyBytes(body));
  return fetchResponse;
}

/** Whatever is set for one request must be replaced or deleted for the next. */
function setRequestHeaders(
  { context, requestId, allowance }: Exchange,
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
  const { hasEverFailed, unconfirmedSince } = context.storeHealth;
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
  const { context, request, requestId, server } = exchange;
  server?.timeout(request, STREAM_IDLE_TIMEOUT_SECONDS);
  exchange.enterPhase('send');
  completion.then(({ bytes, createMs, cause, isTooSlow }) => {
    // The status is sent already: the cause can only be logged.
    if (cause !== undefined) failureResponse(exchange, cause);
    if (isTooSlow) context.log.emit({ event: 'request.stalled', requestId, bytes });
    exchange.timer?.move(createMs, 'send', 'read');
    recordRequest(exchange, response, bytes);
  });
}

/** The response to a failure. Its cause goes to the log with the request id, never to the client. */
export function failureResponse({ context, requestId }: Exchange, cause: unknown): HttpResponse {
  const { log, storeHealth } = context;
  if (cause instanceof AbandonedError) return ABANDONED_RESPONSE;
  if (cause instanceof OverloadedError) return OVERLOADED_RESPONSE;
  if (cause instanceof StoreUnavailableError) {
    // While the store is known to be unreachable, every request would log it.
    if (storeHealth.unconfirmedSince === undefined)
      log.emit({ event: 'store.unavailable', requestId, cause: cause.message });
    return errorResponse(new HttpError('temporarily_unavailable', {}, { 'Retry-After': '1' }));
  }
  const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  log.emit({ event: 'request.failed', requestId, cause: text });
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
