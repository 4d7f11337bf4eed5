import type { FileCell } from './file-contents.ts';

/** A column of a batch: its cells, and how many of them are null. */
export interface ColumnCells {
  readonly cells: readonly FileCell[];
  readonly nulls: number;
}

export function extractColumn(batch: readonly (readonly FileCell[])[], index: number): ColumnCells {
  const cells = new Array<FileCell>(batch.length);
  let nulls = 0;
  for (let row = 0; row < batch.length; row++) {
    const cell = batch[row]?.[index] ?? null;
    if (cell === null) nulls++;
    cells[row] = cell;
  }
  return { cells, nulls };
}

/** The numbers of a column, with 0 for a null. A plain loop takes a quarter of `from`'s time. */
export function toFloat64Array(cells: readonly FileCell[]): Float64Array<ArrayBuffer> {
  const numbers = new Float64Array(cells.length);
  for (let index = 0; index < cells.length; index++) numbers[index] = cells[index] as number;
  return numbers;
}

/** Little-endian, as every format here: so are all platforms of Bun. */
export function toBytes({ buffer }: { readonly buffer: ArrayBuffer }): Uint8Array {
  return new Uint8Array(buffer);
}
