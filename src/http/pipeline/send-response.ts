import { getObservationsPath, OBSERVATIONS_PATH } from '../../catalogue/model/observations.ts';
import type { EmitEvent, RequestDetails } from '../../event-log.ts';
import { AbandonedError } from '../../shared/abandoned-error.ts';
import { formatCause } from '../../shared/format-cause.ts';
import { OverloadedError } from '../../shared/overloaded-error.ts';
import { system } from '../../shared/system.ts';
import { StoreUnavailableError } from '../../store/open-store.ts';
import { HttpError } from '../http-error.ts';
import { formatRateLimit } from '../rate-limiting/rate-limiter.ts';
import type { PhaseDurations } from '../request/phase-timer.ts';
import { formatTraceResponse } from '../request/request-headers.ts';
import { countBodyBytes, errorResponse, type HttpResponse } from '../responses/response.ts';
import { ANONYMOUS, type Exchange } from './exchange.ts';
import { recordAudit } from './record-audit.ts';

/** For Bun, which would give up clients that read slowly after a minute; see `file-stream.ts`. */
const STREAM_IDLE_TIMEOUT_SECONDS = 240;

/** A second, by which its timer sets it, and whatever keeps that from running. */
const MAX_DATE_LAG_MS = 10_000;

/** Sets the headers that differ from request to request, and logs what was sent. */
export function sendResponse(exchange: Exchange, read: HttpResponse): Response {
  const { server, method } = exchange;
  const response = server.auditLog ? audit(exchange, read) : read;
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
  if (exchange.trace)
    fetchResponse.headers.set('traceresponse', formatTraceResponse(exchange.trace));
  if (server.keepAlive.isEnding) fetchResponse.headers.set('Connection', 'close');
  if (stream) recordStream(exchange, response, stream);
  else recordRequest(exchange, response, isHead || !body ? 0 : countBodyBytes(body));
  return fetchResponse;
}

/** The response if the audit log has it; otherwise a failure. */
function audit(exchange: Exchange, response: HttpResponse): HttpResponse {
  try {
    recordAudit(exchange, response);
    return response;
  } catch (cause) {
    response.stream?.bytes.cancel();
    return failureResponse(exchange, cause);
  }
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
  completion.then(({ bytes, createMs, cause, isTooSlow, isComplete = false }) => {
    // The status is sent already: the cause can only be logged.
    if (cause !== undefined) failureResponse(exchange, cause);
    if (isTooSlow) server.log.emit({ event: 'request.stalled', requestId, bytes });
    exchange.timer?.move(createMs, 'send', 'read');
    if (exchange.principal !== ANONYMOUS) server.auditLog?.recordEnd(exchange, bytes, isComplete);
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

/** Counts and logs a request that is finished. */
export function recordRequest(exchange: Exchange, response: HttpResponse, bytes: number): void {
  const { server, method, route, requestId, startedMs, principal } = exchange;
  const { status, revision } = response;
  const nowMs = system.monotonicNow();
  const ms = nowMs - startedMs;
  const routePath = route?.path;
  const seconds = (response.stream?.isEndless ? ms - getSendMs(exchange, nowMs) : ms) / 1_000;
  const { log } = server;
  // However many datasets are declared, they have the histograms of one route.
  const countedPath = routePath?.startsWith(DATASETS_PREFIX) ? OBSERVATIONS_PATH : routePath;
  log.metrics.record({ method, routePath: countedPath, seconds, bytes }, response);
  const slow = ms < log.slowRequestMs ? undefined : findSlowPhases(exchange, nowMs);
  if (!slow && status < log.minStatus) return;
  if (status < 400 && (route?.isProbe || (route?.isPolled && status === 304))) return;
  log.emit({
    event: 'request',
    requestId,
    token: principal === ANONYMOUS ? null : principal.id,
    address: hasLoggedAddress(exchange, status, slow) ? exchange.getAddress() || null : null,
    method,
    route: routePath ?? null,
    status,
    bytes,
    ms: Math.round(ms * 1_000) / 1_000,
    revision,
    details: describeRequest(exchange, response, slow),
  });
}

const DATASETS_PREFIX = getObservationsPath('');

function getSendMs({ timer }: Exchange, nowMs: number): number {
  return timer?.getDurations(nowMs).sendMs ?? 0;
}

/** Where the time of a slow request went. Sending may take as long as the client likes. */
function findSlowPhases({ server, timer, startedMs }: Exchange, nowMs: number) {
  const ms = nowMs - startedMs;
  const durations = timer?.getDurations(nowMs) ?? { readMs: Math.round(ms) };
  return ms - (durations.sendMs ?? 0) < server.log.slowRequestMs ? undefined : durations;
}

/** It takes about a microsecond to look up. */
function hasLoggedAddress(
  { server, principal }: Exchange,
  status: number,
  slow: PhaseDurations | undefined,
): boolean {
  return (
    server.log.hasAllAddresses || status >= 400 || principal === ANONYMOUS || slow !== undefined
  );
}

/** Details that most lines do not have. */
function describeRequest(
  exchange: Exchange,
  { status, reason }: HttpResponse,
  slow: PhaseDurations | undefined,
): RequestDetails | undefined {
  const { route, trace } = exchange;
  if (status < 400 && !trace && !slow) return undefined;
  return {
    ...(!route && { path: formatPath(exchange.target.path) }),
    // Elsewhere the status says it all.
    ...((status === 400 || status === 406) && reason !== undefined && { reason }),
    ...(trace && {
      traceId: trace.traceId,
      spanId: trace.spanId,
      childSpanId: trace.childSpanId,
    }),
    ...(slow && { slow }),
  };
}

const MAX_PATH_CHARACTERS = 200;
/** A token that was put into the path by mistake; names of datasets have hyphens and no digits. */
const SECRET_SEGMENT = /(?<=\/)(?![a-z.]+(?:-[a-z.]+)+(?:\/|$))[^/]{16,}/g;

function formatPath(path: string): string {
  const masked = path.slice(0, MAX_PATH_CHARACTERS).replace(SECRET_SEGMENT, '…');
  return path.length > MAX_PATH_CHARACTERS ? `${masked}…` : masked;
}

const WINDOW_MS = 10_000;
const MAX_LINES_PER_WINDOW = 1_000;

/**
 * Bounds the log lines of requests without an accepted token, which anybody can send in any number.
 * Those that are left out are counted in one event.
 */
export function limitAnonymousRequests(emit: EmitEvent): EmitEvent {
  let lines = 0;
  let isWindowOpen = false;
  const closeWindow = () => {
    const count = lines - MAX_LINES_PER_WINDOW;
    lines = 0;
    isWindowOpen = false;
    if (count > 0) emit({ event: 'requests.unlogged', count });
  };
  return (event) => {
    if (event.event === 'service.stopped') closeWindow();
    if (event.event !== 'request' || event.token !== null) return emit(event);
    // A timer only while there are such requests.
    if (!isWindowOpen) system.setTimeout(closeWindow, WINDOW_MS).unref();
    isWindowOpen = true;
    if (++lines <= MAX_LINES_PER_WINDOW) emit(event);
  };
}
