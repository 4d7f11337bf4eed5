import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';
import type { ContentEncoding } from '../request/content-negotiation.ts';

/** Fast levels: the best ones would save a few percent more. */
const COMPRESSORS: Readonly<Record<ContentEncoding, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  zstd: promisify(zstdCompress),
  br: (bytes) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: promisify(gzip),
};

export async function compress(body: Blob, encoding: ContentEncoding): Promise<Blob> {
  const bytes = await COMPRESSORS[encoding](await body.bytes());
  return new Blob([bytes as Uint8Array<ArrayBuffer>]);
}
