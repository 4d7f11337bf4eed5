import { promisify } from 'node:util';
import { isMainThread } from 'node:worker_threads';
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  gzip,
  gzipSync,
  zstdCompress,
  zstdCompressSync,
} from 'node:zlib';
import type { ContentEncoding } from '../request/content-negotiation.ts';

type Compressor = (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>;

/** A fast level: the best one would save a few percent more. */
const BROTLI_OPTIONS = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** The thread that answers must not wait; the background thread keeps its own low priority. */
const COMPRESSORS: Readonly<Record<ContentEncoding, Compressor>> = isMainThread
  ? {
      zstd: promisify(zstdCompress),
      br: (bytes) => promisify(brotliCompress)(bytes, BROTLI_OPTIONS),
      gzip: promisify(gzip),
    }
  : {
      zstd: (bytes) => zstdCompressSync(bytes),
      br: (bytes) => brotliCompressSync(bytes, BROTLI_OPTIONS),
      gzip: (bytes) => gzipSync(bytes),
    };

export async function compress(body: Blob, encoding: ContentEncoding): Promise<Blob> {
  const bytes = await COMPRESSORS[encoding](await body.bytes());
  return new Blob([bytes as Uint8Array<ArrayBuffer>]);
}
