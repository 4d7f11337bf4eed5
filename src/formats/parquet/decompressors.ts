import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { type Compressors, type FileMetaData, snappyUncompress } from 'hyparquet';
import { createLookupTable } from '../../shared/lookup-table.ts';
import { InvalidFileError } from '../file-contents.ts';

type Decompress = (bytes: Uint8Array, limit: { maxOutputLength: number }) => Uint8Array;

/** Decompressors of pages, by codec. */
export const DECOMPRESSORS = createLookupTable({
  UNCOMPRESSED: (bytes) => bytes,
  SNAPPY: (bytes, size) => {
    const output = new Uint8Array(size);
    snappyUncompress(bytes, output);
    return output;
  },
  GZIP: withOutputLimit(gunzipSync),
  BROTLI: withOutputLimit(brotliDecompressSync),
  ZSTD: withOutputLimit(zstdDecompressSync),
}) satisfies Compressors;

export function assertSupportedCodecs(footer: FileMetaData): void {
  for (const { meta_data } of footer.row_groups.flatMap(({ columns }) => columns)) {
    if (!meta_data || Object.hasOwn(DECOMPRESSORS, meta_data.codec)) continue;
    const supported = Object.keys(DECOMPRESSORS).join(', ');
    throw new InvalidFileError(
      `is compressed with ${meta_data.codec ?? 'an unknown codec'}; write it with ${supported}`,
    );
  }
}

/** No page decompresses to more than the size in its header. */
function withOutputLimit(decompress: Decompress): (bytes: Uint8Array, size: number) => Uint8Array {
  // A page of nulls has no bytes, which no decompressor accepts.
  return (bytes, size) =>
    size === 0 ? new Uint8Array() : decompress(bytes, { maxOutputLength: size });
}
