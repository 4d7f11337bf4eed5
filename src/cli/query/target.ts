import type { Dataset } from '../../catalogue/dataset.ts';
import { catalogue } from '../../catalogue/index.ts';
import type { Parameters } from '../../catalogue/parameter.ts';
import type { Route } from '../../http/route.ts';
import { routeOf, routesOf } from '../../http/routes.ts';
import { WrongUse } from '../command.ts';

/** What a query asks for. */
export interface Asked {
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
export function askedFor(words: readonly string[], all: boolean): Asked {
  const [operation, ...parameters] = words;
  const routes = routesOf(catalogue);
  const [path = '', ...rest] = pathOf(operation, routes).split('?');
  const route = routeOf(routes, path);
  const given = [...rest, ...parameters.map(encoded)];
  const isPaged = given.some((pair) => /(?:^|&)(?:limit|cursor)=/.test(pair));
  const most = all && !isPaged ? mostOf(route) : undefined;
  return {
    path,
    query: [...given, ...(most === undefined ? [] : [`limit=${most}`])].join('&'),
    title: titleOf(route) ?? path,
    ...(route && 'dataset' in route && { dataset: route.dataset }),
  };
}

/** The names that a query can ask by. */
export function operationNames(routes: readonly Route[] = routesOf(catalogue)): string[] {
  const operations = routes.flatMap((route) => ('operation' in route ? [route.operation] : []));
  return [
    ...catalogue.map(({ name }) => name),
    ...operations.flatMap(({ name, path }) => (path.includes('{') ? [] : [name])),
  ];
}

function pathOf(word: string | undefined, routes: readonly Route[]): string {
  // What stands behind a # would not be sent.
  if (word?.startsWith('/')) return word.replaceAll('#', '%23');
  const dataset = catalogue.find(({ name }) => name === word);
  if (dataset) return dataset.paths[0];
  const named = routes.find((route) => 'operation' in route && route.operation.name === word);
  if (named && !named.path.includes('{')) return named.path;
  // Such as revisions/7.
  const path = `/${word}`;
  if (word?.includes('/') && routeOf(routes, path)) return path;
  const said = word === undefined ? 'an OPERATION is needed' : `there is no operation "${word}"`;
  const names = operationNames(routes).join(', ');
  throw new WrongUse(`${said}; there are ${names}, revisions/N, and paths such as /2.0/bnb/quote`);
}

function encoded(word: string): string {
  const at = word.indexOf('=');
  if (at < 1) throw new WrongUse(`"${word}" must be NAME=VALUE, such as limit=5`);
  return `${encodeURIComponent(word.slice(0, at))}=${encodeURIComponent(word.slice(at + 1))}`;
}

function mostOf(route: Route | undefined): number | undefined {
  const most = parametersOf(route).limit?.schema.maximum;
  return typeof most === 'number' ? most : undefined;
}

function parametersOf(route: Route | undefined): Parameters {
  if (!route || 'document' in route) return {};
  return 'dataset' in route ? route.dataset.parameters : route.operation.parameters;
}

function titleOf(route: Route | undefined): string | undefined {
  if (!route || 'document' in route) return undefined;
  return 'dataset' in route ? route.dataset.title : route.operation.title;
}
