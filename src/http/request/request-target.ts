import type { Operation } from '../../catalogue/model/operation.ts';

/** Path and query of a request, not decoded. */
export interface RequestTarget {
  readonly path: string;
  readonly query: string;
}

/** Path and query of a URL, as one text: the URL without scheme and host, if it has any. */
export function sliceTarget(url: string): string {
  return url.startsWith('/') ? url : url.slice(url.indexOf('/', url.indexOf('://') + 3));
}

export function parseRequestTarget(url: string): RequestTarget {
  const target = sliceTarget(url);
  const end = target.indexOf('?');
  if (end < 0) return { path: target, query: '' };
  return { path: target.slice(0, end), query: target.slice(end + 1) };
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
