import { InvalidFileError } from '../file-contents.ts';

const ZSTD_MAGIC = 0xfd2fb528;
const SKIPPABLE_MAGIC = 0x184d2a50;

type FramePart = 'magic_number' | 'frame_header_descriptor' | 'block_header' | 'frame_size';
const PART_LENGTHS: Readonly<Record<FramePart, number>> = {
  magic_number: 4,
  frame_header_descriptor: 1,
  block_header: 3,
  frame_size: 4,
};

/** Skips through frames (RFC 8878, section 3.1) to find whether the last one is complete. */
export class ZstdFrames {
  #part: FramePart = 'magic_number';
  #skip = 0;
  /** The little-endian number of the part's bytes so far. */
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

  /** Whether the data ends at the end of a frame. */
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
