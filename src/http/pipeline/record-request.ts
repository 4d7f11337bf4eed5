import { getObservationsPath, OBSERVATIONS_PATH } from '../../catalogue/model/observations.ts';
import type { RequestDetails } from '../../event-log.ts';
import { system } from '../../shared/system.ts';
import type { PhaseDurations } from '../request/phase-timer.ts';
import { parseTraceParent } from '../request/request-headers.ts';
import type { HttpResponse } from '../responses/response.ts';
import { ANONYMOUS, type Exchange } from './exchange.ts';

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
  if (status < 400 && route && 'isProbe' in route) return;
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
  const { headers, target, route } = exchange;
  const traceParent = headers.get('traceparent');
  const trace = traceParent === null ? undefined : parseTraceParent(traceParent);
  if (status < 400 && !trace && !slow) return undefined;
  return {
    ...(!route && { path: formatPath(target.path) }),
    // Elsewhere the status says it all.
    ...((status === 400 || status === 406) && reason !== undefined && { reason }),
    ...trace,
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
