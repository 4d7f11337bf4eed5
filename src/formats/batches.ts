import type { FileCell } from './file-contents.ts';

/** The same rows in batches of one size; only the last may be smaller, and none is empty. */
export async function* rebatch<Row>(
  rows: AsyncIterable<readonly Row[]>,
  size: number,
): AsyncGenerator<Row[]> {
  let batch: Row[] = [];
  for await (const some of rows) {
    for (const row of some) {
      batch.push(row);
      if (batch.length < size) continue;
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

/** A column of a batch: its cells, and how many of them are null. */
export interface ColumnCells {
  readonly cells: readonly FileCell[];
  readonly nulls: number;
}

export function extractColumn(batch: readonly (readonly FileCell[])[], index: number): ColumnCells {
  const cells = new Array<FileCell>(batch.length);
  let nulls = 0;
  for (let at = 0; at < batch.length; at++) {
    const cell = batch[at]?.[index] ?? null;
    if (cell === null) nulls++;
    cells[at] = cell;
  }
  return { cells, nulls };
}

/** Lets whatever else is waiting have its turn: a server answers others between two steps. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
