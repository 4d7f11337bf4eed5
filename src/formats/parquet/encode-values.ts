import type { DecodedArray, Encoding, Statistics } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer';
import { writePlain } from 'hyparquet-writer/src/plain.js';
import { packBits, toBytes, toDayNumber, toFloat64Array } from '../column-cells.ts';
import type { OutputColumn } from '../file-contents.ts';

/** The encoded values of a column chunk, without nulls. */
export interface EncodedValues {
  readonly encoding: Encoding;
  readonly values: Uint8Array;
  /** Present where the values are indexes into it. */
  readonly dictionary?: { readonly count: number; readonly values: Uint8Array };
  readonly bounds: Pick<Statistics, 'min_value' | 'max_value'>;
}

export type ColumnValues = readonly (string | number)[];

/** Numbers are plain; days and text have a dictionary where they repeat. */
export const ENCODERS: Readonly<
  Record<OutputColumn['type'], (values: ColumnValues) => EncodedValues>
> = {
  number(values) {
    const numbers = toFloat64Array(values);
    return { encoding: 'PLAIN', values: toBytes(numbers), bounds: computeNumberBounds(numbers) };
  },
  integer(values) {
    const integers = BigInt64Array.from(values, BigInt);
    return {
      encoding: 'PLAIN',
      values: toBytes(integers),
      bounds: computeBounds(integers, compareAscending),
    };
  },
  // As the bit-packed runs, but without their header.
  boolean: (values) => ({
    encoding: 'PLAIN',
    values: packBits(values, (value) => value === 'true'),
    bounds: {},
  }),
  day: (values) =>
    encodeWithDictionary(values, (texts) => {
      const days = Int32Array.from(texts, (text) => toDayNumber(String(text)));
      return { values: toBytes(days), bounds: computeBounds(days, compareAscending) };
    }),
  text: (values) =>
    encodeWithDictionary(values, (texts) => {
      const encoded = texts.map((text) => Buffer.from(String(text)));
      // Readers compare these bounds by bytes; strings of JavaScript have another order.
      return { values: encodePlain(encoded), bounds: computeBounds(encoded, Buffer.compare) };
    }),
};

/** With a dictionary where values repeat enough, otherwise plain. */
function encodeWithDictionary(
  values: ColumnValues,
  encodeValues: (values: ColumnValues) => { values: Uint8Array; bounds: EncodedValues['bounds'] },
): EncodedValues {
  const dictionary = new Map<string | number, number>();
  const indexes = new Uint32Array(values.length);
  for (let row = 0; row < values.length; row++) {
    const value = values[row] ?? '';
    let index = dictionary.get(value);
    if (index === undefined) {
      index = dictionary.size;
      dictionary.set(value, index);
    }
    indexes[row] = index;
  }
  if (2 * dictionary.size >= values.length) return { encoding: 'PLAIN', ...encodeValues(values) };
  const encoded = encodeValues([...dictionary.keys()]);
  const bitWidth = Math.ceil(Math.log2(dictionary.size));
  const run = bitWidth === 0 ? encodeRun(0, indexes.length) : encodeBitPacked(indexes, bitWidth);
  return {
    encoding: 'RLE_DICTIONARY',
    values: Buffer.concat([Uint8Array.of(bitWidth), run]),
    dictionary: { count: dictionary.size, values: encoded.values },
    bounds: encoded.bounds,
  };
}

function encodePlain(texts: Uint8Array[]): Uint8Array {
  const out = new ByteWriter(texts.reduce((bytes, { length }) => bytes + 4 + length, 0));
  writePlain(out, texts as DecodedArray, 'BYTE_ARRAY', undefined);
  return out.getBytes();
}

/** The format requires -0 as a minimum of zero, and +0 as a maximum. */
function computeNumberBounds(numbers: Float64Array): EncodedValues['bounds'] {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let index = 0; index < numbers.length; index++) {
    const number = numbers[index] ?? Number.NaN;
    if (number < min) min = number;
    if (number > max) max = number;
  }
  // No numbers, or only NaN.
  if (min > max) return {};
  return { min_value: min === 0 ? -0 : min, max_value: max === 0 ? 0 : max };
}

const compareAscending = (a: number | bigint, b: number | bigint) => (a < b ? -1 : a > b ? 1 : 0);

function computeBounds<T extends bigint | number | Uint8Array>(
  values: Iterable<T>,
  compare: (a: T, b: T) => number,
): EncodedValues['bounds'] {
  let [min, max]: (T | undefined)[] = [];
  for (const value of values) {
    if (min === undefined || compare(value, min) < 0) min = value;
    if (max === undefined || compare(value, max) > 0) max = value;
  }
  return min === undefined || max === undefined ? {} : { min_value: min, max_value: max };
}

/** One value repeated, as a run of the RLE/bit-packing hybrid encoding. */
export function encodeRun(value: 0 | 1, count: number): Uint8Array {
  const out = new ByteWriter();
  out.appendVarInt(count << 1);
  // A value of bit width 0 has no bytes.
  if (value === 1) out.appendUint8(1);
  return out.getBytes();
}

/** Values of one bit width as a bit-packed run of the same encoding. */
export function encodeBitPacked(values: Uint8Array | Uint32Array, bitWidth: number): Uint8Array {
  const groups = Math.ceil(values.length / 8);
  const bytes = new Uint8Array(groups * bitWidth);
  let bits = 0;
  let pendingBits = 0;
  let byteIndex = 0;
  for (let index = 0; index < values.length; index++) {
    bits |= (values[index] ?? 0) << pendingBits;
    for (pendingBits += bitWidth; pendingBits >= 8; pendingBits -= 8) {
      bytes[byteIndex++] = bits;
      bits >>>= 8;
    }
  }
  if (pendingBits > 0) bytes[byteIndex] = bits;
  const out = new ByteWriter(bytes.length + 5);
  out.appendVarInt((groups << 1) | 1);
  out.appendBytes(bytes);
  return out.getBytes();
}
