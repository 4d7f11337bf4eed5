import type { Operation } from '../../catalogue/model/operation.ts';
import { type SentParameter, splitQuery } from './parse-query.ts';

/** Path and query of a request, not decoded. */
export class RequestTarget {
  readonly path: string;
  readonly query: string;
  #parameters: readonly SentParameter[] | undefined;

  /** Of a URL, with or without scheme and host. */
  constructor(url: string) {
    const target = sliceTarget(url);
    const end = target.indexOf('?');
    this.path = end < 0 ? target : target.slice(0, end);
    this.query = end < 0 ? '' : target.slice(end + 1);
  }

  /** The parameters of the query, split and decoded once. */
  get parameters(): readonly SentParameter[] {
    this.#parameters ??= splitQuery(this.query);
    return this.#parameters;
  }

  /** Without a question mark if the query is empty. */
  toString(): string {
    return this.query === '' ? this.path : `${this.path}?${this.query}`;
  }
}

/** Path and query of a URL, as one text: the URL without scheme and host, if it has any. */
export function sliceTarget(url: string): string {
  return url.startsWith('/') ? url : url.slice(url.indexOf('/', url.indexOf('://') + 3));
}

/** The values of an operation's path parameters; undefined where the path does not match. */
export function matchPath(
  { path: pattern, pathParameters = {} }: Pick<Operation, 'path' | 'pathParameters'>,
  path: string,
): Readonly<Record<string, unknown>> | undefined {
  const expected = pattern.split('/');
  const segments = path.split('/');
  if (segments.length !== expected.length) return undefined;
  const values: Record<string, unknown> = {};
  for (const [index, segment] of segments.entries()) {
    const name = /^\{(\w+)\}$/.exec(expected[index] ?? '')?.[1];
    if (name === undefined && segment !== expected[index]) return undefined;
    if (name === undefined) continue;
    values[name] = pathParameters[name]?.parse(segment);
    if (values[name] === undefined) return undefined;
  }
  return values;
}
