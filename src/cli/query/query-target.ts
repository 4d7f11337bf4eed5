import { catalogue } from '../../catalogue/index.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { Operation } from '../../catalogue/model/operation.ts';
import type { Route } from '../../http/route.ts';
import { createRoutes, findRoute } from '../../http/routes.ts';
import { UsageError } from '../command.ts';
import { formatSuggestion } from '../suggest.ts';

export interface QueryTarget {
  readonly path: string;
  readonly query: string;
  readonly title: string;
  /** Absent if the path is not that of a dataset. */
  readonly dataset?: Dataset;
}

/**
 * Parses an operation by its name or path, then `name=value` for each parameter. With `allPages`,
 * pages have the maximum size unless a limit is given.
 */
export function parseQueryTarget(
  [operation, ...parameters]: readonly string[],
  allPages: boolean,
): QueryTarget {
  const routes = createRoutes(catalogue);
  const [path = '', ...pathQuery] = resolvePath(operation, routes).split('?');
  const route = findRoute(routes, path);
  const pairs = [...pathQuery, ...parameters.map(encodeParameter)];
  const isPaged = pairs.some((pair) => /(?:^|&)(?:limit|cursor)=/.test(pair));
  const definition = findDefinition(route);
  const limit = allPages && !isPaged ? definition?.parameters.limit : undefined;
  return {
    path,
    query: [...pairs, ...(limit ? [`limit=${limit.schema.maximum}`] : [])].join('&'),
    title: definition?.title ?? path,
    ...(route && 'dataset' in route && { dataset: route.dataset }),
  };
}

export function listOperationNames(routes: readonly Route[] = createRoutes(catalogue)): string[] {
  const operations = routes.flatMap((route) => ('operation' in route ? [route.operation] : []));
  return [
    ...catalogue.map(({ name }) => name),
    ...operations.flatMap(({ name, path }) => (path.includes('{') ? [] : [name])),
  ];
}

function resolvePath(name: string | undefined, routes: readonly Route[]): string {
  // A fragment would not be sent.
  if (name?.startsWith('/')) return name.replaceAll('#', '%23');
  const dataset = catalogue.find((candidate) => candidate.name === name);
  if (dataset) return dataset.paths[0];
  const route = routes.find(
    (candidate) => 'operation' in candidate && candidate.operation.name === name,
  );
  if (route && !route.path.includes('{')) return route.path;
  // Such as revisions/7.
  const path = `/${name}`;
  if (name?.includes('/') && findRoute(routes, path)) return path;
  const names = listOperationNames(routes);
  const problem =
    name === undefined
      ? 'an OPERATION is required'
      : `there is no operation "${name}"${formatSuggestion(name, names)}`;
  throw new UsageError(
    `${problem}; there are ${names.join(', ')}, revisions/N, and paths such as /2.0/bnb/quote`,
  );
}

function encodeParameter(text: string): string {
  const separator = text.indexOf('=');
  if (separator < 1) throw new UsageError(`"${text}" must be NAME=VALUE, such as limit=5`);
  const parts = [text.slice(0, separator), text.slice(separator + 1)];
  return parts.map(encodeURIComponent).join('=');
}

function findDefinition(route: Route | undefined): Dataset | Operation | undefined {
  if (!route || 'getDocument' in route) return undefined;
  return 'dataset' in route ? route.dataset : route.operation;
}
