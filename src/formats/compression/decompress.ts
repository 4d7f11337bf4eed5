import { pipeline, Readable } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { InvalidFileError } from '../file-contents.ts';
import { ZstdFrames } from './zstd-frames.ts';

export type Compression = 'gzip' | 'zstd';

/** By the first four bytes of a file; undefined where it is not compressed. */
export function detectCompression(head: Uint8Array): Compression | undefined {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
  const zstd = [0x28, 0xb5, 0x2f, 0xfd].every((byte, index) => head[index] === byte);
  return zstd ? 'zstd' : undefined;
}

const CHUNK_BYTES = 256 * 1024;

/** Decompresses a stream to its end; rejects broken, truncated and trailing data. */
export async function* decompress(
  chunks: AsyncIterable<Uint8Array>,
  compression: Compression,
): AsyncGenerator<Uint8Array> {
  const options = { chunkSize: CHUNK_BYTES };
  const decompressor =
    compression === 'gzip' ? createGunzip(options) : createZstdDecompress(options);
  // The zstd decompressor accepts truncated data.
  const frames = compression === 'zstd' ? new ZstdFrames() : undefined;
  let bytesRead = 0;
  async function* countBytes() {
    for await (const chunk of chunks) {
      bytesRead += chunk.length;
      frames?.feed(chunk);
      yield chunk;
    }
  }
  // Errors surface where the decompressor is read, and leaving that loop closes the source.
  pipeline(Readable.from(countBytes(), { highWaterMark: 1 }), decompressor, () => {});
  try {
    yield* decompressor as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw toInvalidFileError(error, compression);
  }
  if (frames?.isComplete === false) throw createTruncatedError(compression);
  // Decompressors stop at trailing bytes, which may be corrupt data.
  if (decompressor.bytesWritten !== bytesRead)
    throw new InvalidFileError(`has something else after its ${compression} data`);
}

function toInvalidFileError(error: unknown, compression: Compression): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'Z_BUF_ERROR') return createTruncatedError(compression);
  if (!code?.startsWith('Z')) return error;
  return new InvalidFileError(`has broken ${compression} data`, { cause: error });
}

function createTruncatedError(compression: Compression): InvalidFileError {
  return new InvalidFileError(`is cut short: its ${compression} data has no end`);
}
