import type { JsonSchema } from '../catalogue/model/json-schema.ts';
import { ACCEPT_DATETIME, acceptDatetime } from '../catalogue/model/parameter.ts';

export const RESPONSE_HEADERS = {
  'X-Request-Id': stringHeader(
    'Identifies the request in the logs; a valid id sent by the client is reused',
  ),
  traceresponse: stringHeader(
    'Only if the request has a valid `traceparent`: its trace, and the span of this request (W3C Trace Context)',
    '00-4bf92f3577b34da6a3ce929d0e0e4736-9d1c0f2a5b7e8d60-01',
  ),
  'Tenor-Revision': integerHeader('The data revision of the response'),
  'Tenor-Published-At': stringHeader(
    'When that revision was published; absent before the first one. Another instant beside a number that is known: the database was replaced, or the revision was lost. Read everything again',
    '2026-07-03T06:13:00.123Z',
  ),
  'Tenor-Since-Published-At': stringHeader(
    'Only if `since` or `Last-Event-ID` names a revision: when that one was published. Another instant than the one that is known: read everything again',
  ),
  'Tenor-Unconfirmed-Since': stringHeader(
    'Only while the database is unreachable: when it last responded. The data is the newest known then',
    'Fri, 03 Jul 2026 06:13:00 GMT',
  ),
  ETag: stringHeader(
    'A strong tag of these bytes, for If-None-Match; it differs between formats and encodings',
    '"3lelncwjt38l2"',
  ),
  'Last-Modified': stringHeader(
    'When the data was last published, for If-Modified-Since; absent if figures are computed',
    'Fri, 03 Jul 2026 06:13:00 GMT',
  ),
  Vary: stringHeader(
    'The request headers that the response depends on',
    `Accept, Accept-Encoding, Prefer, ${ACCEPT_DATETIME}`,
  ),
  'Content-Disposition': stringHeader(
    'A file name; on every format but JSON',
    'attachment; filename="quotes.csv"',
  ),
  'Memento-Datetime': stringHeader(
    'Only on an as-of response: when its revision was published, in whole seconds; the requested instant if that is before the first revision',
    'Wed, 01 Jul 2026 13:05:00 GMT',
  ),
  'Repr-Digest': stringHeader(
    'Only on a response that never changes (`as_of` with the number of a revision), and on an export, a large one only once it has been created to its end: the SHA-256 of the bytes in their content encoding (RFC 9530); with `Range`, of the whole file',
    'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:',
  ),
  Deprecation: stringHeader(
    'Only if another dataset has taken the place of this one: when that was declared, in seconds since 1970 (RFC 9745). `Link` has it as `rel="successor-version"`',
    '@1783058400',
  ),
  'Tenor-Units': stringHeader(
    'Only if figures are computed by `units` or `frequency`: the unit of each measure or column, in their order, as a list of strings (RFC 9651)',
    '"percent", "percent"',
  ),
  Link: stringHeader(
    'If more records match than were sent: `rel="next"`, the same request with a cursor, and `rel="first"`. On records of a dataset: `rel="describedby"`, the data package that describes them. On an as-of response: `rel="original timegate"`, the URL that takes `Accept-Datetime`',
    '</2.0/bnb/quote?limit=5&cursor=kx3Wq0l8T0u0cUq1Jm2C5A>; rel="next", </2.0/bnb/quote?limit=5>; rel="first", </datapackage.json>; rel="describedby"',
  ),
  'Tenor-Total-Count': integerHeader(
    'Number of all matching records; only with `Prefer: count=exact`',
  ),
  'Preference-Applied': stringHeader('The preference that was applied', 'count=exact'),
  'RateLimit-Policy': stringHeader(
    'Requests (q) that the token may make in a window of seconds (w); absent if it has no limit',
    '"requests";q=60000;w=60',
  ),
  RateLimit: stringHeader(
    'Remaining requests (r) and seconds until the limit resets (t)',
    '"requests";r=59874;t=1',
  ),
  'Accept-Ranges': stringHeader('That byte ranges of the file can be requested', 'bytes'),
  'Content-Range': stringHeader(
    'The byte range that was sent and the size of the file',
    'bytes 1000-1999/73109',
  ),
  'WWW-Authenticate': stringHeader('How to authenticate', 'Bearer realm="tenor"'),
  'Retry-After': integerHeader('Seconds to wait before the next request', 1),
} as const satisfies Record<string, HeaderObject>;

export type ResponseHeaderName = keyof typeof RESPONSE_HEADERS;

const DECLARED_REQUEST_HEADERS = {
  [ACCEPT_DATETIME]: defineRequestHeader(
    `${acceptDatetime.description}. Must be ${acceptDatetime.requirement}.`,
    acceptDatetime.example,
    acceptDatetime.schema,
  ),
  'Tenor-Revision': defineRequestHeader(
    'A revision that the client has seen: the response is from that one or a later one, whichever process or machine sends it. One that has not got it waits for up to a second, then it sends 503',
    42,
    { type: 'integer', minimum: 0, maximum: 9_999_999_999 },
  ),
  Prefer: defineRequestHeader(
    'With `count=exact`, the response has the number of all matching records (RFC 7240)',
    'count=exact',
  ),
  'If-None-Match': defineRequestHeader(
    'Tags of what the client has: if the response has one of them, 304 is sent without a body',
    '"3lelncwjt38l2"',
  ),
  'If-Modified-Since': defineRequestHeader(
    'The Last-Modified of what the client has; ignored if If-None-Match is sent',
    'Fri, 03 Jul 2026 06:13:00 GMT',
  ),
  'Last-Event-ID': defineRequestHeader(
    'The `id` of the last event that the client got: the events of all later revisions are sent. Must be the number of a revision that there is, or 0 for all of them.',
    42,
    { type: 'integer', minimum: 0, maximum: 999_999_999 },
  ),
  Range: defineRequestHeader('The requested bytes of the file (RFC 9110)', 'bytes=1000-'),
  'If-Range': defineRequestHeader(
    'The ETag of the file that the range belongs to; if it is unknown, the whole current file is sent',
    '"3lelncwjt38l2"',
  ),
} as const;

/** The request headers, by name, without `Accept`, which OpenAPI expresses as response content. */
export const REQUEST_HEADERS = Object.fromEntries(
  Object.entries(DECLARED_REQUEST_HEADERS).map(([name, header]) => [name, { name, ...header }]),
) as Record<RequestHeaderName, { name: string } & ReturnType<typeof defineRequestHeader>>;

export type RequestHeaderName = keyof typeof DECLARED_REQUEST_HEADERS;

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

function defineRequestHeader(
  description: string,
  example: string | number,
  schema: JsonSchema = { type: 'string' },
) {
  return { in: 'header', description, required: false, schema, example };
}
