import { ACCEPT_DATETIME } from '../catalogue/accept-datetime.ts';
import type { Dataset } from '../catalogue/dataset.ts';
import type { Reading } from '../store/index.ts';
import type { Refusal } from './failures.ts';
import { refuse } from './failures.ts';

/** A reply without what differs from request to request. It can be sent any number of times. */
export interface Answer {
  readonly status: number;
  /** A blob, because Bun sends one again and again without copying it. */
  readonly body: Blob | null;
  readonly headers: Headers;
  /** The revision that it was made from; null where no data was read. */
  readonly revision: number | null;
}

export const ALLOWED_METHODS = 'GET, HEAD, OPTIONS';
const EXPOSED =
  'X-Request-Id, Tenor-Revision, Memento-Datetime, Link, Retry-After, WWW-Authenticate';

/** The answer that a dataset gives to what was read. */
export function dataAnswer(dataset: Dataset, { revision, count, records }: Reading): Answer {
  if (dataset.shape === 'fund' && count === 0) {
    return refusalAnswer(refuse('no_record_found'), revision);
  }
  const [open, close] = dataset.shape === 'fund' ? ['', ''] : ['[', ']'];
  const message = dataset.message ? '"message":"",' : '';
  // In parts: an answer may be megabytes, and joining it first would be one more copy of it.
  const body = new Blob([`{"status":"ok",${message}"data":${open}`, records, `${close}}`]);
  return { status: 200, body, headers: dataHeaders(revision), revision };
}

/** An answer of the past: it says of which instant it is, and where it can be asked for. */
export function mementoAnswer(answer: Answer, instant: Date, target: string): Answer {
  const headers = new Headers(answer.headers);
  // HTTP dates have whole seconds: a fraction is dropped, never rounded up.
  headers.set('Memento-Datetime', instant.toUTCString());
  headers.set('Link', `<${inHeader(target)}>; rel="original timegate"`);
  return { ...answer, headers };
}

/** The answer that tells of the ledger: `data` is JSON. It is always of the present. */
export function ledgerAnswer(data: string, revision: number): Answer {
  const body = new Blob([`{"status":"ok","data":${data}}`]);
  return { status: 200, body, headers: revisionHeaders(revision), revision };
}

/** The answer to a request that is refused; with a revision where the data itself refuses it. */
export function refusalAnswer(
  { status, message, headers }: Refusal,
  revision: number | null = null,
): Answer {
  const sent = revision === null ? jsonHeaders('no-store') : dataHeaders(revision);
  for (const [name, value] of Object.entries(headers ?? {})) sent.set(name, value);
  const body = new Blob([JSON.stringify({ status: 'error', message })]);
  return { status, body, headers: sent, revision };
}

export const FORBIDDEN = refusalAnswer(refuse('forbidden'));
export const NOT_FOUND = refusalAnswer(refuse('not_found'));

/** A document that is open to all and changes only with the program. */
export function documentAnswer(json: string): Answer {
  return { status: 200, body: new Blob([json]), headers: jsonHeaders('no-cache'), revision: null };
}

/** The answer to `OPTIONS`: what a browser asks before it sends a token across origins. */
export function optionsAnswer(): Answer {
  const headers = openHeaders();
  headers.set('Allow', ALLOWED_METHODS);
  headers.set('Access-Control-Allow-Methods', ALLOWED_METHODS);
  headers.set('Access-Control-Allow-Headers', `Authorization, ${ACCEPT_DATETIME}, X-Request-Id`);
  headers.set('Access-Control-Max-Age', '86400');
  return { status: 204, body: null, headers, revision: null };
}

function dataHeaders(revision: number): Headers {
  const headers = revisionHeaders(revision);
  headers.set('Vary', ACCEPT_DATETIME);
  return headers;
}

function revisionHeaders(revision: number): Headers {
  const headers = jsonHeaders('private, no-cache');
  headers.set('Tenor-Revision', String(revision));
  return headers;
}

function jsonHeaders(cacheControl: string): Headers {
  const headers = openHeaders();
  headers.set('Content-Type', 'application/json; charset=utf-8');
  headers.set('Cache-Control', cacheControl);
  return headers;
}

/** Any origin may read: what protects the data is the token, which no browser sends by itself. */
function openHeaders(): Headers {
  return new Headers({
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': EXPOSED,
  });
}

/** A target as it may stand between angle brackets in a header. */
function inHeader(target: string): string {
  return target.replace(/[^!-~]|[<>"\\^`{|}]/gu, encodeURIComponent);
}
