import { matchPath } from './request/request-target.ts';
import type { Route } from './route.ts';

/** The route of a path, which must match exactly. */
export function findRoute<R extends Route>(routes: readonly R[], path: string): R | undefined {
  return routes.find((route) =>
    'operation' in route ? matchPath(route.operation, path) : route.path === path,
  );
}
