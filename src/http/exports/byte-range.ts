/** A part of a file: its first byte, and the one behind its last. */
export interface ByteSpan {
  readonly from: number;
  readonly to: number;
}

/** What a `Range` asks for: from a byte on, up to a last one if there is one; or the last few. */
export type ByteRange =
  | { readonly first: number; readonly last: number }
  | { readonly suffix: number };

/**
 * The one range of bytes that a `Range` header asks for (RFC 9110, 14.2). Undefined where there is
 * none, and where it is to be ignored: several ranges, other units, what is not well formed.
 */
export function parseRangeHeader(header: string | null): ByteRange | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/i.exec(header ?? '') ?? [];
  if (first === '') return last === '' ? undefined : { suffix: Number(last) };
  const range = { first: Number(first), last: last === '' ? Infinity : Number(last) };
  return range.first <= range.last ? range : undefined;
}

/** The part that a range asks for of so many bytes; undefined where it has none of them. */
export function resolveByteRange(range: ByteRange, total: number): ByteSpan | undefined {
  const span =
    'suffix' in range
      ? { from: Math.max(0, total - range.suffix), to: total }
      : { from: range.first, to: Math.min(range.last + 1, total) };
  return span.from < span.to ? span : undefined;
}

/** `Content-Range` of a part, or of no part, of so many bytes. */
export function formatContentRange(span: ByteSpan | undefined, total: number): string {
  return span ? `bytes ${span.from}-${span.to - 1}/${total}` : `bytes */${total}`;
}

/** Only the bytes of a part. What comes before it is made and dropped, what comes after is not. */
export async function* sliceChunks(
  chunks: AsyncIterable<Uint8Array>,
  { from, to }: ByteSpan,
): AsyncGenerator<Uint8Array> {
  let passed = 0;
  for await (const chunk of chunks) {
    const start = Math.max(0, from - passed);
    const end = Math.min(chunk.length, to - passed);
    passed += chunk.length;
    if (start < end) yield chunk.subarray(start, end);
    if (passed >= to) return;
  }
}
