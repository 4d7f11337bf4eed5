import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  formatContentRange,
  parseRangeHeader,
  resolveByteRange,
  sliceChunks,
} from '../../src/operations/exports/byte-range.ts';

/** A header and what it asks of 10 bytes: `Content-Range`, or undefined where it is ignored. */
const cases: readonly [string, string | undefined][] = [
  // RFC 9110, 14.1.2: the first byte, the first half, an open end, the last few.
  ['bytes=0-0', 'bytes 0-0/10'],
  ['bytes=0-4', 'bytes 0-4/10'],
  ['bytes=9-', 'bytes 9-9/10'],
  ['bytes=0-', 'bytes 0-9/10'],
  ['bytes=-1', 'bytes 9-9/10'],
  ['bytes=-4', 'bytes 6-9/10'],
  // Units in any letter case; zeros in front are digits like others.
  ['BYTES=1-2', 'bytes 1-2/10'],
  ['bytes=001-02', 'bytes 1-2/10'],
  // What goes beyond the end is what is there.
  ['bytes=5-10', 'bytes 5-9/10'],
  ['bytes=5-99999999999999999999999', 'bytes 5-9/10'],
  ['bytes=-10', 'bytes 0-9/10'],
  ['bytes=-99999999999999999999999', 'bytes 0-9/10'],
  // None of it is there.
  ['bytes=10-', 'bytes */10'],
  ['bytes=10-12', 'bytes */10'],
  ['bytes=99999999999999999999999-', 'bytes */10'],
  ['bytes=-0', 'bytes */10'],
  // Not well formed: the last before the first, no numbers, other signs.
  ['bytes=5-4', undefined],
  ['bytes=-', undefined],
  ['bytes=', undefined],
  ['bytes', undefined],
  ['', undefined],
  ['bytes=a-b', undefined],
  ['bytes=+1-2', undefined],
  ['bytes=1.0-2', undefined],
  ['bytes=0x1-2', undefined],
  ['bytes=1 - 2', undefined],
  ['bytes =1-2', undefined],
  ['bytes:1-2', undefined],
  ['bytes=--1', undefined],
  ['bytes=1--2', undefined],
  // Well formed, and still ignored: several ranges, other units.
  ['bytes=0-1,4-5', undefined],
  ['bytes=0-1, -1', undefined],
  ['items=0-1', undefined],
  ['rows=0-', undefined],
];

describe('parseRangeHeader and resolveByteRange', () => {
  test.each(cases)('resolve %p of 10 bytes to %p', (header, expected) => {
    const range = parseRangeHeader(header);
    const resolved = range && formatContentRange(resolveByteRange(range, 10), 10);
    expect(resolved).toBe(expected);
  });

  test('resolve no header to no range', () => {
    expect(parseRangeHeader(null)).toBeUndefined();
  });

  test('resolve no range of an empty file', () => {
    for (const header of ['bytes=0-', 'bytes=0-0', 'bytes=-5']) {
      const range = parseRangeHeader(header);
      expect(range && formatContentRange(resolveByteRange(range, 0), 0)).toBe('bytes */0');
    }
  });
});

describe('sliceChunks', () => {
  const files = fc.array(fc.uint8Array({ maxLength: 8 }), { maxLength: 8 });

  test('yields the bytes of the span, however the file is divided into chunks', async () => {
    await fc.assert(
      fc.asyncProperty(files, fc.nat(64), fc.nat(64), async (chunks, from, length) => {
        const whole = Buffer.concat(chunks);
        const part: Uint8Array[] = [];
        const span = { from, to: from + length };
        for await (const chunk of sliceChunks(piecewise(chunks), span)) part.push(chunk);
        expect(Buffer.concat(part)).toEqual(whole.subarray(span.from, span.to));
      }),
    );
  });

  test('ends the source after the last byte of the span', async () => {
    let made = 0;
    let isEnded = false;
    async function* endless() {
      try {
        for (;;) yield Uint8Array.of(made++, 0);
      } finally {
        isEnded = true;
      }
    }
    const part: Uint8Array[] = [];
    for await (const chunk of sliceChunks(endless(), { from: 3, to: 6 })) part.push(chunk);
    expect(Buffer.concat(part)).toEqual(Buffer.of(0, 2, 0));
    expect({ made, isEnded }).toEqual({ made: 3, isEnded: true });
  });
});

async function* piecewise(chunks: readonly Uint8Array[]) {
  yield* chunks;
}
