import { rebatch, yieldToEventLoop } from '../batches.ts';
import { extractColumn } from '../column-cells.ts';
import type { TableWriter } from '../file-contents.ts';
import { END_OF_STREAM, encodeBatchMessage, encodeSchemaMessage } from './ipc-messages.ts';
import { createVector, type Vector } from './vectors.ts';

const BATCH_ROWS = 10_000;

/**
 * Writes an Arrow IPC stream: its schema, then record batches. Numbers are Float64, integers Int64,
 * days Date32, text Utf8. Every column is nullable; a table without rows still has its columns.
 */
export const writeArrow: TableWriter = async function* ({ columns, rows }) {
  yield encodeSchemaMessage(columns);
  for await (const batch of rebatch(rows, BATCH_ROWS)) {
    const vectors: Vector[] = [];
    for (const [index, { type }] of columns.entries()) {
      vectors.push(createVector(type, extractColumn(batch, index)));
      await yieldToEventLoop();
    }
    yield encodeBatchMessage(batch.length, vectors);
  }
  yield END_OF_STREAM;
};
