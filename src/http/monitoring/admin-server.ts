import type { EmitEvent } from '../../event-log.ts';
import { formatMetrics, METRICS_CONTENT_TYPE } from '../../metrics/format-metrics.ts';
import { liveOperation, readyOperation } from '../../operations/health/health-operations.ts';
import { LIVE_RESPONSE, readyResponse } from '../../operations/health/health-routes.ts';
import { HttpError } from '../http-error.ts';
import { RequestTarget } from '../request/parse-query.ts';
import {
  errorResponse,
  type HttpResponse,
  methodNotAllowedResponse,
  NOT_FOUND_RESPONSE,
} from '../responses/response.ts';
import { STARTING_READINESS } from './readiness.ts';
import type { ServerMonitor } from './server-monitor.ts';

export type AdminServer = ReturnType<typeof startAdminServer>;

type AdminServerOptions = { host: string; port: number; emit: EmitEvent };

/** Serves health and metrics on a port of its own, for those who run the service. */
export function startAdminServer({ host, port, emit }: AdminServerOptions) {
  let monitor = STARTING;
  const server = Bun.serve({
    hostname: host,
    port,
    development: false,
    reusePort: false,
    async fetch(request) {
      try {
        return toFetchResponse(await respond(request, monitor));
      } catch (cause) {
        emit({ event: 'admin.failed', cause: String(cause) });
        return toFetchResponse(errorResponse(new HttpError('internal_error')));
      }
    },
  });
  return {
    address: `http://${host.includes(':') ? `[${host}]` : host}:${server.port}`,
    /** Tells of this server from now on; before, nothing is ready. */
    watch: (next: ServerMonitor) => {
      monitor = next;
    },
    stop: () => server.stop(true),
  };
}

const STARTING: ServerMonitor = {
  getReadiness: () => STARTING_READINESS,
  collectMetrics: () => [],
};

async function respond({ method, url }: Request, monitor: ServerMonitor): Promise<HttpResponse> {
  const respondTo = RESPONDERS.get(new RequestTarget(url).path);
  if (!respondTo) return NOT_FOUND_RESPONSE;
  return method === 'GET' || method === 'HEAD' ? respondTo(monitor) : METHOD_NOT_ALLOWED_RESPONSE;
}

type Respond = (monitor: ServerMonitor) => Promise<HttpResponse>;

const RESPONDERS: ReadonlyMap<string, Respond> = new Map<string, Respond>([
  [liveOperation.path, async () => LIVE_RESPONSE],
  [readyOperation.path, async (monitor) => readyResponse(await monitor.getReadiness())],
  ['/metrics', async (monitor) => metricsResponse(formatMetrics(await monitor.collectMetrics()))],
]);

/** Without the headers that let pages of other sites read it. */
function metricsResponse(body: string): HttpResponse {
  const headers = new Headers({
    'Content-Type': METRICS_CONTENT_TYPE,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  return { status: 200, body, headers, revision: null };
}

function toFetchResponse({ status, body, headers }: HttpResponse): Response {
  return new Response(body, { status, headers });
}

const METHOD_NOT_ALLOWED_RESPONSE = methodNotAllowedResponse('GET, HEAD');
