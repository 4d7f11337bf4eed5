import { type ByteChunks, countBytes } from './chunks.ts';

/** Which files are large, and how many bytes those have that were made to their end. */
export interface LargeFiles {
  has(file: string): boolean;
  add(file: string): void;
  /** How many bytes it has; undefined where nobody knows yet. */
  getLength(file: string): number | undefined;
  /** The pieces of a large file. Once all are made, its length is known, unless it was given up. */
  measure(file: string, chunks: ByteChunks, signal: AbortSignal): ByteChunks;
}

const MAX_TRACKED_FILES = 1_000;

/** Knows so many files at the most; then it begins anew. */
export function createLargeFiles(): LargeFiles {
  const known = new Map<string, number | undefined>();
  return {
    has: (file) => known.has(file),
    add(file) {
      if (known.has(file)) return;
      if (known.size >= MAX_TRACKED_FILES) known.clear();
      known.set(file, undefined);
    },
    getLength: (file) => known.get(file),
    measure: (file, chunks, signal) =>
      countBytes(chunks, (bytes) => {
        if (known.has(file) && !signal.aborted) known.set(file, bytes);
      }),
  };
}
