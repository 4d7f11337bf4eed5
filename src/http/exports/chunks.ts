/** A file that is made piece by piece. */
export type ByteChunks = AsyncGenerator<Uint8Array, undefined>;

/** What is made of a file before anything is sent: one that ends within is small. */
const PREFETCH_BYTES = 4 * 1024 * 1024;

/** What a file begins with. */
export interface PrefetchedFile {
  readonly head: Uint8Array[];
  /** Makes the rest; absent where there is none. */
  readonly rest?: ByteChunks;
}

/** Makes the start of a file: what fails at once fails before an answer has begun. */
export async function prefetch(chunks: ByteChunks): Promise<PrefetchedFile> {
  const parts: Uint8Array[] = [];
  for (let bytes = 0; bytes < PREFETCH_BYTES; ) {
    const { value, done } = await chunks.next();
    if (done) return { head: parts };
    parts.push(value);
    bytes += value.length;
  }
  return { head: parts, rest: chunks };
}

/** The file from its start on. The parts are taken out: they are not kept until the end. */
export async function* concatChunks(parts: Uint8Array[], rest: ByteChunks): ByteChunks {
  for (let part = parts.shift(); part; part = parts.shift()) yield part;
  yield* rest;
}

/** The same pieces; once all are made, it tells how many bytes they are. */
export async function* countBytes(chunks: ByteChunks, tell: (bytes: number) => void): ByteChunks {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    yield chunk;
  }
  tell(bytes);
}

/** How many bytes a file has, found by making it. */
export async function measureLength(chunks: ByteChunks): Promise<number> {
  let bytes = 0;
  for await (const chunk of chunks) bytes += chunk.length;
  return bytes;
}
