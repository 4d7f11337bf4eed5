import { ACCEPT_DATETIME } from '../../catalogue/model/accept-datetime.ts';
import { RESPONSE_FORMATS } from '../../catalogue/model/response-format.ts';
import type { HttpError } from '../http-error.ts';
import { createHttpError } from '../http-error.ts';
import { computeEtag } from './etag.ts';
import { formatLink } from './links.ts';
import type { Validators } from './preconditions.ts';

/** A reply without what differs from request to request. It can be sent any number of times. */
export interface HttpResponse {
  readonly status: number;
  /** A blob, because Bun sends one again and again without copying it. */
  readonly body: Blob | null;
  readonly headers: Headers;
  /** The revision that it was made from; null where no data was read. */
  readonly revision: number | null;
  /** What tells whether a client has it already; absent where nobody is to keep it. */
  readonly validators?: Validators;
  /** Whether it may be sent in a smaller form. */
  readonly isCompressible?: boolean;
  /** What is sent in the place of the body. An answer that has this can be sent only once. */
  readonly stream?: StreamedBody;
}

/** A body that is made while it is sent. */
export interface StreamedBody {
  readonly bytes: ReadableStream<Uint8Array>;
  /** Settles when the last byte is taken, or when it was cut: with how many were, and why. */
  readonly completion: Promise<{ readonly bytes: number; readonly cause?: unknown }>;
}

export const ALLOWED_METHODS = 'GET, HEAD, OPTIONS';
const CORS_ALLOWED_HEADERS = [
  'Authorization, Accept, Prefer, X-Request-Id, Range, If-Range',
  `If-None-Match, If-Modified-Since, If-Match, If-Unmodified-Since, ${ACCEPT_DATETIME}`,
].join(', ');
const CORS_EXPOSED_HEADERS = [
  'X-Request-Id, Tenor-Revision, Tenor-Unconfirmed-Since, Memento-Datetime, Link',
  'Tenor-Total-Count, Preference-Applied',
  'ETag, Content-Disposition, Content-Range, Accept-Ranges, RateLimit, RateLimit-Policy',
  'Retry-After, WWW-Authenticate',
].join(', ');

/** An answer of the past: it says of which instant it is, and where it can be asked for. */
export function withMemento(response: HttpResponse, instant: Date, target: string): HttpResponse {
  const headers = new Headers(response.headers);
  // HTTP dates have whole seconds: a fraction is dropped, never rounded up.
  headers.set('Memento-Datetime', instant.toUTCString());
  const others = headers.get('Link');
  const timegate = formatLink(target, 'original timegate');
  headers.set('Link', others === null ? timegate : `${others}, ${timegate}`);
  return { ...response, headers };
}

/** The answer of an operation beside the datasets: `data` is JSON. Tokens may see other parts. */
export function operationResponse(data: string, revision: number, links?: string): HttpResponse {
  const headers = createJsonHeaders('private, no-cache');
  headers.set('Tenor-Revision', String(revision));
  headers.set('Vary', 'Accept-Encoding, Authorization');
  const body = new Blob([`{"status":"ok","data":${data}}`]);
  const etag = computeEtag(data, undefined, links);
  headers.set('ETag', etag);
  if (links !== undefined) headers.set('Link', links);
  return { status: 200, body, headers, revision, validators: { etag }, isCompressible: true };
}

/** The answer to a request that is refused; with a revision where the data itself refuses it. */
export function errorResponse(
  { status, message, headers }: HttpError,
  revision: number | null = null,
): HttpResponse {
  const sent = createJsonHeaders(revision === null ? 'no-store' : 'private, no-cache');
  if (revision !== null) sent.set('Tenor-Revision', String(revision));
  for (const [name, value] of Object.entries(headers ?? {})) sent.set(name, value);
  const body = new Blob([JSON.stringify({ status: 'error', message })]);
  return { status, body, headers: sent, revision };
}

export const FORBIDDEN_RESPONSE = errorResponse(createHttpError('forbidden'));
export const PRECONDITION_FAILED_RESPONSE = errorResponse(createHttpError('precondition_failed'));
export const NOT_FOUND_RESPONSE = errorResponse(createHttpError('not_found'));

/** A document that is open to all and changes only with the program. */
export function documentResponse(json: string): HttpResponse {
  const headers = createJsonHeaders('no-cache');
  const etag = computeEtag(json);
  headers.set('ETag', etag);
  headers.set('Vary', 'Accept-Encoding');
  const body = new Blob([json]);
  return { status: 200, body, headers, revision: null, validators: { etag }, isCompressible: true };
}

/** The answer to `OPTIONS`: what a browser asks before it sends a token across origins. */
export function optionsResponse(): HttpResponse {
  const headers = createCorsHeaders();
  headers.set('Allow', ALLOWED_METHODS);
  headers.set('Access-Control-Allow-Methods', ALLOWED_METHODS);
  headers.set('Access-Control-Allow-Headers', CORS_ALLOWED_HEADERS);
  headers.set('Access-Control-Max-Age', '86400');
  return { status: 204, body: null, headers, revision: null };
}

function createJsonHeaders(cacheControl: string): Headers {
  const headers = createCorsHeaders();
  headers.set('Content-Type', RESPONSE_FORMATS.json.contentType);
  headers.set('Cache-Control', cacheControl);
  return headers;
}

/** Any origin may read: what protects the data is the token, which no browser sends by itself. */
export function createCorsHeaders(): Headers {
  return new Headers({
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': CORS_EXPOSED_HEADERS,
  });
}
