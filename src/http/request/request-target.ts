import type { Operation } from '../../catalogue/model/operation.ts';
import { DATA_PACKAGE_PATH } from '../../operations/data-package/data-package-operation.ts';
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

/** The values of an operation's path parameters; undefined if the path does not match. */
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

/** Links to the next page, which has the cursor, and to the first, for a `Link` header. */
export function createPaginationLinks(target: string, cursor: string): string {
  const first = encodeInvalid(removeParameter(target, 'cursor'));
  const separator = first.includes('?') ? '&' : '?';
  return `<${first}${separator}cursor=${cursor}>; rel="next", <${first}>; rel="first"`;
}

/** One link of a `Link` header (RFC 8288). */
export function formatLink(target: string, relation: string): string {
  return `<${encodeInvalid(target)}>; rel="${relation}"`;
}

function encodeInvalid(target: string): string {
  return INVALID_IN_LINK.test(target) ? target.replace(ALL_INVALID, encodeURIComponent) : target;
}

/** Characters that may not stand between angle brackets, or in a header: percent-encoded. */
const INVALID_IN_LINK = /[^!-~]|[<>"\\^`{|}]/u;
const ALL_INVALID = new RegExp(INVALID_IN_LINK, 'gu');

/** The link from data to its description: the data package. */
export const DESCRIBED_BY_LINK = formatLink(DATA_PACKAGE_PATH, 'describedby');

/** Also if a name is percent-encoded, or a segment empty, which is left out too. */
const MAY_HAVE_PARAMETER = {
  as_of: /%|[?&](?:as_of|&|$)/,
  cursor: /%|[?&](?:cursor|&|$)/,
};

/** The target without a parameter; the others keep their spelling. */
export function removeParameter(target: string, name: 'as_of' | 'cursor'): string {
  if (!MAY_HAVE_PARAMETER[name].test(target)) return target;
  const [path = '', ...query] = target.split('?');
  const pairs = query.join('?').split('&');
  const others = pairs.filter(
    (pair) => pair !== '' && decodeURIComponent(pair.split('=', 1)[0] ?? '') !== name,
  );
  return others.length === 0 ? path : `${path}?${others.join('&')}`;
}
