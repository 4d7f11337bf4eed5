import type { Operation } from '../../catalogue/model/operation.ts';

/** What a request asks for, to the letter: nothing is decoded. */
export interface RequestTarget {
  readonly path: string;
  readonly query: string;
}

const ORIGIN_PATTERN = /^https?:\/\/[^/?#]*/;

/** The target in a request's URL. */
export function parseRequestTarget(url: string): RequestTarget {
  const [path = '', ...rest] = url.replace(ORIGIN_PATTERN, '').split('?');
  return { path, query: rest.join('?') };
}

/** What stands in the braces of an operation's path; undefined where that path is another. */
export function matchPath(
  { path: pattern, pathParameters }: Pick<Operation, 'path' | 'pathParameters'>,
  path: string,
): Readonly<Record<string, unknown>> | undefined {
  const expected = pattern.split('/');
  const parts = path.split('/');
  if (parts.length !== expected.length) return undefined;
  const values: Record<string, unknown> = {};
  for (const [index, part] of parts.entries()) {
    const name = /^\{(\w+)\}$/.exec(expected[index] ?? '')?.[1];
    if (name === undefined && part !== expected[index]) return undefined;
    if (name === undefined) continue;
    values[name] = pathParameters[name]?.parse(part);
    if (values[name] === undefined) return undefined;
  }
  return values;
}
