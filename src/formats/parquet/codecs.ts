import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { Compressors, FileMetaData } from 'hyparquet';
import { FileRefused } from '../format.ts';

type Undo = (bytes: Uint8Array, limit: { maxOutputLength: number }) => Uint8Array;

/** How compressed pages are undone: hyparquet brings Snappy, the runtime the others. */
export const decompressors: Compressors = {
  GZIP: within(gunzipSync),
  BROTLI: within(brotliDecompressSync),
  ZSTD: within(zstdDecompressSync),
};

/** Refuses a file with a compression that is not undone here, by its name. */
export function refuseUnknownCodec(footer: FileMetaData): void {
  for (const { meta_data } of footer.row_groups.flatMap(({ columns }) => columns)) {
    if (meta_data && !KNOWN.has(meta_data.codec)) {
      const known = [...KNOWN].join(', ');
      throw new FileRefused(`is compressed with ${meta_data.codec}; write it with ${known}`);
    }
  }
}

const KNOWN = new Set(['UNCOMPRESSED', 'SNAPPY', ...Object.keys(decompressors)]);

/** Stops at the size that the page's header promises, so that no page inflates past it. */
function within(undo: Undo): (bytes: Uint8Array, size: number) => Uint8Array {
  // A page of nulls alone has no bytes at all, which is no stream to any of them.
  return (bytes, size) => (size === 0 ? new Uint8Array() : undo(bytes, { maxOutputLength: size }));
}
