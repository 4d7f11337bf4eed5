import { type ByteSpan, sliceChunks } from './byte-range.ts';
import type { ByteChunks, OpenFile } from './export-file.ts';

/** A file that ends within so many bytes is small: its length is known before it is sent. */
export const SMALL_FILE_BYTES = 4 * 1024 * 1024;

/**
 * A file that is created for one request, if no cache can keep it. Its start is created at once,
 * so that an early failure comes before any byte is sent.
 */
export async function openUncached(chunks: ByteChunks): Promise<OpenFile> {
  const head: Uint8Array[] = [];
  const close = async () => void (await chunks.return(undefined));
  for (let bytes = 0; bytes < SMALL_FILE_BYTES; bytes += head.at(-1)?.length ?? 0) {
    const { value, done } = await chunks.next();
    if (!done) {
      head.push(value);
      continue;
    }
    const hash = new Bun.CryptoHasher('sha256');
    for (const chunk of head) hash.update(chunk);
    const read = (span: ByteSpan) => sliceChunks(concatChunks(head), span);
    return { bytes, digest: hash.digest(), read, close };
  }
  return { read: (span) => sliceChunks(concatChunks(head, chunks), span), close };
}

/** Chunks of the head are removed, so that their memory can be freed. */
async function* concatChunks(head: Uint8Array[], rest?: ByteChunks): ByteChunks {
  for (let chunk = head.shift(); chunk; chunk = head.shift()) yield chunk;
  if (rest) yield* rest;
  return undefined;
}
