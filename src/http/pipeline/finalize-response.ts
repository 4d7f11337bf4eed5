import { AbandonedError } from '../../shared/abandoned-error.ts';
import type { Awaitable } from '../../shared/awaitable.ts';
import { OverloadedError } from '../../shared/overloaded-error.ts';
import { compress } from '../background/background-work.ts';
import { type ContentEncoding, negotiateEncoding } from '../request/request-headers.ts';
import {
  countBodyBytes,
  type HttpResponse,
  PRECONDITION_FAILED_RESPONSE,
  REPR_DIGEST,
  type ResponseVariant,
  withReprDigest,
} from '../responses/response.ts';
import {
  etagForEncoding,
  evaluatePreconditions,
  type Validators,
} from '../responses/validators.ts';
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
