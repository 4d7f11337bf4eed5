import { pipeline, Readable } from 'node:stream';
import { InvalidFileError } from './file-contents.ts';

export type Compression = 'gzip' | 'zstd';

/** By the first four bytes of a file; undefined if it is not compressed. */
export function detectCompression(head: Uint8Array): Compression | undefined {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
  const zstd = [0x28, 0xb5, 0x2f, 0xfd].every((byte, index) => head[index] === byte);
  return zstd ? 'zstd' : undefined;
}

const CHUNK_BYTES = 256 * 1024;

/** Data may inflate a thousandfold if it only repeats itself; tables inflate to a hundred times their size at most. */
const MAX_RATIO = 200;
const FREE_BYTES = 64 * 1024 ** 2;

/** Rejects data that inflates to far more than tables do, before it fills a disk or hours. */
export function assertNoBomb(name: string, bytes: number, compressedBytes: number): void {
  if (bytes > FREE_BYTES && bytes > MAX_RATIO * compressedBytes)
    throw new InvalidFileError(`is a bomb: ${name} inflates to over ${MAX_RATIO} times its size`);
}

/** Decompresses a stream to its end; rejects corrupt, truncated and trailing data. */
export async function* decompress(
  chunks: AsyncIterable<Uint8Array>,
  compression: Compression,
): AsyncGenerator<Uint8Array> {
  const { createGunzip, createZstdDecompress } = await import('node:zlib');
  const options = { chunkSize: CHUNK_BYTES };
  const decompressor =
    compression === 'gzip' ? createGunzip(options) : createZstdDecompress(options);
  // The zstd decompressor accepts truncated data.
  const frames = compression === 'zstd' ? new ZstdFrames() : undefined;
  let [bytesRead, bytesWritten] = [0, 0];
  async function* countBytes() {
    for await (const chunk of chunks) {
      bytesRead += chunk.length;
      frames?.feed(chunk);
      yield chunk;
    }
  }
  // Errors surface in the loop that reads the decompressor; leaving that loop closes the source.
  pipeline(Readable.from(countBytes(), { highWaterMark: 1 }), decompressor, () => {});
  try {
    for await (const chunk of decompressor as AsyncIterable<Uint8Array>) {
      bytesWritten += chunk.length;
      assertNoBomb(`its ${compression} data`, bytesWritten, bytesRead);
      yield chunk;
    }
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

const ZSTD_MAGIC = 0xfd2fb528;
const SKIPPABLE_MAGIC = 0x184d2a50;

const PART_LENGTHS = {
  magic_number: 4,
  frame_header_descriptor: 1,
  block_header: 3,
  frame_size: 4,
};
type FramePart = keyof typeof PART_LENGTHS;

/** Tracks the boundaries of frames (RFC 8878, section 3.1) to find whether the last one is complete. */
class ZstdFrames {
  #part: FramePart = 'magic_number';
  #skip = 0;
  /** The little-endian number in the part's bytes so far. */
  #value = 0;
  #byteCount = 0;
  #hasChecksum = false;

  feed(chunk: Uint8Array): void {
    for (let index = 0; index < chunk.length; ) {
      const skipped = Math.min(this.#skip, chunk.length - index);
      this.#skip -= skipped;
      index += skipped;
      if (index === chunk.length) return;
      this.#value += (chunk[index++] ?? 0) * 256 ** this.#byteCount++;
      if (this.#byteCount < PART_LENGTHS[this.#part]) continue;
      this.#part = this.#endPart(this.#part, this.#value);
      this.#value = 0;
      this.#byteCount = 0;
    }
  }

  get isComplete(): boolean {
    return this.#part === 'magic_number' && this.#byteCount === 0 && this.#skip === 0;
  }

  /** Sets how many bytes to skip after this part, and returns the next part. */
  #endPart(part: FramePart, value: number): FramePart {
    if (part === 'magic_number') {
      if (value === ZSTD_MAGIC) return 'frame_header_descriptor';
      if (value - (value % 16) === SKIPPABLE_MAGIC) return 'frame_size';
      throw new InvalidFileError('has something else after its zstd data');
    }
    if (part === 'frame_size') {
      this.#skip = value;
      return 'magic_number';
    }
    if (part === 'frame_header_descriptor') {
      this.#hasChecksum = (value & 4) !== 0;
      this.#skip = getRemainingHeaderLength(value);
      return 'block_header';
    }
    // An RLE block holds one byte; its size is the number of repetitions.
    this.#skip = ((value >> 1) & 3) === 1 ? 1 : value >> 3;
    const isLast = (value & 1) === 1;
    if (isLast && this.#hasChecksum) this.#skip += 4;
    return isLast ? 'magic_number' : 'block_header';
  }
}

/** The bytes of window descriptor, dictionary id and frame content size. */
function getRemainingHeaderLength(descriptor: number): number {
  const isSingleSegment = (descriptor & 32) !== 0;
  const dictionary = [0, 1, 2, 4][descriptor & 3] ?? 0;
  const contentSize = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;
  return (isSingleSegment ? 0 : 1) + dictionary + contentSize;
}
