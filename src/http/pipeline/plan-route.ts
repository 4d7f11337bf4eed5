import type { Catalogue } from '../../catalogue/catalogues.ts';
import { ACCEPT_DATETIME } from '../../catalogue/model/accept-datetime.ts';
import { type AsOf, asOfParameter } from '../../catalogue/model/response-parameters.ts';
import { LEDGER } from '../../check/check-ledger.ts';
import { type Awaitable, whenReady } from '../../shared/awaitable.ts';
import { MISSING_REVISION_ERROR, REQUIRED_REVISION_HEADER } from '../freshness/newest-revision.ts';
import { HttpError } from '../http-error.ts';
import { peekRevision } from '../request/cursor-codec.ts';
import { parseRequestTarget } from '../request/request-target.ts';
import { parseAcceptDatetime, resolveRequestedRevision } from '../responses/requested-revision.ts';
import { errorResponse, NOT_FOUND_RESPONSE } from '../responses/response.ts';
import type { RequestingClient } from './exchange.ts';
import type { DataContext, TokenRoute } from './route.ts';

/** The route of a path that another revision may have: which one is known after admission. */
const UNKNOWN_ROUTE: TokenRoute = { path: '', respond: () => NOT_FOUND_RESPONSE };

/** Where no route has the path of a request now, but the request may be for another revision. */
export function findUnknownRoute({
  request,
  headers,
}: Pick<RequestingClient, 'request' | 'headers'>): TokenRoute | undefined {
  const isOfOther =
    headers.has(REQUIRED_REVISION_HEADER) ||
    headers.has(ACCEPT_DATETIME) ||
    MAY_NAME_REVISION.test(request.url);
  return isOfOther ? UNKNOWN_ROUTE : undefined;
}

/** The names of parameters may be encoded. */
const MAY_NAME_REVISION = /[?&](?:as_of|until|cursor|[^=&]*%)/;

/**
 * The route that a request is planned with: that of the catalogue of the revision which the request
 * is as of, or of the current one. Undefined where that has none.
 */
export function planRoute(
  data: DataContext,
  found: TokenRoute,
  client: RequestingClient,
): Awaitable<TokenRoute | undefined> {
  const dependsOnCatalogue = found.catalogue !== undefined || found === UNKNOWN_ROUTE;
  if (!dependsOnCatalogue) return found;
  const { request, headers } = client;
  const instant = 'isAlwaysCurrent' in found ? null : headers.get(ACCEPT_DATETIME);
  const namesRevision = instant !== null || MAY_NAME_REVISION.test(request.url);
  // Most requests are for the current data.
  if (!namesRevision && found.catalogue === data.catalogues.current) return found;
  const { path, query } = parseRequestTarget(request.url);
  return whenReady(findCatalogue(data, new URLSearchParams(query), instant), (catalogue) => {
    if (catalogue === found.catalogue) return found;
    return data.getDataRoutes(catalogue).find(path);
  });
}

/** The catalogue of the revision that parameters or `Accept-Datetime` name, or the current one. */
export function findCatalogue(
  data: DataContext,
  parameters: Pick<URLSearchParams, 'get'>,
  instant: string | null = null,
): Awaitable<Catalogue> {
  const { catalogues, damage } = data;
  const asOf = findNamedRevision(parameters) ?? parseAcceptDatetime(instant);
  if (asOf === undefined || damage.covers([LEDGER])) return catalogues.current;
  const requested = asOf instanceof HttpError ? asOf : resolveRequestedRevision(data, asOf);
  return whenReady(requested, (resolved) => {
    // The response is an error, whatever the catalogue.
    if (resolved instanceof HttpError) return catalogues.current;
    return catalogues.prepare(resolved.revision?.revision ?? 0);
  });
}

/** The revision of a cursor, up to which changes are, or of `as_of`; whether they are valid is found out later. */
function findNamedRevision(parameters: Pick<URLSearchParams, 'get'>): AsOf | undefined {
  const pinned = peekRevision(parameters.get('cursor') ?? '');
  return pinned === undefined
    ? asOfParameter.parse(parameters.get('until') ?? parameters.get('as_of') ?? '')
    : { revision: pinned };
}

/** Whether a declaration lies between the plan of a request and its result, which is known then. */
export function isPlanOutdated(
  { catalogues, newestRevision }: DataContext,
  catalogue: Catalogue,
  revision: number,
): Awaitable<boolean> {
  // Before the first revision there is nothing that a declaration could change.
  if (revision === 0) return false;
  return whenReady(catalogues.prepare(revision), (actual) => {
    if (actual === catalogue) return false;
    return whenReady(newestRevision.advanceTo(revision), () => true);
  });
}

/** Instead of the response to such a request, which is planned again. */
export const OUTDATED_PLAN_RESPONSE = errorResponse(MISSING_REVISION_ERROR);
