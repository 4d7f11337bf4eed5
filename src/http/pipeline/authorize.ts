import type { Scope } from '../../catalogue/model/dataset.ts';
import type { RequestTarget } from '../request/request-target.ts';
import type { Exchange } from './exchange.ts';
import type { TokenRoute } from './route.ts';

/** Whether a client has the scopes that a route needs; a link needs none of its own. */
export function isAuthorized(route: TokenRoute, exchange: Exchange): boolean {
  const { scopes } = exchange.principal;
  if (!route.findScope) return route.scope === undefined || scopes.has(route.scope);
  return findRequiredScopes(route, exchange.target).every((scope) => scopes.has(scope));
}

/** The scopes that a request needs; none where the route needs none. */
export function findRequiredScopes(
  { findScope, scope }: TokenRoute,
  target: RequestTarget,
): Scope[] {
  return [findScope?.(target) ?? scope ?? []].flat();
}
