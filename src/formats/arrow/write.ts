import { columnOf, inBatches, turn } from '../batches.ts';
import type { TableWriter } from '../format.ts';
import { batchMessage, END, schemaMessage } from './messages.ts';
import { type Vector, vectorOf } from './vectors.ts';

const BATCH_ROWS = 10_000;

/**
 * Writes an Arrow IPC stream: its schema, then record batches. Numbers are Float64, whole numbers
 * Int64, days Date32, text Utf8. Every column may hold nulls; a table without rows still has its
 * columns.
 */
export const writeArrow: TableWriter = async function* ({ columns, rows }) {
  yield schemaMessage(columns);
  for await (const batch of inBatches(rows, BATCH_ROWS)) {
    const vectors: Vector[] = [];
    for (const [index, { type }] of columns.entries()) {
      vectors.push(vectorOf(type, columnOf(batch, index)));
      await turn();
    }
    yield batchMessage(batch.length, vectors);
  }
  yield END;
};
