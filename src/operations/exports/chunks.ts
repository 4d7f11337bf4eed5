import { formatReprDigest } from '../../http/responses/response.ts';

/** A file that is created chunk by chunk. */
export type ByteChunks = AsyncGenerator<Uint8Array, undefined>;

/** A file that ends within so many bytes is small. */
const PREFETCH_BYTES = 4 * 1024 * 1024;

export interface PrefetchedFile {
  readonly head: Uint8Array[];
  /** Creates the remaining chunks; absent where the head is the complete file. */
  readonly rest?: ByteChunks;
}

/** Creates the start of a file, so that an early failure comes before any byte is sent. */
export async function prefetch(chunks: ByteChunks): Promise<PrefetchedFile> {
  const head: Uint8Array[] = [];
  for (let bytes = 0; bytes < PREFETCH_BYTES; ) {
    const { value, done } = await chunks.next();
    if (done) return { head };
    head.push(value);
    bytes += value.length;
  }
  return { head, rest: chunks };
}

/** The complete file. Chunks of the head are removed, so that their memory can be freed. */
export async function* concatChunks(head: Uint8Array[], rest: ByteChunks): ByteChunks {
  for (let chunk = head.shift(); chunk; chunk = head.shift()) yield chunk;
  yield* rest;
}

/** The length of a file, and the value of its `Repr-Digest`. */
export interface FileMeasures {
  readonly bytes: number;
  readonly digest: string;
}

/** The same chunks; reports the measures of the file after the last one. */
export async function* reportMeasures(
  chunks: ByteChunks,
  onEnd: (measures: FileMeasures) => void,
): ByteChunks {
  const hash = new Bun.CryptoHasher('sha256');
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    hash.update(chunk);
    yield chunk;
  }
  onEnd({ bytes, digest: formatReprDigest(hash) });
}
