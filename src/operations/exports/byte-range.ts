/** A part of a file: its first byte, and the one after its last. */
export interface ByteSpan {
  readonly from: number;
  readonly to: number;
}

/** From a first to a last byte, which may be infinite; or the last few bytes. */
export type ByteRange =
  | { readonly first: number; readonly last: number }
  | { readonly suffix: number };

/** The byte range of a `Range` header; undefined if it is to be ignored (RFC 9110, 14.2). */
export function parseRangeHeader(header: string | null): ByteRange | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/i.exec(header ?? '') ?? [];
  if (first === '') return last === '' ? undefined : { suffix: Number(last) };
  const range = { first: Number(first), last: last === '' ? Infinity : Number(last) };
  return range.first <= range.last ? range : undefined;
}

/** The part that a range selects of a file; undefined if it is not satisfiable. */
export function resolveByteRange(range: ByteRange, total: number): ByteSpan | undefined {
  const span =
    'suffix' in range
      ? { from: Math.max(0, total - range.suffix), to: total }
      : { from: range.first, to: Math.min(range.last + 1, total) };
  return span.from < span.to ? span : undefined;
}

export function formatContentRange(span: ByteSpan | undefined, total: number): string {
  return span ? `bytes ${span.from}-${span.to - 1}/${total}` : `bytes */${total}`;
}

/** The bytes of a part. The chunks before it are created and dropped. */
export async function* sliceChunks(
  chunks: AsyncIterable<Uint8Array>,
  { from, to }: ByteSpan,
): AsyncGenerator<Uint8Array, undefined> {
  let offset = 0;
  for await (const chunk of chunks) {
    const start = Math.max(0, from - offset);
    const end = Math.min(chunk.length, to - offset);
    offset += chunk.length;
    if (start < end) yield chunk.subarray(start, end);
    if (offset >= to) break;
  }
  return undefined;
}
