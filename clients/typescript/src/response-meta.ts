import { TenorError } from './errors.ts';
import { parseLinkHeader } from './parse-link-header.ts';

/** An answer: what was asked for, and what the service says about it. */
export interface TenorResponse<Data> {
  readonly data: Data;
  readonly meta: ResponseMeta;
}

/** What the service says about an answer. */
export interface ResponseMeta {
  /** The data revision that the whole answer was made from. */
  readonly revision: number | undefined;
  /** How many records match in all; only where `count` asked for it. */
  readonly total: number | undefined;
  /** Where the next page is; undefined where nothing was left out. */
  readonly next: string | undefined;
  /** Of quotes with a next page: what they take, with the same parameters, to go on from there. */
  readonly cursor: string | undefined;
  /** Of an answer of the past: when its revision was published, in whole seconds. */
  readonly memento: Date | undefined;
  /** When what was answered last changed, in whole seconds. */
  readonly lastModified: Date | undefined;
  /** How many requests the token has left before it must wait. */
  readonly rateLimitLeft: number | undefined;
  readonly etag: string | undefined;
  /** Names the request in the logs of the service. */
  readonly requestId: string | undefined;
  /** Whether the service said that an answer which was kept here has not changed. */
  readonly cached: boolean;
}

/** What the headers of the answer to that address say. */
export function parseMeta(url: string, headers: Headers, cached: boolean): ResponseMeta {
  const text = (name: string) => headers.get(name) ?? undefined;
  const next = parseNextLink(url, headers);
  return {
    revision: parseInteger(text('tenor-revision')),
    total: parseInteger(text('tenor-total-count')),
    next,
    cursor: (next && new URL(next).searchParams.get('cursor')) ?? undefined,
    memento: parseDate(text('memento-datetime')),
    lastModified: parseDate(text('last-modified')),
    rateLimitLeft: parseRemaining(text('ratelimit') ?? ''),
    etag: text('etag'),
    requestId: text('x-request-id'),
    cached,
  };
}

/** A link that cannot be read is a failure: without it, what is missing would go unnoticed. */
function parseNextLink(url: string, headers: Headers): string | undefined {
  const links = parseLinkHeader(headers.get('link') ?? '');
  const next = links?.find(({ relations }) => relations.includes('next'));
  if (links && !next) return undefined;
  try {
    if (next) return new URL(next.target, url).href;
  } catch {}
  const requestId = headers.get('x-request-id') ?? undefined;
  throw new TenorError('malformed', 'the Link header of the answer cannot be read', {
    url,
    requestId,
  });
}

/** Of several policies, what the tightest leaves: `"minute";r=12;t=30, "day";r=900;t=3600`. */
function parseRemaining(header: string): number | undefined {
  const unquoted = header.replace(/"(?:[^"\\]|\\.)*"/g, '');
  const left = [...unquoted.matchAll(/;\s*r=(\d+)/g)].map(([, number]) => Number(number));
  return left.length > 0 ? Math.min(...left) : undefined;
}

function parseInteger(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

function parseDate(text: string | undefined): Date | undefined {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? undefined : new Date(ms);
}
