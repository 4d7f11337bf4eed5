import type { Operation } from '../../catalogue/model/operation.ts';
import { matchPath } from '../request/request-target.ts';

/** The part of a route that it is found by. */
interface RoutePath {
  readonly path: string;
  /** Absent where any text is valid in the path. */
  readonly operation?: Pick<Operation, 'path' | 'pathParameters'>;
}

/** Routes, found by their paths. */
export class RouteTable<R extends RoutePath> {
  readonly #byPath: ReadonlyMap<string, R>;
  readonly #patterns: readonly R[];

  constructor(readonly routes: readonly R[]) {
    this.#byPath = new Map(routes.filter(hasFixedPath).map((route) => [route.path, route]));
    this.#patterns = routes.filter((route) => !hasFixedPath(route));
  }

  /** The route of a path, which must match exactly. */
  find(path: string): R | undefined {
    return this.#byPath.get(path) ?? this.#patterns.find((route) => matchPattern(route, path));
  }
}

const hasFixedPath = ({ path }: RoutePath) => !path.includes('{');

/** The values in the path of an operation must be valid. */
function matchPattern({ path: pattern, operation }: RoutePath, path: string): boolean {
  if (operation) return matchPath(operation, path) !== undefined;
  // This parameter alone stands for several segments.
  const source = pattern.replace('{path}', '.+').replaceAll(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${source}$`).test(path);
}
