import { ACCEPT_DATETIME, acceptDatetime } from '../catalogue/accept-datetime.ts';
import type { JsonSchema } from '../catalogue/field.ts';

/** The headers of replies, by name. */
export const headers = {
  'X-Request-Id': text('Names the request in the logs; a sane one from the client is kept'),
  'Tenor-Revision': whole('The data revision that the whole reply was made from'),
  'Tenor-Unconfirmed-Since': text(
    'Only while the database does not answer: when it last did. The reply is the newest that was known then',
    'Fri, 03 Jul 2026 06:13:00 GMT',
  ),
  ETag: text(
    'A strong tag of these bytes, for If-None-Match: another form or encoding has another one',
    '"3lelncwjt38l2"',
  ),
  'Last-Modified': text(
    'When the data was last published, for If-Modified-Since',
    'Fri, 03 Jul 2026 06:13:00 GMT',
  ),
  Vary: text(
    'The request headers that the answer depends on',
    `Accept, Accept-Encoding, Prefer, ${ACCEPT_DATETIME}`,
  ),
  'Content-Disposition': text(
    'A name for the file; on every form but JSON',
    'attachment; filename="quotes.csv"',
  ),
  'Memento-Datetime': text(
    'Only on an answer of the past: when its revision was published, in whole seconds; the instant that was asked for where that is before the first revision',
    'Wed, 01 Jul 2026 13:05:00 GMT',
  ),
  Link: text(
    'Where more records match than were sent: `rel="next"`, the same request with a cursor, and `rel="first"`. On an answer of the past: `rel="original timegate"`, where it and its like can be asked for',
    '</2.0/bnb/quote?limit=5&cursor=kx3Wq0l8T0u0cUq1Jm2C5A>; rel="next", </2.0/bnb/quote?limit=5>; rel="first"',
  ),
  'Tenor-Total-Count': whole('How many records match in all; only with `Prefer: count=exact`'),
  'Preference-Applied': text('The preference that was met', 'count=exact'),
  'RateLimit-Policy': text(
    'How many requests (q) the token may make in so many seconds (w); absent where it has no limit',
    '"requests";q=60000;w=60',
  ),
  RateLimit: text(
    'How many requests are left (r), and in how many seconds all are again (t)',
    '"requests";r=59874;t=1',
  ),
  'Accept-Ranges': text('That a part of the file can be asked for', 'bytes'),
  'Content-Range': text('Which bytes of how many these are', 'bytes 1000-1999/73109'),
  'WWW-Authenticate': text('How to authenticate', 'Bearer realm="tenor"'),
  'Retry-After': whole('Seconds to wait before asking again', 1),
} as const satisfies Record<string, Header>;

export type HeaderName = keyof typeof headers;

/** References to headers of replies. */
export function headerReferences(names: readonly HeaderName[]): object {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Headers that requests may carry, by name. `Accept` is not among them: OpenAPI has it elsewhere. */
export const requestHeaders = {
  [ACCEPT_DATETIME]: requestHeader(
    ACCEPT_DATETIME,
    `${acceptDatetime.meaning}. Must be ${acceptDatetime.rule}.`,
    acceptDatetime.example,
  ),
  Prefer: requestHeader(
    'Prefer',
    'With `count=exact`, the reply tells how many records match in all (RFC 7240)',
    'count=exact',
  ),
  'If-None-Match': requestHeader(
    'If-None-Match',
    'Tags of what the client has: if the answer is one of them, 304 comes without a body',
    '"3lelncwjt38l2"',
  ),
  'If-Modified-Since': requestHeader(
    'If-Modified-Since',
    'The Last-Modified of what the client has; without effect beside If-None-Match',
    'Fri, 03 Jul 2026 06:13:00 GMT',
  ),
  Range: requestHeader('Range', 'Which bytes of the file are wanted (RFC 9110)', 'bytes=1000-'),
  'If-Range': requestHeader(
    'If-Range',
    'The ETag of the file that the range is of; if there is none such, all of the present one comes',
    '"3lelncwjt38l2"',
  ),
} as const;

export type RequestHeaderName = keyof typeof requestHeaders;

/** References to headers of requests. */
export function requestHeaderReferences(names: readonly RequestHeaderName[]): object[] {
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

interface Header {
  readonly description: string;
  readonly schema: JsonSchema;
  readonly example?: string;
}

function text(description: string, example?: string): Header {
  return { description, schema: { type: 'string' }, ...(example && { example }) };
}

function whole(description: string, minimum = 0): Header {
  return { description, schema: { type: 'integer', minimum } };
}

function requestHeader(name: string, description: string, example: string): object {
  return { name, in: 'header', description, required: false, schema: { type: 'string' }, example };
}
