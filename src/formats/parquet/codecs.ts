import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { Compressors, FileMetaData } from 'hyparquet';
import { InvalidFileError } from '../file-contents.ts';

type Decompress = (bytes: Uint8Array, limit: { maxOutputLength: number }) => Uint8Array;

/** Decompressors of pages; hyparquet has Snappy. */
export const DECOMPRESSORS: Compressors = {
  GZIP: withOutputLimit(gunzipSync),
  BROTLI: withOutputLimit(brotliDecompressSync),
  ZSTD: withOutputLimit(zstdDecompressSync),
};

export function assertSupportedCodecs(footer: FileMetaData): void {
  for (const { meta_data } of footer.row_groups.flatMap(({ columns }) => columns)) {
    if (!meta_data || SUPPORTED_CODECS.has(meta_data.codec)) continue;
    const supported = [...SUPPORTED_CODECS].join(', ');
    throw new InvalidFileError(`is compressed with ${meta_data.codec}; write it with ${supported}`);
  }
}

const SUPPORTED_CODECS = new Set(['UNCOMPRESSED', 'SNAPPY', ...Object.keys(DECOMPRESSORS)]);

/** No page decompresses to more than the size in its header. */
function withOutputLimit(decompress: Decompress): (bytes: Uint8Array, size: number) => Uint8Array {
  // A page of nulls has no bytes, which no decompressor accepts.
  return (bytes, size) =>
    size === 0 ? new Uint8Array() : decompress(bytes, { maxOutputLength: size });
}
