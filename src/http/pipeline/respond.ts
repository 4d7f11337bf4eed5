import type { Scope } from '../../catalogue/model/dataset.ts';
import { ACCEPT_DATETIME } from '../../catalogue/model/parameter.ts';
import type { ResponseParts } from '../background/background-work.ts';
import { isInlineCost } from '../background/job-scheduler.ts';
import type { View } from '../freshness/newest-revision.ts';
import { HttpError } from '../http-error.ts';
import { parseQuery, type RequestTarget, sliceTarget } from '../request/parse-query.ts';
import {
  errorResponse,
  FORBIDDEN_RESPONSE,
  type HttpResponse,
  NOT_FOUND_RESPONSE,
} from '../responses/response.ts';
import { DAMAGED_ERROR } from '../scrub/known-damage.ts';
import { createResponse } from './create-response.ts';
import type { Exchange, TargetOptions } from './exchange.ts';
import { parseRequest, readParts } from './read-parts.ts';
import { recordAudit } from './record-audit.ts';
import { namesRevision, resolveView } from './resolve-view.ts';
import type { CustomRoute, DataRoute, OperationQuery, RoutedServer, TokenRoute } from './route.ts';

/** The route of a path that another revision may have: which one is known after admission. */
const UNKNOWN_ROUTE: TokenRoute = { path: '', respond: () => NOT_FOUND_RESPONSE };

/** The route of a path that the newest catalogue lacks, if the request may be for another one. */
export function findUnknownRoute(exchange: Exchange): TokenRoute | undefined {
  return namesRevision(exchange) ? UNKNOWN_ROUTE : undefined;
}

/** The response of the newest revision that is cached; undefined if there is none. */
export function findCachedResponse(
  exchange: Exchange,
  route: TokenRoute,
): HttpResponse | undefined {
  const { database, headers } = exchange;
  if (!('read' in route) || route.catalogue !== database.catalogues.current) return undefined;
  if (database.damage.exists || (!route.isAlwaysCurrent && headers.has(ACCEPT_DATETIME)))
    return undefined;
  const cached = database.responseCache.get(createCacheKey(route, exchange));
  if (!cached) return undefined;
  database.cacheCounts.cacheHits++;
  return cached;
}

/** Responds to a client that is admitted, and authorized for the route that the newest view has. */
export async function respond(
  server: RoutedServer,
  exchange: Exchange,
  found: TokenRoute,
  /** Why the revision that the client has seen is not there. */
  error?: HttpError,
): Promise<HttpResponse> {
  const { database, target } = exchange;
  if (!found.catalogue && found !== UNKNOWN_ROUTE)
    return respondByItself(server, exchange, found as CustomRoute);
  if ('findAwaitedRevision' in found && found.findAwaitedRevision)
    await database.newestRevision.awaitRevision(found.findAwaitedRevision(target.parameters));
  const resolved = await resolveView(database, exchange, found);
  const view = error ? { ...resolved, error } : resolved;
  const { catalogue } = view;
  const route =
    catalogue === found.catalogue ? found : server.getDataRoutes(catalogue).find(target.path);
  if (!route) return NOT_FOUND_RESPONSE;
  if (route !== found && !isAuthorized(route, exchange)) return FORBIDDEN_RESPONSE;
  if ('sendFile' in route) return route.sendFile(exchange, view);
  if ('read' in route) return respondWithData(exchange, route, view);
  return respondByItself(server, exchange, route);
}

/** Responds to a target inside the server; see `RespondToTarget`. */
export async function respondToTarget(
  server: RoutedServer,
  client: Exchange,
  target: string,
  options?: TargetOptions,
): Promise<HttpResponse> {
  const exchange = client.forTarget(target, options);
  const { database } = exchange;
  const routes = server.getDataRoutes(database.catalogues.current);
  const route = routes.find(exchange.target.path) ?? findUnknownRoute(exchange);
  if (!route) return NOT_FOUND_RESPONSE;
  const response = isAuthorized(route, exchange)
    ? (findCachedResponse(exchange, route) ?? (await respond(server, exchange, route)))
    : FORBIDDEN_RESPONSE;
  recordAudit(exchange, response);
  return response;
}

/** Whether a client has the scopes that a route needs; a link needs none of its own. */
export function isAuthorized(route: TokenRoute, exchange: Exchange): boolean {
  const { scopes } = exchange.principal;
  if (!route.findScope) return route.scope === undefined || scopes.has(route.scope);
  return findRequiredScopes(route, exchange.target).every((scope) => scopes.has(scope));
}

/** The scopes that a request needs; none if the route needs none. */
export function findRequiredScopes(
  { findScope, scope }: TokenRoute,
  target: RequestTarget,
): Scope[] {
  return [findScope?.(target) ?? scope ?? []].flat();
}

function respondByItself(server: RoutedServer, exchange: Exchange, route: CustomRoute) {
  const error = route.parameters && parseQuery(exchange.target.parameters, route.parameters);
  if (error instanceof HttpError) return errorResponse(error);
  return route.respond(exchange, (target, options) =>
    respondToTarget(server, exchange, target, options),
  );
}

/** Parses, waits for a turn, reads, charges, responds and caches. */
async function respondWithData(
  exchange: Exchange,
  route: DataRoute,
  view: View,
): Promise<HttpResponse> {
  const { database, acceptedFormat, includesTotal, principal } = exchange;
  const { cursors, damage, newestRevision, responseCache, scheduler } = database;
  const { scopes } = principal;
  const sent = { acceptedFormat, includesTotal, scopes };
  const query = parseRequest(route, { ...sent, target: exchange.target, cursors }, view);
  if (query instanceof HttpError) return errorResponse(query);
  const { datasets = [] } = query;
  if (damage.covers(datasets)) return DAMAGED_RESPONSE;
  const isOfNewest = view.mementoDatetime === undefined;
  const key =
    createCacheKey(route, exchange) + (isOfNewest ? '' : ` ${view.revision} ${view.namedBy}`);
  const findCached = () => (damage.exists || view.error ? undefined : responseCache.get(key));
  const cached = findCached();
  if (cached) {
    database.cacheCounts.cacheHits++;
    return cached;
  }
  database.cacheCounts.cacheMisses++;
  const target = exchange.target.toString();
  const request = { route, query, target, view };
  const parts = await damage.watch(datasets, async () => {
    const cost = await estimateCost(exchange, route, query, view);
    return scheduler.run<ResponseParts | HttpResponse>(exchange, cost, (background) => {
      // Meanwhile another request may have created the same response.
      const created = findCached();
      if (created) return created;
      return background
        ? background.respond(
            {
              ...sent,
              target,
              scopes: [...scopes],
              cursorKey: cursors.key,
              view: toSentView(view, newestRevision.revision),
            },
            exchange.signal,
          )
        : readParts(database, request, exchange);
    });
  });
  if ('status' in parts) return parts;
  // Meanwhile they may have been found to be damaged.
  if (damage.covers(parts.datasets ?? datasets)) return DAMAGED_RESPONSE;
  if (parts.page?.encodeMs) exchange.recordEncoding(parts.page.encodeMs);
  exchange.charge(parts.cost - 1);
  const response = await createResponse(request, parts);
  if (view.error || response.revision === null) return response;
  if (isOfNewest) return responseCache.set(key, response);
  return view.revision > 0 ? responseCache.setHistorical(key, response) : response;
}

/** By the limit, unless fewer records than that are there. */
async function estimateCost(
  { database }: Exchange,
  route: DataRoute,
  query: OperationQuery,
  { catalogue, revision }: View,
): Promise<number> {
  const cost = route.cost(query);
  if (!query.isBounded || isInlineCost(cost)) return cost;
  const counts = await Promise.all(
    (query.datasets ?? []).map((name) => database.countRecords(catalogue.get(name), revision)),
  );
  return route.cost({ ...query, available: Math.max(0, ...counts) });
}

/** The catalogue is built on each thread. */
function toSentView({ catalogue: _, ...view }: View, newest: number) {
  return { ...view, newest };
}

/** Everything that a response depends on, but the revision: target, headers, scopes. */
function createCacheKey(route: DataRoute, exchange: Exchange): string {
  const { request, acceptedFormat, includesTotal, principal } = exchange;
  // No target has a space, so that no key is the target of another request.
  let key = sliceTarget(request.url);
  if (acceptedFormat !== 'json' && !FORMAT_PARAMETER.test(key)) key += ` ${acceptedFormat}`;
  if (includesTotal) key += ' counted';
  return route.getScopeKey ? `${key} ${route.getScopeKey(principal.scopes)}` : key;
}

/** Wins over `Accept`, so that the response does not depend on the header. */
const FORMAT_PARAMETER = /[?&]format=/;

const DAMAGED_RESPONSE = errorResponse(DAMAGED_ERROR);
