import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';
import type { ContentEncoding } from '../request/content-negotiation.ts';
import { negotiateEncoding } from '../request/content-negotiation.ts';
import { createTaskQueue } from '../runtime/task-queue.ts';
import type { ServerContext } from '../server-context.ts';
import { etagForEncoding } from './etag.ts';
import type { Validators } from './preconditions.ts';
import { evaluatePreconditions } from './preconditions.ts';
import type { HttpResponse } from './response.ts';
import { PRECONDITION_FAILED_RESPONSE } from './response.ts';
import type { ResponseCache } from './response-cache.ts';

/** Who is told of what is made on the way. */
interface FinalizeContext {
  readonly responseCache: Pick<ResponseCache, 'addBytes'>;
  readonly reportAllocatedBytes: ServerContext['reportAllocatedBytes'];
}

/**
 * What a request gets of an answer: all of it, in fewer bytes where that is welcome, or word that
 * the client has it already. Whatever is made on the way stays with the answer.
 */
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
  const way = getVariant(response, validators, encoding);
  const outcome = evaluatePreconditions(headers, way.validators);
  if (outcome === 'failed') return PRECONDITION_FAILED_RESPONSE;
  if (outcome === 'unchanged') {
    if (!way.notModified) {
      way.notModified = notModifiedResponse(response, way.validators);
      responseCache.addBytes(response, NOT_MODIFIED_OVERHEAD_BYTES);
    }
    return way.notModified;
  }
  if (encoding === undefined) return response;
  way.compressed ??= compressionQueue(() =>
    compressResponse(response, way.validators, encoding),
  ).then(
    (made) => {
      way.compressed = made;
      const bytes = made.body?.size ?? 0;
      responseCache.addBytes(response, bytes);
      // What it was made from was copied for it.
      reportAllocatedBytes((response.body?.size ?? 0) + bytes);
      return made;
    },
    (cause) => {
      // The next one tries anew.
      delete way.compressed;
      throw cause;
    },
  );
  return way.compressed;
}

/** A way in which an answer is sent, and what was made for it. */
interface ResponseVariant {
  readonly validators: Validators;
  compressed?: HttpResponse | Promise<HttpResponse>;
  notModified?: HttpResponse;
}

/** Each holds a body twice while it runs. */
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
  const known = variantCache.get(response) ?? {};
  variantCache.set(response, known);
  known[encoding ?? 'plain'] ??= {
    validators: encoding
      ? { ...validators, etag: etagForEncoding(validators.etag, encoding) }
      : validators,
  };
  return known[encoding ?? 'plain'] as ResponseVariant;
}

/** Roughly what an answer weighs that has headers alone. */
const NOT_MODIFIED_OVERHEAD_BYTES = 2_000;

/** Below this a body fits into one packet, and making it smaller gains nothing. */
const MIN_COMPRESSIBLE_BYTES = 1_024;

function shouldCompress({ isCompressible, body }: HttpResponse): boolean {
  return isCompressible === true && body !== null && body.size >= MIN_COMPRESSIBLE_BYTES;
}

/** Levels that are made in a moment: what they leave on the table is a few percent. */
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

/** What describes a body goes; what a client updates its copy with stays. */
function notModifiedResponse(response: HttpResponse, { etag }: Validators): HttpResponse {
  const headers = new Headers(response.headers);
  headers.set('ETag', etag);
  headers.delete('Content-Type');
  headers.delete('Content-Disposition');
  return { status: 304, body: null, headers, revision: response.revision };
}
