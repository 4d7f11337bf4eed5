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
  readonly memory: Pick<ResponseCache, 'grow'>;
  readonly collect: ServerContext['collect'];
}

/**
 * What a request gets of an answer: all of it, in fewer bytes where that is welcome, or word that
 * the client has it already. Whatever is made on the way stays with the answer.
 */
export function finalizeResponse(
  headers: Headers,
  answer: HttpResponse,
  { memory, collect }: FinalizeContext,
): HttpResponse | Promise<HttpResponse> {
  const { validators } = answer;
  if (!validators) return answer;
  const encoding = shouldCompress(answer)
    ? negotiateEncoding(headers.get('accept-encoding'))
    : undefined;
  const way = getVariant(answer, validators, encoding);
  const outcome = evaluatePreconditions(headers, way.validators);
  if (outcome === 'failed') return PRECONDITION_FAILED_RESPONSE;
  if (outcome === 'unchanged') {
    if (!way.unchanged) {
      way.unchanged = notModifiedResponse(answer, way.validators);
      memory.grow(answer, NOT_MODIFIED_OVERHEAD_BYTES);
    }
    return way.unchanged;
  }
  if (encoding === undefined) return answer;
  way.whole ??= compressionQueue(() => compressResponse(answer, way.validators, encoding)).then(
    (made) => {
      way.whole = made;
      const bytes = made.body?.size ?? 0;
      memory.grow(answer, bytes);
      // What it was made from was copied for it.
      collect((answer.body?.size ?? 0) + bytes);
      return made;
    },
    (cause) => {
      // The next one tries anew.
      delete way.whole;
      throw cause;
    },
  );
  return way.whole;
}

/** A way in which an answer is sent, and what was made for it. */
interface ResponseVariant {
  readonly validators: Validators;
  whole?: HttpResponse | Promise<HttpResponse>;
  unchanged?: HttpResponse;
}

/** Each holds a body twice while it runs. */
const compressionQueue = createTaskQueue(2);

const variantCache = new WeakMap<
  HttpResponse,
  Partial<Record<ContentEncoding | 'plain', ResponseVariant>>
>();

function getVariant(
  answer: HttpResponse,
  validators: Validators,
  encoding: ContentEncoding | undefined,
): ResponseVariant {
  const known = variantCache.get(answer) ?? {};
  variantCache.set(answer, known);
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
  answer: HttpResponse,
  validators: Validators,
  encoding: ContentEncoding,
): Promise<HttpResponse> {
  const plain = await (answer.body ?? new Blob()).bytes();
  const bytes = await COMPRESSORS[encoding](plain);
  const headers = new Headers(answer.headers);
  headers.set('ETag', validators.etag);
  headers.set('Content-Encoding', encoding);
  return { ...answer, body: new Blob([bytes as Uint8Array<ArrayBuffer>]), headers, validators };
}

/** What describes a body goes; what a client updates its copy with stays. */
function notModifiedResponse(answer: HttpResponse, { etag }: Validators): HttpResponse {
  const headers = new Headers(answer.headers);
  headers.set('ETag', etag);
  headers.delete('Content-Type');
  headers.delete('Content-Disposition');
  return { status: 304, body: null, headers, revision: answer.revision };
}
