import { TenorError } from './errors.ts';
import { parseLinkHeader } from './parse-link-header.ts';

/** A response: its data, and what its headers say about them. */
export interface TenorResponse<Data> {
  readonly data: Data;
  readonly meta: ResponseMeta;
}

/** The facts about the data of a response that its headers state. */
export interface ResponseMeta {
  /** The revision of all its data. */
  readonly revision: number | undefined;
  /** The instant at which that revision was published: another one if the database is another. */
  readonly publishedAt: string | undefined;
  /** That of the revision `since`, in changes. */
  readonly sincePublishedAt: string | undefined;
  /** The number of records that match in total; only with the `count` option. */
  readonly total: number | undefined;
  /** Whether more records match than were sent: `all` reads them, `cursor` the next page. */
  readonly hasMore: boolean;
  /** The URL of the next page; undefined on the last one. */
  readonly next: string | undefined;
  /** The `cursor` parameter of the next page, to be sent with the same parameters. */
  readonly cursor: string | undefined;
  /** The name of the dataset that has taken the place of this one, which is deprecated. */
  readonly successor: string | undefined;
  /** The units of computed figures, in their order: of transforms and aligned tables. */
  readonly units: readonly string[] | undefined;
  /** The instant at which the revision of an as-of response was published, in whole seconds. */
  readonly memento: Date | undefined;
  /** The instant at which the data last changed, in whole seconds. */
  readonly lastModified: Date | undefined;
  /** The remaining requests of the token's rate limit. */
  readonly rateLimitLeft: number | undefined;
  readonly etag: string | undefined;
  /** Identifies the request in the logs of the service. */
  readonly requestId: string | undefined;
  /** Whether the response came from the cache, after the service answered 304. */
  readonly cached: boolean;
}

export function parseMeta(url: string, headers: Headers, cached: boolean): ResponseMeta {
  const text = (name: string) => headers.get(name) ?? undefined;
  const next = parseNextLink(url, headers);
  return {
    revision: parseInteger(text('tenor-revision')),
    publishedAt: text('tenor-published-at'),
    sincePublishedAt: text('tenor-since-published-at'),
    total: parseInteger(text('tenor-total-count')),
    hasMore: next !== undefined,
    next,
    cursor: (next && new URL(next).searchParams.get('cursor')) ?? undefined,
    successor: parseSuccessor(text('link') ?? ''),
    units: parseUnits(text('tenor-units')),
    memento: parseDate(text('memento-datetime')),
    lastModified: parseDate(text('last-modified')),
    rateLimitLeft: parseRemaining(text('ratelimit') ?? ''),
    etag: text('etag'),
    requestId: text('x-request-id'),
    cached,
  };
}

/** The cursor of the next page; undefined on the last one. Only the query of its URL is read. */
export function parseCursor({ headers }: Response): string | undefined {
  return parseMeta('http://localhost/', headers, false).cursor;
}

/** A malformed link is an error: ignoring it would silently skip the remaining pages. */
function parseNextLink(url: string, headers: Headers): string | undefined {
  const links = parseLinkHeader(headers.get('link') ?? '');
  const next = links?.find(({ relations }) => relations.includes('next'));
  if (links && !next) return undefined;
  try {
    if (next) return new URL(next.target, url).href;
  } catch {}
  const requestId = headers.get('x-request-id') ?? undefined;
  throw new TenorError('malformed', 'the Link header of the response is malformed', {
    url,
    requestId,
  });
}

function parseSuccessor(header: string): string | undefined {
  const links = parseLinkHeader(header) ?? [];
  const link = links.find(({ relations }) => relations.includes('successor-version'));
  return link && /\/datasets\/([\w-]+)$/.exec(link.target)?.[1];
}

/** A list of strings by RFC 9651: `"percent", %"%e2%82%a8 billion"`. */
function parseUnits(header: string | undefined): string[] | undefined {
  const strings = header?.matchAll(/(%?)"((?:[^"\\]|\\.)*)"/g);
  return (
    strings &&
    Array.from(strings, ([, isEncoded, text = '']) =>
      isEncoded ? decodeURIComponent(text) : text.replace(/\\(.)/g, '$1'),
    )
  );
}

/** The smallest remainder of all policies: `"minute";r=12;t=30, "day";r=900;t=3600`. */
function parseRemaining(header: string): number | undefined {
  const unquoted = header.replace(/"(?:[^"\\]|\\.)*"/g, '');
  const remaining = [...unquoted.matchAll(/;\s*r=(\d+)/g)].map(([, number]) => Number(number));
  return remaining.length > 0 ? Math.min(...remaining) : undefined;
}

function parseInteger(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

function parseDate(text: string | undefined): Date | undefined {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? undefined : new Date(ms);
}
