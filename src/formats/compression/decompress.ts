import { pipeline, Readable } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { InvalidFileError } from '../file-contents.ts';
import { ZstdFrames } from './zstd-frames.ts';

export type Compression = 'gzip' | 'zstd';

/** How a file is compressed, by its first four bytes; undefined where it is not. */
export function detectCompression(head: Uint8Array): Compression | undefined {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
  const zstd = [0x28, 0xb5, 0x2f, 0xfd].every((byte, index) => head[index] === byte);
  return zstd ? 'zstd' : undefined;
}

const CHUNK_BYTES = 256 * 1024;

/** What was compressed, to its very end: data that is broken or cut short is refused. */
export async function* decompress(
  chunks: AsyncIterable<Uint8Array>,
  compression: Compression,
): AsyncGenerator<Uint8Array> {
  const engine =
    compression === 'gzip' ? createGunzip({ chunkSize: CHUNK_BYTES }) : createZstdDecompressor();
  // Zstandard's engine takes an early end for the end.
  const frames = compression === 'zstd' ? new ZstdFrames() : undefined;
  let read = 0;
  async function* watched() {
    for await (const chunk of chunks) {
      read += chunk.length;
      frames?.feed(chunk);
      yield chunk;
    }
  }
  // The loop over the engine is told of every failure too, and ends the source where it is left.
  pipeline(Readable.from(watched(), { highWaterMark: 1 }), engine, () => {});
  try {
    yield* engine as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw toInvalidFileError(error, compression);
  }
  if (frames?.whole === false) throw createTruncatedError(compression);
  // Engines leave off at whatever follows the end, zeros for one: it may be data gone bad.
  if (engine.bytesWritten !== read) {
    throw new InvalidFileError(`has something else behind its ${compression} data`);
  }
}

const createZstdDecompressor = () => createZstdDecompress({ chunkSize: CHUNK_BYTES });

function toInvalidFileError(error: unknown, compression: Compression): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'Z_BUF_ERROR') return createTruncatedError(compression);
  if (!code?.startsWith('Z')) return error;
  return new InvalidFileError(`has broken ${compression} data`, { cause: error });
}

function createTruncatedError(compression: Compression): InvalidFileError {
  return new InvalidFileError(`is cut short: its ${compression} data has no end`);
}
