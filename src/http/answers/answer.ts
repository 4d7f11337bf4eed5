import { ACCEPT_DATETIME } from '../../catalogue/accept-datetime.ts';
import { representations } from '../../catalogue/representation.ts';
import type { Refusal } from '../failures.ts';
import { refuse } from '../failures.ts';
import type { Validators } from './conditional.ts';
import { etagOf } from './etag.ts';
import { link } from './links.ts';

/** A reply without what differs from request to request. It can be sent any number of times. */
export interface Answer {
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
  readonly stream?: Streamed;
}

/** A body that is made while it is sent. */
export interface Streamed {
  readonly bytes: ReadableStream<Uint8Array>;
  /** Settles when the last byte is taken, or when it was cut: with how many were, and why. */
  readonly sent: Promise<{ readonly bytes: number; readonly cause?: unknown }>;
}

export const ALLOWED_METHODS = 'GET, HEAD, OPTIONS';
const ASKED = [
  'Authorization, Accept, Prefer, X-Request-Id, Range, If-Range',
  `If-None-Match, If-Modified-Since, If-Match, If-Unmodified-Since, ${ACCEPT_DATETIME}`,
].join(', ');
const EXPOSED = [
  'X-Request-Id, Tenor-Revision, Tenor-Unconfirmed-Since, Memento-Datetime, Link',
  'Tenor-Total-Count, Preference-Applied',
  'ETag, Content-Disposition, Content-Range, Accept-Ranges, RateLimit, RateLimit-Policy',
  'Retry-After, WWW-Authenticate',
].join(', ');

/** An answer of the past: it says of which instant it is, and where it can be asked for. */
export function mementoAnswer(answer: Answer, instant: Date, target: string): Answer {
  const headers = new Headers(answer.headers);
  // HTTP dates have whole seconds: a fraction is dropped, never rounded up.
  headers.set('Memento-Datetime', instant.toUTCString());
  const others = headers.get('Link');
  const timegate = link(target, 'original timegate');
  headers.set('Link', others === null ? timegate : `${others}, ${timegate}`);
  return { ...answer, headers };
}

/** The answer of an operation beside the datasets: `data` is JSON. Tokens may see other parts. */
export function operationAnswer(data: string, revision: number, links?: string): Answer {
  const headers = jsonHeaders('private, no-cache');
  headers.set('Tenor-Revision', String(revision));
  headers.set('Vary', 'Accept-Encoding, Authorization');
  const body = new Blob([`{"status":"ok","data":${data}}`]);
  const etag = etagOf(data, undefined, links);
  headers.set('ETag', etag);
  if (links !== undefined) headers.set('Link', links);
  return { status: 200, body, headers, revision, validators: { etag }, isCompressible: true };
}

/** The answer to a request that is refused; with a revision where the data itself refuses it. */
export function refusalAnswer(
  { status, message, headers }: Refusal,
  revision: number | null = null,
): Answer {
  const sent = jsonHeaders(revision === null ? 'no-store' : 'private, no-cache');
  if (revision !== null) sent.set('Tenor-Revision', String(revision));
  for (const [name, value] of Object.entries(headers ?? {})) sent.set(name, value);
  const body = new Blob([JSON.stringify({ status: 'error', message })]);
  return { status, body, headers: sent, revision };
}

export const FORBIDDEN = refusalAnswer(refuse('forbidden'));
export const PRECONDITION_FAILED = refusalAnswer(refuse('precondition_failed'));
export const NOT_FOUND = refusalAnswer(refuse('not_found'));

/** A document that is open to all and changes only with the program. */
export function documentAnswer(json: string): Answer {
  const headers = jsonHeaders('no-cache');
  const etag = etagOf(json);
  headers.set('ETag', etag);
  headers.set('Vary', 'Accept-Encoding');
  const body = new Blob([json]);
  return { status: 200, body, headers, revision: null, validators: { etag }, isCompressible: true };
}

/** The answer to `OPTIONS`: what a browser asks before it sends a token across origins. */
export function optionsAnswer(): Answer {
  const headers = openHeaders();
  headers.set('Allow', ALLOWED_METHODS);
  headers.set('Access-Control-Allow-Methods', ALLOWED_METHODS);
  headers.set('Access-Control-Allow-Headers', ASKED);
  headers.set('Access-Control-Max-Age', '86400');
  return { status: 204, body: null, headers, revision: null };
}

function jsonHeaders(cacheControl: string): Headers {
  const headers = openHeaders();
  headers.set('Content-Type', representations.json.contentType);
  headers.set('Cache-Control', cacheControl);
  return headers;
}

/** Any origin may read: what protects the data is the token, which no browser sends by itself. */
export function openHeaders(): Headers {
  return new Headers({
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': EXPOSED,
  });
}
