import type { DecodedArray, Encoding, Statistics } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer';
import { writePlain } from 'hyparquet-writer/src/plain.js';
import { createDayNumberCache, toBytes, toFloat64Array } from '../column-bytes.ts';
import type { OutputColumn } from '../file-contents.ts';
import { encodeBitPacked, encodeRun } from './rle-bit-packing.ts';

/** The values of a column chunk as bytes, none of them null. */
export interface EncodedValues {
  readonly encoding: Encoding;
  readonly values: Uint8Array;
  /** What the values are numbers of, where they are such. */
  readonly dictionary?: { readonly count: number; readonly values: Uint8Array };
  readonly bounds: Pick<Statistics, 'min_value' | 'max_value'>;
}

export type ColumnValues = readonly (string | number)[];

/** How the values of a column are encoded: numbers as they are, what repeats as its number. */
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
  day(values) {
    const dayNumber = createDayNumberCache();
    return encodeWithDictionary(values, (texts) => {
      const days = Int32Array.from(texts, (text) => dayNumber(String(text)));
      return { values: toBytes(days), bounds: computeBounds(days, compareAscending) };
    });
  },
  text: (values) =>
    encodeWithDictionary(values, (texts) => {
      const encoded = texts.map((text) => Buffer.from(String(text)));
      // Readers skip row groups by these bounds, and compare bytes; text here has another order.
      return { values: encodePlain(encoded), bounds: computeBounds(encoded, Buffer.compare) };
    }),
};

/** By a dictionary where the values repeat enough, and otherwise as they are. */
function encodeWithDictionary(
  values: ColumnValues,
  encoded: (values: ColumnValues) => { values: Uint8Array; bounds: EncodedValues['bounds'] },
): EncodedValues {
  const numbers = new Map<string | number, number>();
  const indexes = new Uint32Array(values.length);
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? '';
    let number = numbers.get(value);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(value, number);
    }
    indexes[at] = number;
  }
  if (2 * numbers.size >= values.length) return { encoding: 'PLAIN', ...encoded(values) };
  const words = encoded([...numbers.keys()]);
  return {
    encoding: 'RLE_DICTIONARY',
    values: encodeIndexes(indexes, numbers.size),
    dictionary: { count: numbers.size, values: words.values },
    bounds: words.bounds,
  };
}

function encodeIndexes(indexes: Uint32Array, count: number): Uint8Array {
  const width = Math.ceil(Math.log2(count));
  const numbers = width === 0 ? encodeRun(0, indexes.length) : encodeBitPacked(indexes, width);
  return Buffer.concat([Uint8Array.of(width), numbers]);
}

function encodePlain(texts: Uint8Array[]): Uint8Array {
  const out = new ByteWriter(texts.reduce((bytes, { length }) => bytes + 4 + length, 0));
  writePlain(out, texts as DecodedArray, 'BYTE_ARRAY', undefined);
  return out.getBytes();
}

/** Of zeros the least is negative and the greatest is not, as the format asks. */
function computeNumberBounds(numbers: Float64Array): EncodedValues['bounds'] {
  let [least, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at] ?? Number.NaN;
    if (number < least) least = number;
    if (number > max) max = number;
  }
  // Without a number, or with none but NaN.
  if (least > max) return {};
  return { min_value: least === 0 ? -0 : least, max_value: max === 0 ? 0 : max };
}

const compareAscending = (a: number | bigint, b: number | bigint) => (a < b ? -1 : a > b ? 1 : 0);

function computeBounds<T extends bigint | number | Uint8Array>(
  values: Iterable<T>,
  compare: (a: T, b: T) => number,
): EncodedValues['bounds'] {
  let [least, most]: (T | undefined)[] = [];
  for (const value of values) {
    if (least === undefined || compare(value, least) < 0) least = value;
    if (most === undefined || compare(value, most) > 0) most = value;
  }
  return least === undefined || most === undefined ? {} : { min_value: least, max_value: most };
}
