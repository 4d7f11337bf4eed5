import type { Scope } from '../../catalogue/model/dataset.ts';
import { parseRequestTarget } from '../request/request-target.ts';
import type { RequestingClient } from './exchange.ts';
import type { TokenRoute } from './route.ts';

/** Whether a client has the scope that a route needs; a link needs none of its own. */
export function isAuthorized(route: TokenRoute, { principal, request }: RequestingClient): boolean {
  const scope = findRequiredScope(route, request.url);
  return scope === undefined || principal.scopes.has(scope);
}

/** The scope that a request needs; undefined where the route needs none. */
export function findRequiredScope(route: TokenRoute, url: string): Scope | undefined {
  return route.findScope?.(parseRequestTarget(url).path) ?? route.scope;
}
