import { API_ERRORS, type ApiErrorCode } from '../../catalogue/model/api-errors.ts';
import { buildMetric } from '../../metrics/build-metric.ts';
import { buildHistogram, DurationHistogram } from '../../metrics/histogram.ts';
import type { MetricFamily } from '../../metrics/metric-family.ts';
import type { HttpResponse } from '../responses/response.ts';

/** The methods of RFC 9110 and RFC 5789; clients may send others, in any number. */
const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE', 'PATCH', 'CONNECT', 'TRACE'];
const OTHER = '_OTHER';

/** Separates the status from the method in a key. */
const METHOD_RANGE = 16;

/** A finished request, as it is counted. */
export interface FinishedRequest {
  readonly method: string;
  /** The path of the route, with its parameters in braces; undefined if no route matches. */
  readonly routePath: string | undefined;
  readonly seconds: number;
  readonly bytes: number;
}

/** Counts the requests of a process. It stays the same when a database is replaced. */
export class RequestMetrics {
  cacheHits = 0;
  cacheMisses = 0;
  #sentBytes = 0;
  readonly #errors = new Map<ApiErrorCode, number>();
  readonly #routes = new Map<string, Map<number, DurationHistogram>>();

  /** Called for every request: after the first one of its kind it allocates nothing. */
  record(request: FinishedRequest, { status, errorCode }: HttpResponse): void {
    this.#sentBytes += request.bytes;
    if (errorCode !== undefined)
      this.#errors.set(errorCode, (this.#errors.get(errorCode) ?? 0) + 1);
    this.#findHistogram(request, status).observe(request.seconds);
  }

  collect(): MetricFamily[] {
    const codes = Object.keys(API_ERRORS) as ApiErrorCode[];
    return [
      buildHistogram(
        'http_server_request_duration_seconds',
        'Time from the start of a request to its response, or to the end of a download; of /events to the start of the stream.',
        this.#listHistograms(),
      ),
      buildMetric(
        'tenor_http_errors_total',
        codes.map((code) => [{ code }, this.#errors.get(code) ?? 0]),
      ),
      buildMetric('tenor_http_response_bytes_total', this.#sentBytes),
      buildMetric('tenor_response_cache_requests_total', [
        [{ result: 'hit' }, this.cacheHits],
        [{ result: 'miss' }, this.cacheMisses],
      ]),
    ];
  }

  #findHistogram({ method, routePath = OTHER }: FinishedRequest, status: number) {
    const key = status * METHOD_RANGE + METHODS.indexOf(method) + 1;
    const histograms = this.#routes.getOrInsertComputed(routePath, createHistograms);
    return histograms.getOrInsertComputed(key, createHistogram);
  }

  #listHistograms() {
    return [...this.#routes].flatMap(([route, histograms]) =>
      Array.from(histograms, ([key, histogram]) => {
        const method = METHODS[(key % METHOD_RANGE) - 1] ?? OTHER;
        const status = String(Math.floor(key / METHOD_RANGE));
        return [{ method, route, status }, histogram] as const;
      }),
    );
  }
}

const createHistograms = () => new Map<number, DurationHistogram>();
const createHistogram = () => new DurationHistogram();
