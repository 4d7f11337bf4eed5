import type { Scope } from '../../catalogue/model/dataset.ts';
import { parseRequestTarget } from '../request/request-target.ts';
import type { RequestingClient } from './exchange.ts';
import type { TokenRoute } from './route.ts';

/** Whether a client has the scopes that a route needs; a link needs none of its own. */
export function isAuthorized(route: TokenRoute, { principal, request }: RequestingClient): boolean {
  const { scope } = route;
  if (!route.findScope) return scope === undefined || principal.scopes.has(scope);
  return findRequiredScopes(route, request.url).every((scope) => principal.scopes.has(scope));
}

/** The scopes that a request needs; none where the route needs none. */
export function findRequiredScopes({ findScope, scope }: TokenRoute, url: string): Scope[] {
  const { path, query } = parseRequestTarget(url);
  return [findScope?.(path, query) ?? scope ?? []].flat();
}
