import { ACCEPT_DATETIME, acceptDatetime } from '../catalogue/model/accept-datetime.ts';
import type { JsonSchema } from '../catalogue/model/json-schema.ts';

/** The headers of replies, by name. */
export const RESPONSE_HEADERS = {
  'X-Request-Id': stringHeader('Names the request in the logs; a sane one from the client is kept'),
  'Tenor-Revision': integerHeader('The data revision that the whole reply was made from'),
  'Tenor-Unconfirmed-Since': stringHeader(
    'Only while the database does not answer: when it last did. The reply is the newest that was known then',
    'Fri, 03 Jul 2026 06:13:00 GMT',
  ),
  ETag: stringHeader(
    'A strong tag of these bytes, for If-None-Match: another form or encoding has another one',
    '"3lelncwjt38l2"',
  ),
  'Last-Modified': stringHeader(
    'When the data was last published, for If-Modified-Since',
    'Fri, 03 Jul 2026 06:13:00 GMT',
  ),
  Vary: stringHeader(
    'The request headers that the answer depends on',
    `Accept, Accept-Encoding, Prefer, ${ACCEPT_DATETIME}`,
  ),
  'Content-Disposition': stringHeader(
    'A name for the file; on every form but JSON',
    'attachment; filename="quotes.csv"',
  ),
  'Memento-Datetime': stringHeader(
    'Only on an answer of the past: when its revision was published, in whole seconds; the instant that was asked for where that is before the first revision',
    'Wed, 01 Jul 2026 13:05:00 GMT',
  ),
  Link: stringHeader(
    'Where more records match than were sent: `rel="next"`, the same request with a cursor, and `rel="first"`. On an answer of the past: `rel="original timegate"`, where it and its like can be asked for',
    '</2.0/bnb/quote?limit=5&cursor=kx3Wq0l8T0u0cUq1Jm2C5A>; rel="next", </2.0/bnb/quote?limit=5>; rel="first"',
  ),
  'Tenor-Total-Count': integerHeader(
    'How many records match in all; only with `Prefer: count=exact`',
  ),
  'Preference-Applied': stringHeader('The preference that was met', 'count=exact'),
  'RateLimit-Policy': stringHeader(
    'How many requests (q) the token may make in so many seconds (w); absent where it has no limit',
    '"requests";q=60000;w=60',
  ),
  RateLimit: stringHeader(
    'How many requests are left (r), and in how many seconds all are again (t)',
    '"requests";r=59874;t=1',
  ),
  'Accept-Ranges': stringHeader('That a part of the file can be asked for', 'bytes'),
  'Content-Range': stringHeader('Which bytes of how many these are', 'bytes 1000-1999/73109'),
  'WWW-Authenticate': stringHeader('How to authenticate', 'Bearer realm="tenor"'),
  'Retry-After': integerHeader('Seconds to wait before asking again', 1),
} as const satisfies Record<string, HeaderObject>;

export type ResponseHeaderName = keyof typeof RESPONSE_HEADERS;

/** References to headers of replies. */
export function responseHeaderRefs(names: readonly ResponseHeaderName[]): object {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Headers that requests may carry, by name. `Accept` is not among them: OpenAPI has it elsewhere. */
export const REQUEST_HEADERS = {
  [ACCEPT_DATETIME]: defineRequestHeader(
    ACCEPT_DATETIME,
    `${acceptDatetime.description}. Must be ${acceptDatetime.requirement}.`,
    acceptDatetime.example,
  ),
  Prefer: defineRequestHeader(
    'Prefer',
    'With `count=exact`, the reply tells how many records match in all (RFC 7240)',
    'count=exact',
  ),
  'If-None-Match': defineRequestHeader(
    'If-None-Match',
    'Tags of what the client has: if the answer is one of them, 304 comes without a body',
    '"3lelncwjt38l2"',
  ),
  'If-Modified-Since': defineRequestHeader(
    'If-Modified-Since',
    'The Last-Modified of what the client has; without effect beside If-None-Match',
    'Fri, 03 Jul 2026 06:13:00 GMT',
  ),
  Range: defineRequestHeader(
    'Range',
    'Which bytes of the file are wanted (RFC 9110)',
    'bytes=1000-',
  ),
  'If-Range': defineRequestHeader(
    'If-Range',
    'The ETag of the file that the range is of; if there is none such, all of the present one comes',
    '"3lelncwjt38l2"',
  ),
} as const;

export type RequestHeaderName = keyof typeof REQUEST_HEADERS;

/** References to headers of requests. */
export function requestHeaderRefs(names: readonly RequestHeaderName[]): object[] {
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

interface HeaderObject {
  readonly description: string;
  readonly schema: JsonSchema;
  readonly example?: string;
}

function stringHeader(description: string, example?: string): HeaderObject {
  return { description, schema: { type: 'string' }, ...(example && { example }) };
}

function integerHeader(description: string, minimum = 0): HeaderObject {
  return { description, schema: { type: 'integer', minimum } };
}

function defineRequestHeader(name: string, description: string, example: string): object {
  return { name, in: 'header', description, required: false, schema: { type: 'string' }, example };
}
