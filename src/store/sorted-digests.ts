import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { createDraftPath } from '../shared/draft-file.ts';
import { explainFileError } from '../shared/file-error.ts';
import { StoreUnavailableError } from './errors.ts';

export const DIGEST_BYTES = 32;
/** The bytes at the start of digests that are compared as a number, which is fast. */
const HEAD_BYTES = 6;
/** How many digests of each run are read at once. */
const READ_DIGESTS = 512;
/** How many digests are given at once. */
const CHUNK_DIGESTS = 4_096;
/** How many digests are in memory, if others may be in a file. */
const MAX_IN_MEMORY = 65_536;

/**
 * Digests in ascending order. With a folder, all but the last are in a temporary file there, in sorted
 * runs, so that their memory does not grow with their number.
 */
export class SortedDigests {
  #digests = Buffer.alloc(16 * DIGEST_BYTES);
  #count = 0;
  // Used for one run after another.
  #sorted = Buffer.alloc(0);
  #numbers = new BigUint64Array(0);
  #file: number | undefined;
  /** The number of digests in each run. */
  readonly #runs: number[] = [];

  constructor(
    private readonly folder: string | undefined,
    private readonly maxInMemory = MAX_IN_MEMORY,
  ) {}

  add(digest: Uint8Array): void {
    const start = this.#count * DIGEST_BYTES;
    if (start === this.#digests.length)
      this.#digests = Buffer.concat([this.#digests], 2 * this.#digests.length);
    this.#digests.set(digest, start);
    this.#count++;
    if (this.#count === this.maxInMemory && this.folder !== undefined) this.#writeRun(this.folder);
  }

  /** All digests in chunks, each until the next one is taken. */
  *readChunks(): Generator<Uint8Array> {
    const chunk = Buffer.alloc(CHUNK_DIGESTS * DIGEST_BYTES);
    let length = 0;
    for (const { bytes, position } of mergeRuns(this.#openRuns())) {
      bytes.copy(chunk, length, position, position + DIGEST_BYTES);
      length += DIGEST_BYTES;
      if (length < chunk.length) continue;
      yield chunk;
      length = 0;
    }
    yield chunk.subarray(0, length);
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #writeRun(folder: string): void {
    const sorted = this.#sort();
    withFileErrors(folder, () => {
      this.#file ??= openUnnamedFile(folder);
      for (let written = 0; written < sorted.length; )
        written += writeSync(this.#file, sorted, written);
    });
    this.#runs.push(this.#count);
    this.#count = 0;
  }

  #openRuns(): SortedRun[] {
    const sorted = this.#sort();
    const runs = [new SortedRun(sorted, () => 0)];
    let start = 0;
    for (const count of this.#runs) {
      let position = start;
      start += count * DIGEST_BYTES;
      const end = start;
      const buffer = Buffer.alloc(READ_DIGESTS * DIGEST_BYTES);
      const fill = () => {
        const length = Math.min(buffer.length, end - position);
        const read = withFileErrors(this.folder ?? '', () =>
          length === 0 ? 0 : readSync(this.#file as number, buffer, 0, length, position),
        );
        position += read;
        return read;
      };
      runs.push(new SortedRun(buffer, fill, fill()));
    }
    return runs.filter(({ isAtEnd }) => !isAtEnd);
  }

  /** By their first four bytes as numbers; the few with the same ones by all bytes. */
  #sort(): Buffer {
    const digests = this.#digests;
    if (this.#sorted.length < this.#count * DIGEST_BYTES) {
      this.#sorted = Buffer.alloc(this.#count * DIGEST_BYTES);
      this.#numbers = new BigUint64Array(this.#count);
    }
    const sorted = this.#sorted.subarray(0, this.#count * DIGEST_BYTES);
    const numbers = this.#numbers.subarray(0, this.#count);
    const halves = new DataView(numbers.buffer);
    for (let index = 0; index < this.#count; index++) {
      halves.setUint32(8 * index, index, true);
      halves.setUint32(8 * index + 4, digests.readUInt32BE(index * DIGEST_BYTES), true);
    }
    numbers.sort();
    for (let rank = 0; rank < this.#count; rank++) {
      const start = halves.getUint32(8 * rank, true) * DIGEST_BYTES;
      let target = rank * DIGEST_BYTES;
      const isBefore = (other: number) => compareDigests(digests, start, sorted, other) < 0;
      for (; target > 0 && isBefore(target - DIGEST_BYTES); target -= DIGEST_BYTES)
        sorted.copy(sorted, target, target - DIGEST_BYTES, target);
      digests.copy(sorted, target, start, start + DIGEST_BYTES);
    }
    return sorted;
  }
}

function compareDigests(a: Buffer, start: number, b: Buffer, otherStart: number): number {
  return a.compare(b, otherStart, otherStart + DIGEST_BYTES, start, start + DIGEST_BYTES);
}

/** Digests in ascending order, of which some are in memory: the first is at `position` of `bytes`. */
class SortedRun {
  position = 0;
  head = 0;

  constructor(
    readonly bytes: Buffer,
    /** Reads the next ones into the bytes; returns how many bytes there are. */
    private readonly fill: () => number,
    private length = bytes.length,
  ) {
    this.#readHead();
  }

  get isAtEnd(): boolean {
    return this.length === 0;
  }

  advance(): void {
    this.position += DIGEST_BYTES;
    if (this.position === this.length) {
      this.length = this.fill();
      this.position = 0;
    }
    this.#readHead();
  }

  isBefore(other: SortedRun): boolean {
    if (this.head !== other.head) return this.head < other.head;
    return compareDigests(this.bytes, this.position, other.bytes, other.position) < 0;
  }

  #readHead(): void {
    if (!this.isAtEnd) this.head = this.bytes.readUIntBE(this.position, HEAD_BYTES);
  }
}

/** The run with the least digest, again and again: a heap, in which no run is before its parent. */
function* mergeRuns(runs: SortedRun[]): Generator<SortedRun> {
  for (let index = runs.length >> 1; index-- > 0; ) sink(runs, index);
  for (let first = runs[0]; first; first = runs[0]) {
    yield first;
    first.advance();
    if (first.isAtEnd) {
      const last = runs.pop() as SortedRun;
      if (last !== first) runs[0] = last;
    }
    sink(runs, 0);
  }
}

function sink(runs: SortedRun[], start: number): void {
  const run = runs[start];
  if (!run) return;
  let index = start;
  for (;;) {
    let child = 2 * index + 1;
    const [left, right] = [runs[child], runs[child + 1]];
    if (left && right?.isBefore(left)) child++;
    const least = runs[child];
    if (!least?.isBefore(run)) break;
    runs[index] = least;
    index = child;
  }
  runs[index] = run;
}

/** A file that its owner alone can read, and that ends with this process, however that ends. */
function openUnnamedFile(folder: string): number {
  const path = createDraftPath(folder);
  const file = openSync(path, 'wx+', 0o600);
  rmSync(path);
  return file;
}

function withFileErrors<T>(folder: string, operation: () => T): T {
  try {
    return operation();
  } catch (cause) {
    const reason = explainFileError(cause as Error, folder);
    throw new StoreUnavailableError(`cannot use a temporary file: ${reason}`, { cause });
  }
}
