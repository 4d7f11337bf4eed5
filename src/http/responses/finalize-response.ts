import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';
import { type ContentEncoding, negotiateEncoding } from '../request/content-negotiation.ts';
import { createTaskQueue } from '../runtime/task-queue.ts';
import type { ServerContext } from '../server-context.ts';
import { etagForEncoding } from './etag.ts';
import { evaluatePreconditions, type Validators } from './preconditions.ts';
import { type HttpResponse, PRECONDITION_FAILED_RESPONSE } from './response.ts';
import type { ResponseCache } from './response-cache.ts';

interface FinalizeContext extends Pick<ServerContext, 'reportAllocatedBytes'> {
  readonly responseCache: Pick<ResponseCache, 'addBytes'>;
}

/** The response, compressed where the client accepts that, or a 304 or 412. */
export function finalizeResponse(
  headers: Headers,
  response: HttpResponse,
  { responseCache, reportAllocatedBytes }: FinalizeContext,
): HttpResponse | Promise<HttpResponse> {
  const { validators } = response;
  if (!validators) return response;
  const encoding = shouldCompress(response)
    ? negotiateEncoding(headers.get('accept-encoding'))
    : undefined;
  const variant = getVariant(response, validators, encoding);
  const outcome = evaluatePreconditions(headers, variant.validators);
  if (outcome === 'failed') return PRECONDITION_FAILED_RESPONSE;
  if (outcome === 'unchanged') {
    if (!variant.notModified) {
      variant.notModified = notModifiedResponse(response, variant.validators);
      responseCache.addBytes(response, NOT_MODIFIED_OVERHEAD_BYTES);
    }
    return variant.notModified;
  }
  if (encoding === undefined) return response;
  variant.compressed ??= compressionQueue(() =>
    compressResponse(response, variant.validators, encoding),
  ).then(
    (compressed) => {
      variant.compressed = compressed;
      const bytes = compressed.body?.size ?? 0;
      responseCache.addBytes(response, bytes);
      // Compressing copies the body.
      reportAllocatedBytes((response.body?.size ?? 0) + bytes);
      return compressed;
    },
    (cause) => {
      // The next request tries again.
      delete variant.compressed;
      throw cause;
    },
  );
  return variant.compressed;
}

/** A response in one content encoding. */
interface ResponseVariant {
  readonly validators: Validators;
  compressed?: HttpResponse | Promise<HttpResponse>;
  notModified?: HttpResponse;
}

/** Each compression holds a body twice in memory. */
const compressionQueue = createTaskQueue(2);

const variantCache = new WeakMap<
  HttpResponse,
  Partial<Record<ContentEncoding | 'plain', ResponseVariant>>
>();

function getVariant(
  response: HttpResponse,
  validators: Validators,
  encoding: ContentEncoding | undefined,
): ResponseVariant {
  const variants = variantCache.get(response) ?? {};
  variantCache.set(response, variants);
  const variant = variants[encoding ?? 'plain'] ?? {
    validators: encoding
      ? { ...validators, etag: etagForEncoding(validators.etag, encoding) }
      : validators,
  };
  variants[encoding ?? 'plain'] = variant;
  return variant;
}

/** Roughly the memory of a response without a body. */
const NOT_MODIFIED_OVERHEAD_BYTES = 2_000;

/** A smaller body fits into one packet, so that compressing it gains nothing. */
const MIN_COMPRESSIBLE_BYTES = 1_024;

function shouldCompress({ isCompressible, body }: HttpResponse): boolean {
  return isCompressible === true && body !== null && body.size >= MIN_COMPRESSIBLE_BYTES;
}

/** Fast levels: the best ones would save a few percent more. */
const COMPRESSORS: Readonly<Record<ContentEncoding, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  zstd: promisify(zstdCompress),
  br: (bytes) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: promisify(gzip),
};

async function compressResponse(
  response: HttpResponse,
  validators: Validators,
  encoding: ContentEncoding,
): Promise<HttpResponse> {
  const plain = await (response.body ?? new Blob()).bytes();
  const bytes = await COMPRESSORS[encoding](plain);
  const headers = new Headers(response.headers);
  headers.set('ETag', validators.etag);
  headers.set('Content-Encoding', encoding);
  return { ...response, body: new Blob([bytes as Uint8Array<ArrayBuffer>]), headers, validators };
}

/** Without the headers that describe a body, but with those that update a client's copy. */
function notModifiedResponse(response: HttpResponse, { etag }: Validators): HttpResponse {
  const headers = new Headers(response.headers);
  headers.set('ETag', etag);
  headers.delete('Content-Type');
  headers.delete('Content-Disposition');
  return { status: 304, body: null, headers, revision: response.revision };
}
