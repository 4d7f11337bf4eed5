import type { Scope } from '../../catalogue/model/dataset.ts';
import { matchPath } from '../request/request-target.ts';
import type { Route, TokenRoute } from './route.ts';

/** The route of a path, which must match exactly. */
export function findRoute<R extends Route>(routes: readonly R[], path: string): R | undefined {
  return routes.find((route) => matchesPath(route, path));
}

/** Whether a path is that of a route; with path parameters, only where they are valid. */
export function matchesPath(route: Route, path: string): boolean {
  const operation = 'operation' in route ? route.operation : undefined;
  return operation ? matchPath(operation, path) !== undefined : route.path === path;
}

/** The scope that a path of a route needs; undefined where the route needs none. */
export function findRequiredScope(route: TokenRoute, path: string): Scope | undefined {
  return route.findScope ? route.findScope(path) : route.scope;
}
