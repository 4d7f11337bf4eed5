import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { Compressors, FileMetaData } from 'hyparquet';
import { InvalidFileError } from '../file-contents.ts';

type Decompress = (bytes: Uint8Array, limit: { maxOutputLength: number }) => Uint8Array;

/** How compressed pages are undone: hyparquet brings Snappy, the runtime the others. */
export const DECOMPRESSORS: Compressors = {
  GZIP: withOutputLimit(gunzipSync),
  BROTLI: withOutputLimit(brotliDecompressSync),
  ZSTD: withOutputLimit(zstdDecompressSync),
};

/** Refuses a file with a compression that is not undone here, by its name. */
export function assertSupportedCodecs(footer: FileMetaData): void {
  for (const { meta_data } of footer.row_groups.flatMap(({ columns }) => columns)) {
    if (meta_data && !SUPPORTED_CODECS.has(meta_data.codec)) {
      const known = [...SUPPORTED_CODECS].join(', ');
      throw new InvalidFileError(`is compressed with ${meta_data.codec}; write it with ${known}`);
    }
  }
}

const SUPPORTED_CODECS = new Set(['UNCOMPRESSED', 'SNAPPY', ...Object.keys(DECOMPRESSORS)]);

/** Stops at the size that the page's header promises, so that no page inflates past it. */
function withOutputLimit(undo: Decompress): (bytes: Uint8Array, size: number) => Uint8Array {
  // A page of nulls alone has no bytes at all, which is no stream to any of them.
  return (bytes, size) => (size === 0 ? new Uint8Array() : undo(bytes, { maxOutputLength: size }));
}
