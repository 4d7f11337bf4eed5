import { ACCEPT_DATETIME } from '../../catalogue/model/accept-datetime.ts';
import { type Awaitable, whenReady } from '../../shared/awaitable.ts';
import { HttpError } from '../http-error.ts';
import type { PageContents, PageJob } from '../pages/page-reader.ts';
import { errorResponse, type HttpResponse } from '../responses/response.ts';
import type { RequestingClient } from './exchange.ts';
import { createCacheKey, describeOperationRequest } from './operation-request.ts';
import { isPlanOutdated, OUTDATED_PLAN_RESPONSE } from './plan-route.ts';
import { DAMAGED_RESPONSE, respondAsOf } from './respond-as-of.ts';
import { respondWithData } from './respond-with-data.ts';
import type { DataContext, DataRoute, PageQuery } from './route.ts';

/** Serves data from the cache; or parses, reads, charges for what was read, and responds with it. */
export function serveOperation(
  data: DataContext,
  route: DataRoute,
  client: RequestingClient,
): Awaitable<HttpResponse> {
  const key = createCacheKey(route, client);
  const instant = route.isAlwaysCurrent ? null : client.headers.get(ACCEPT_DATETIME);
  const { cursors, damage, reader } = data;
  const { catalogue = data.catalogues.current } = route;
  // Which datasets a response is of is known once the request is parsed.
  const cached = instant === null && !damage.isAny ? data.responseCache.get(key) : undefined;
  if (cached) {
    data.cacheCounts.cacheHits++;
    return cached;
  }
  const request = describeOperationRequest(client, { cursors, key, instant });
  const query = route.parse(request);
  if (query instanceof HttpError) return errorResponse(query);
  const { datasets = [] } = query;
  if (damage.covers(datasets)) return DAMAGED_RESPONSE;
  return damage.watch(datasets, () =>
    respondAsOf(data, request, query, (requestedAsOf, deferredError) => {
      // The revision of the first page holds for all of them.
      const { pinnedRevision: asOf = requestedAsOf } = query;
      if (requestedAsOf !== undefined && asOf !== undefined && requestedAsOf < asOf)
        return CURSOR_TOO_NEW_RESPONSE;
      return data.scheduleJob(client, route.cost(query), (jobs) => {
        // Meanwhile another request may have created the same response.
        const isCurrent = requestedAsOf === undefined && !deferredError && !damage.isAny;
        const created = isCurrent ? data.responseCache.get(key) : undefined;
        if (created) return created;
        const { format, fields } = query as PageQuery;
        const table = { datasets, format, fields, target: request.target, asOf };
        const readPage = (contents: PageContents) =>
          jobs.readPage(catalogue, { ...table, ...contents } as PageJob, client);
        const options = { asOf, catalogue, deferredError, jobs, readPage, reader, damage };
        const result = route.read(query, options);
        return whenReady(result, (read) => {
          if (read instanceof HttpError) return errorResponse(read);
          // Meanwhile they may have been found to be damaged.
          if (damage.covers(read.datasets ?? datasets)) return DAMAGED_RESPONSE;
          return whenReady(isPlanOutdated(data, catalogue, read.revision), (isOutdated) => {
            if (isOutdated) return OUTDATED_PLAN_RESPONSE;
            if (read.encodeMs) client.recordEncoding?.(read.encodeMs);
            client.charge(route.cost(query, read) - 1);
            return respondWithData(data, route, { target: request.target, query, result: read });
          });
        });
      });
    }),
  );
}

/** A cursor of a later revision than the requested one. */
const CURSOR_TOO_NEW_RESPONSE = errorResponse(new HttpError('later_cursor'));
