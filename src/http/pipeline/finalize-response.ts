import { AbandonedError } from '../../shared/abandoned-error.ts';
import type { Awaitable } from '../../shared/awaitable.ts';
import { OverloadedError } from '../../shared/overloaded-error.ts';
import { system } from '../../shared/system.ts';
import { compress } from '../background/background-work.ts';
import { type ContentEncoding, negotiateEncoding } from '../request/request-headers.ts';
import {
  countBodyBytes,
  etagForEncoding,
  type HttpResponse,
  type LastModified,
  PRECONDITION_FAILED_RESPONSE,
  REPR_DIGEST,
  type ResponseVariant,
  type Validators,
  withReprDigest,
} from '../responses/response.ts';
import type { Exchange } from './exchange.ts';

/** The response, compressed if the client accepts that, or a 304 or 412. */
export function finalizeResponse(
  exchange: Exchange,
  response: HttpResponse,
): Awaitable<HttpResponse> {
  const { validators } = response;
  if (!validators) return response;
  const { headers, database } = exchange;
  const encoding = shouldCompress(response)
    ? negotiateEncoding(headers.get('accept-encoding'))
    : undefined;
  const variant = getVariant(response, validators, encoding);
  const outcome = evaluatePreconditions(headers, variant.validators);
  if (outcome === 'failed') return PRECONDITION_FAILED_RESPONSE;
  if (outcome === 'unchanged') {
    if (!variant.notModified) {
      variant.notModified = notModifiedResponse(response, variant.validators);
      database.responseCache.addBytes(response, NOT_MODIFIED_OVERHEAD_BYTES);
    }
    return variant.notModified;
  }
  if (encoding === undefined) return response;
  if (variant.compressed) return variant.compressed;
  if (exchange.signal.aborted) throw new AbandonedError();
  variant.compressed = compressVariant(exchange, response, variant, encoding);
  return variant.compressed;
}

async function compressVariant(
  exchange: Exchange,
  response: HttpResponse,
  variant: ResponseVariant,
  encoding: ContentEncoding,
): Promise<HttpResponse> {
  const { scheduler, responseCache, reportAllocatedBytes } = exchange.database;
  const { validators } = variant;
  const type = response.headers.get('Content-Type') ?? '';
  const plain = new Blob([response.body ?? ''], { type });
  const cost = Math.ceil(plain.size / BYTES_PER_REQUEST);
  // Other requests may wait for it too, so it does not end with the first client.
  const owner = {
    principal: exchange.principal,
    signal: NEVER_ABORTED,
    charge: (requests: number) => exchange.charge(requests),
  };
  try {
    const body = await scheduler.run(owner, cost, (background) =>
      background ? background.compress(plain, encoding) : compress(plain, encoding),
    );
    // Compressing copies the body.
    reportAllocatedBytes(plain.size + body.size);
    const headers = new Headers(response.headers);
    headers.set('ETag', validators.etag);
    headers.set('Content-Encoding', encoding);
    const { variants: _, ...plainResponse } = response;
    const compressed = { ...plainResponse, body, headers, validators };
    variant.compressed = headers.has(REPR_DIGEST) ? await withReprDigest(compressed) : compressed;
    responseCache.addBytes(response, body.size);
    return variant.compressed;
  } catch (cause) {
    // The next request tries again; this one is better off with more bytes than with an error.
    delete variant.compressed;
    if (cause instanceof OverloadedError) return response;
    throw cause;
  }
}

const NEVER_ABORTED = new AbortController().signal;

/** Roughly what takes as long to compress as a small request takes. */
const BYTES_PER_REQUEST = 32_768;

function getVariant(
  response: HttpResponse,
  validators: Validators,
  encoding: ContentEncoding | undefined,
): ResponseVariant {
  response.variants ??= {};
  response.variants[encoding ?? 'plain'] ??= {
    validators: encoding
      ? { ...validators, etag: etagForEncoding(validators.etag, encoding) }
      : validators,
  };
  return response.variants[encoding ?? 'plain'] as ResponseVariant;
}

/** Roughly the memory of a response without a body. */
const NOT_MODIFIED_OVERHEAD_BYTES = 2_000;

/** A smaller body fits into one packet, so that compressing it gains nothing. */
const MIN_COMPRESSIBLE_BYTES = 1_024;

function shouldCompress({ isCompressible, body }: HttpResponse): boolean {
  if (!isCompressible || body === null) return false;
  // No text has fewer bytes than characters, and counting bytes takes longer.
  const isLongText = typeof body === 'string' && body.length >= MIN_COMPRESSIBLE_BYTES;
  return isLongText || countBodyBytes(body) >= MIN_COMPRESSIBLE_BYTES;
}

/** Without the headers that describe a body, but with those that update a client's copy. */
function notModifiedResponse(response: HttpResponse, { etag }: Validators): HttpResponse {
  const headers = new Headers(response.headers);
  headers.set('ETag', etag);
  headers.delete('Content-Type');
  headers.delete('Content-Disposition');
  headers.delete(REPR_DIGEST);
  return { status: 304, body: null, headers, revision: response.revision };
}

export type PreconditionResult = 'send' | 'unchanged' | 'failed';

/** Evaluates the conditions of a GET (RFC 9110, 13.2.2): send the response, a 304 or a 412. */
export function evaluatePreconditions(
  headers: Headers,
  { etag, modified: lastModified }: Validators,
): PreconditionResult {
  // The response does not have a date in the future.
  const modified = lastModified && lastModified.atMs <= system.now() ? lastModified : undefined;
  const ifMatch = headers.get('if-match');
  if (ifMatch !== null) {
    if (!parseEtags(ifMatch).some((tag) => tag === '*' || tag === etag)) return 'failed';
  } else if (modified) {
    const sinceMs = parseHttpDate(headers.get('if-unmodified-since'));
    if (modified.atMs > sinceMs) return 'failed';
  }
  const ifNoneMatch = headers.get('if-none-match');
  if (ifNoneMatch !== null)
    return ifNoneMatch === etag || matchesAnyEtag(ifNoneMatch, etag) ? 'unchanged' : 'send';
  return modified && isNotModifiedSince(headers, modified) ? 'unchanged' : 'send';
}

/** Compares weakly, as RFC 9110 has it for `If-None-Match`. */
function matchesAnyEtag(header: string, etag: string): boolean {
  return parseEtags(header).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag);
}

function isNotModifiedSince(headers: Headers, { atMs, isAmbiguous }: LastModified): boolean {
  const sinceMs = parseHttpDate(headers.get('if-modified-since'));
  return isAmbiguous ? atMs < sinceMs : atMs <= sinceMs;
}

function parseEtags(header: string): readonly string[] {
  if (header.trim() === '*') return ['*'];
  return header.match(/(?:W\/)?"[^"]*"/g) ?? [];
}

/** NaN, which compares as neither before nor after, if the header is no HTTP date. */
export function parseHttpDate(header: string | null): number {
  if (header === null || !HTTP_DATE_PATTERNS.some((pattern) => pattern.test(header)))
    return Number.NaN;
  const ms = Date.parse(header.includes('GMT') ? header : `${header} GMT`);
  // Parsing turns 31 June into 1 July: the day, the first number in all formats, must be the same.
  return new Date(ms).getUTCDate() === Number(/\d+/.exec(header)?.[0]) ? ms : Number.NaN;
}

/** The current format of HTTP dates, and the two obsolete ones. */
const HTTP_DATE_PATTERNS = [
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/,
  /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$/,
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/,
];
