import type { ColumnCells } from '../batches.ts';
import { createDayNumberCache, toBytes, toFloat64Array } from '../column-bytes.ts';
import type { FileCell, OutputColumn } from '../file-contents.ts';

/** The cells of a column as Arrow lays them out: which are there, then their values. */
export interface Vector {
  readonly nulls: number;
  readonly buffers: readonly Uint8Array[];
}

/** A column of some rows. */
export function createVector(type: OutputColumn['type'], { cells, nulls }: ColumnCells): Vector {
  return {
    nulls,
    buffers: [
      nulls === 0 ? EMPTY_BYTES : buildValidityBitmap(cells),
      ...BUFFER_BUILDERS[type](cells),
    ],
  };
}

const EMPTY_BYTES = new Uint8Array();

/** A bit for each cell, the first in the lowest: 1 where there is a value. */
function buildValidityBitmap(cells: readonly FileCell[]): Uint8Array {
  const bits = new Uint8Array(Math.ceil(cells.length / 8));
  for (const [index, cell] of cells.entries()) {
    if (cell !== null) bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7));
  }
  return bits;
}

const BUFFER_BUILDERS: Readonly<
  Record<OutputColumn['type'], (cells: readonly FileCell[]) => Uint8Array[]>
> = {
  number: (cells) => [toBytes(toFloat64Array(cells))],
  integer: (cells) => [toBytes(BigInt64Array.from(cells, (cell) => BigInt(cell ?? 0)))],
  day(cells) {
    const dayNumber = createDayNumberCache();
    const days = cells.map((cell) => (cell === null ? 0 : dayNumber(String(cell))));
    return [toBytes(Int32Array.from(days))];
  },
  text(cells) {
    const texts = cells.map((cell) => (cell === null ? '' : String(cell)));
    const joined = Buffer.from(texts.join(''));
    const characters = texts.reduce((count, { length }) => count + length, 0);
    // As many bytes as characters: then each takes one, and no text must be measured by itself.
    const isPlain = joined.length === characters;
    const parts = isPlain ? texts : texts.map((text) => Buffer.from(text));
    const ends = new Int32Array(parts.length + 1);
    for (const [index, { length }] of parts.entries())
      ends[index + 1] = (ends[index] ?? 0) + length;
    return [toBytes(ends), isPlain ? joined : Buffer.concat(parts as Buffer[])];
  },
};
