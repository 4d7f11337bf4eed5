import { InvalidFileError } from '../file-contents.ts';

const MAGIC = 0xfd2fb528;
const SKIPPABLE = 0x184d2a50;

type FramePart = 'magic' | 'descriptor' | 'block' | 'skippable';
const PART_LENGTHS: Readonly<Record<FramePart, number>> = {
  magic: 4,
  descriptor: 1,
  block: 3,
  skippable: 4,
};

/**
 * Walks over the frames of Zstandard data (RFC 8878, section 3.1) without undoing them, to tell
 * whether they are whole.
 */
export class ZstdFrames {
  #part: FramePart = 'magic';
  #skip = 0;
  /** The bytes of the part so far, as one little-endian number. */
  #value = 0;
  #have = 0;
  #checksum = false;

  /** Takes the next piece of the data. */
  feed(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; ) {
      const skipped = Math.min(this.#skip, chunk.length - at);
      this.#skip -= skipped;
      at += skipped;
      if (at === chunk.length) return;
      this.#value += (chunk[at++] ?? 0) * 256 ** this.#have++;
      if (this.#have < PART_LENGTHS[this.#part]) continue;
      this.#part = this.#after(this.#part, this.#value);
      this.#value = 0;
      this.#have = 0;
    }
  }

  /** Whether the data so far ends where a frame ends. */
  get whole(): boolean {
    return this.#part === 'magic' && this.#have === 0 && this.#skip === 0;
  }

  /** Sets what to skip behind this part, and says what follows then. */
  #after(part: FramePart, value: number): FramePart {
    if (part === 'magic') {
      if (value === MAGIC) return 'descriptor';
      if (value - (value % 16) === SKIPPABLE) return 'skippable';
      throw new InvalidFileError('has something else behind its zstd data');
    }
    if (part === 'skippable') {
      this.#skip = value;
      return 'magic';
    }
    if (part === 'descriptor') {
      this.#checksum = (value & 4) !== 0;
      this.#skip = getRemainingHeaderLength(value);
      return 'block';
    }
    // A block of one repeated byte holds just that byte; its size is what it stands for.
    this.#skip = ((value >> 1) & 3) === 1 ? 1 : value >> 3;
    const last = (value & 1) === 1;
    if (last && this.#checksum) this.#skip += 4;
    return last ? 'magic' : 'block';
  }
}

/** How many bytes of a frame's header follow its descriptor: window, dictionary, content size. */
function getRemainingHeaderLength(descriptor: number): number {
  const single = (descriptor & 32) !== 0;
  const dictionary = [0, 1, 2, 4][descriptor & 3] ?? 0;
  const contentSize = [single ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;
  return (single ? 0 : 1) + dictionary + contentSize;
}
