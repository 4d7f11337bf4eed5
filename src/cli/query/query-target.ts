import { catalogue } from '../../catalogue/index.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { Parameters } from '../../catalogue/model/parameter.ts';
import type { Route } from '../../http/route.ts';
import { createRoutes, findRoute } from '../../http/routes.ts';
import { UsageError } from '../command.ts';

/** What a query asks for. */
export interface QueryTarget {
  readonly path: string;
  /** What stands behind the question mark; empty where there is none. */
  readonly query: string;
  readonly title: string;
  /** Absent where the path is not of a dataset. */
  readonly dataset?: Dataset;
}

/**
 * What the words of a query ask for: an operation by its name or path, then `name=value` for each
 * parameter. With `all`, pages are as long as they can be unless a limit is given.
 */
export function parseQueryTarget(words: readonly string[], all: boolean): QueryTarget {
  const [operation, ...parameters] = words;
  const routes = createRoutes(catalogue);
  const [path = '', ...rest] = resolvePath(operation, routes).split('?');
  const route = findRoute(routes, path);
  const given = [...rest, ...parameters.map(encodeParameter)];
  const isPaged = given.some((pair) => /(?:^|&)(?:limit|cursor)=/.test(pair));
  const most = all && !isPaged ? getMaxLimit(route) : undefined;
  return {
    path,
    query: [...given, ...(most === undefined ? [] : [`limit=${most}`])].join('&'),
    title: getTitle(route) ?? path,
    ...(route && 'dataset' in route && { dataset: route.dataset }),
  };
}

/** The names that a query can ask by. */
export function listOperationNames(routes: readonly Route[] = createRoutes(catalogue)): string[] {
  const operations = routes.flatMap((route) => ('operation' in route ? [route.operation] : []));
  return [
    ...catalogue.map(({ name }) => name),
    ...operations.flatMap(({ name, path }) => (path.includes('{') ? [] : [name])),
  ];
}

function resolvePath(word: string | undefined, routes: readonly Route[]): string {
  // What stands behind a # would not be sent.
  if (word?.startsWith('/')) return word.replaceAll('#', '%23');
  const dataset = catalogue.find(({ name }) => name === word);
  if (dataset) return dataset.paths[0];
  const named = routes.find((route) => 'operation' in route && route.operation.name === word);
  if (named && !named.path.includes('{')) return named.path;
  // Such as revisions/7.
  const path = `/${word}`;
  if (word?.includes('/') && findRoute(routes, path)) return path;
  const said = word === undefined ? 'an OPERATION is needed' : `there is no operation "${word}"`;
  const names = listOperationNames(routes).join(', ');
  throw new UsageError(
    `${said}; there are ${names}, revisions/N, and paths such as /2.0/bnb/quote`,
  );
}

function encodeParameter(word: string): string {
  const at = word.indexOf('=');
  if (at < 1) throw new UsageError(`"${word}" must be NAME=VALUE, such as limit=5`);
  return `${encodeURIComponent(word.slice(0, at))}=${encodeURIComponent(word.slice(at + 1))}`;
}

function getMaxLimit(route: Route | undefined): number | undefined {
  const most = getParameters(route).limit?.schema.maximum;
  return typeof most === 'number' ? most : undefined;
}

function getParameters(route: Route | undefined): Parameters {
  if (!route || 'getDocument' in route) return {};
  return 'dataset' in route ? route.dataset.parameters : route.operation.parameters;
}

function getTitle(route: Route | undefined): string | undefined {
  if (!route || 'getDocument' in route) return undefined;
  return 'dataset' in route ? route.dataset.title : route.operation.title;
}
