import type { ApiErrorCode } from '../../catalogue/model/api-errors.ts';
import { RESPONSE_FORMATS } from '../../catalogue/model/response-format.ts';
import type { Awaitable } from '../../shared/awaitable.ts';
import { system } from '../../shared/system.ts';
import { VERSION } from '../../version.ts';
import { HttpError } from '../http-error.ts';
import type { ContentEncoding } from '../request/request-headers.ts';
import { createBaseHeaders } from './cors.ts';
import type { ResponseBody } from './encode-page.ts';

/** A response without what differs from request to request, so that it can be sent many times. */
export interface HttpResponse {
  readonly status: number;
  readonly body: ResponseBody | null;
  readonly headers: Headers;
  /** The revision that was read; null if no data was. */
  readonly revision: number | null;
  /** How many records it has, if it is a page of them. */
  readonly records?: number;
  /** Absent if it is no error. */
  readonly errorCode?: ApiErrorCode;
  /** The message of an error, for the log. */
  readonly reason?: string;
  /** For conditional requests; absent if clients are not to store it. */
  readonly validators?: Validators;
  readonly isCompressible?: boolean;
  /** Its forms for content encodings, and for conditional requests. */
  variants?: Partial<Record<ContentEncoding | 'plain', ResponseVariant>>;
  /** Sent instead of the body. A response with a stream can be sent only once. */
  readonly stream?: StreamedBody;
}

export function countBodyBytes(body: ResponseBody): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.size;
}

/** Texts of JavaScript, unlike blobs, are counted by the collector, but late. */
const TEXT_WEIGHT = 1 / 4;

/** The weight of a body on the way to the next garbage collection. */
export function weighBody(body: ResponseBody | null): number {
  return typeof body === 'string' ? body.length * TEXT_WEIGHT : (body?.size ?? 0);
}

/** Called with the memory that work took outside of the heap. */
export type ReportAllocatedBytes = (bytes: number) => void;

const GC_INTERVAL_BYTES = 8 * 1024 * 1024;

/**
 * The collector does not count blobs, nor what SQLite allocates, so it would run too late by itself.
 * If nothing must wait for it, it collects while the program continues.
 */
export function createGarbageCollectionTrigger(mode: 'now' | 'concurrently'): ReportAllocatedBytes {
  let allocated = 0;
  return (bytes) => {
    allocated += bytes;
    if (allocated < GC_INTERVAL_BYTES) return;
    allocated = 0;
    Bun.gc(mode === 'now');
  };
}

export interface Validators {
  /** Strong: responses with the same tag have the same bytes. */
  readonly etag: string;
  readonly modified?: LastModified;
}

export interface LastModified {
  /** In whole seconds, the resolution of HTTP dates. */
  readonly atMs: number;
  /** Whether an earlier version has the same second, so that the date does not distinguish them. */
  readonly isAmbiguous: boolean;
}

/** The revision that last changed a dataset, and when it was published. */
export interface LastChange extends LastModified {
  readonly revision: number;
  readonly publishedAt: string;
}

/** A response in one content encoding. */
export interface ResponseVariant {
  readonly validators: Validators;
  compressed?: Awaitable<HttpResponse>;
  notModified?: HttpResponse;
}

/** A body that is created while it is sent. */
export interface StreamedBody {
  readonly bytes: ReadableStream<Uint8Array>;
  /** Whether it ends with the connection only: how long it takes says nothing about the server. */
  readonly isEndless?: true;
  /** Resolves at the end of the body, or when it is aborted: how many bytes were sent, and why. */
  readonly completion: Promise<{
    readonly bytes: number;
    /** How long creating it took; sending took the rest. */
    readonly createMs: number;
    readonly cause?: unknown;
    readonly isTooSlow?: true;
    /** Whether the client was sent all of it. */
    readonly isComplete?: true;
  }>;
}

/** A response that clients may store and revalidate by its tag. */
export function storableResponse(
  body: Blob,
  headers: Headers,
  { etag, revision = null }: { readonly etag: string; readonly revision?: number | null },
): HttpResponse {
  headers.set('ETag', etag);
  return { status: 200, body, headers, revision, validators: { etag }, isCompressible: true };
}

/** An error response; with a revision if the error follows from the data. */
export function errorResponse(
  { code: errorCode, status, message, reason, headers: errorHeaders = {} }: HttpError,
  revision: number | null = null,
): HttpResponse {
  const headers = createJsonHeaders(revision === null ? 'no-store' : 'private, no-cache');
  if (revision !== null) headers.set('Tenor-Revision', String(revision));
  for (const [name, value] of Object.entries(errorHeaders)) headers.set(name, value);
  const body = new Blob([JSON.stringify({ status: 'error', message })]);
  return { status, body, headers, revision, errorCode, reason };
}

/** The response to a method that a path does not take; `allowed` names those that it takes. */
export function methodNotAllowedResponse(allowed: string): HttpResponse {
  return errorResponse(new HttpError('invalid_method', {}, { Allow: allowed }));
}

/** A newer release has migrated the database; the server is about to end. */
export const MIGRATED_RESPONSE = errorResponse(
  new HttpError('temporarily_unavailable', {}, { 'Retry-After': '1' }),
);
export const FORBIDDEN_RESPONSE = errorResponse(new HttpError('forbidden'));
export const PRECONDITION_FAILED_RESPONSE = errorResponse(new HttpError('precondition_failed'));
export const NOT_FOUND_RESPONSE = errorResponse(new HttpError('not_found'));

/** A public JSON document, which changes with the program or with declarations. */
export function documentResponse(json: string): HttpResponse {
  const headers = createJsonHeaders('no-cache');
  headers.set('Vary', 'Accept-Encoding');
  return storableResponse(new Blob([json]), headers, { etag: computeEtag(json) });
}

export function createJsonHeaders(cacheControl: string): Headers {
  const { contentType } = RESPONSE_FORMATS.json;
  return createBaseHeaders({ 'Content-Type': contentType, 'Cache-Control': cacheControl });
}

/** RFC 9530: the digest of the bytes of a representation, in its content encoding. */
export const REPR_DIGEST = 'Repr-Digest';

/** Hashing so many bytes takes less than a millisecond. */
const MAX_SLICE_BYTES = 262_144;

/** Adds the digest of its body to a response; a large one lets other requests run in between. */
export function withReprDigest(response: HttpResponse): Awaitable<HttpResponse> {
  const { body, headers } = response;
  const hash = new Bun.CryptoHasher('sha256');
  const setHeader = () => {
    headers.set(REPR_DIGEST, formatReprDigest(hash.digest()));
    return response;
  };
  if (body instanceof Blob && body.size > MAX_SLICE_BYTES)
    return hashSlices(hash, body).then(setHeader);
  hash.update(body ?? '');
  return setHeader();
}

async function hashSlices(hash: Bun.CryptoHasher, body: Blob): Promise<void> {
  for (let from = 0; from < body.size; from += MAX_SLICE_BYTES) {
    hash.update(body.slice(from, from + MAX_SLICE_BYTES));
    await system.nextTurn();
  }
}

/** The value of the header for a SHA-256 digest. */
export function formatReprDigest(digest: Uint8Array): string {
  return `sha-256=:${digest.toBase64()}:`;
}

/** The `Cache-Control` of a response that never changes. */
export const IMMUTABLE_CACHE_CONTROL = 'private, max-age=31536000, immutable';

/** Another version of the program or of Bun may write the same records in other bytes. */
const ETAG_SEED = Bun.hash.xxHash3(`${VERSION} ${Bun.version}`);

interface EtagOptions {
  /** Comes after the hash: the format, if it is not JSON. */
  readonly suffix?: string | undefined;
  /** A text that the response depends on besides its content. */
  readonly dependency?: string | undefined;
}

/** A strong entity tag for a response with this content. */
export function computeEtag(content: string, { suffix, dependency }: EtagOptions = {}): string {
  // The dependency is hashed into the seed: joining the texts would copy megabytes.
  const seed = dependency ? Bun.hash.xxHash3(dependency, ETAG_SEED) : ETAG_SEED;
  const hash = Bun.hash.xxHash3(content, seed).toString(36);
  return suffix === undefined ? `"${hash}"` : `"${hash}-${suffix}"`;
}

/** The entity tag of the same response in a content encoding. */
export function etagForEncoding(etag: string, encoding: string): string {
  return `${etag.slice(0, -1)}-${encoding}"`;
}
