import type { Scope } from '../../catalogue/model/dataset.ts';
import { matchPath } from '../request/request-target.ts';
import type { Route, TokenRoute } from './route.ts';

/** The route of a path, which must match exactly. */
export function findRoute<R extends Route>(routes: readonly R[], path: string): R | undefined {
  return routes.find((route) =>
    'operation' in route && route.operation
      ? matchPath(route.operation, path)
      : route.path === path,
  );
}

/** The scope that a path of a route needs; undefined where the route needs none. */
export function findRequiredScope(route: TokenRoute, path: string): Scope | undefined {
  return route.findScope?.(path) ?? route.scope;
}
