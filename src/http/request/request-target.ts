import type { Operation } from '../../catalogue/model/operation.ts';

/** Path and query of a request, not decoded. */
export interface RequestTarget {
  readonly path: string;
  readonly query: string;
}

const ORIGIN_PATTERN = /^https?:\/\/[^/?#]*/;

export function parseRequestTarget(url: string): RequestTarget {
  const [path = '', ...query] = url.replace(ORIGIN_PATTERN, '').split('?');
  return { path, query: query.join('?') };
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
