import { type ColumnCells, toBytes, toFloat64Array } from '../column-cells.ts';
import { createDayNumberCache } from '../days.ts';
import type { FileCell, OutputColumn } from '../file-contents.ts';

/** A column of a record batch: its validity bitmap, then the buffers of its values. */
export interface Vector {
  readonly nulls: number;
  readonly buffers: readonly Uint8Array[];
}

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

/** A bit for each cell, least significant first: 1 for a value, 0 for a null. */
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
    // As many bytes as characters is ASCII, where no text must be encoded by itself.
    const isAscii = joined.length === characters;
    const values = isAscii ? texts : texts.map((text) => Buffer.from(text));
    const offsets = new Int32Array(values.length + 1);
    for (const [index, { length }] of values.entries())
      offsets[index + 1] = (offsets[index] ?? 0) + length;
    return [toBytes(offsets), isAscii ? joined : Buffer.concat(values as Buffer[])];
  },
};
