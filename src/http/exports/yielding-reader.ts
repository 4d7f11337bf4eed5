import type { DatasetReader } from '../../tabular/export-dataset.ts';
import type { ServerContext } from '../server-context.ts';

/**
 * Reads whole datasets in turns: between batches, other requests are answered. It ends before the
 * last batch where the signal is aborted, because nobody waits for what is read.
 */
export function createYieldingReader(
  { reader, reportAllocatedBytes }: ServerContext,
  signal: AbortSignal,
): DatasetReader {
  return {
    revision: reader.revision,
    async *records(dataset, asOf) {
      for await (const batch of reader.records(dataset, asOf)) {
        if (signal.aborted) return;
        yield batch;
        reportAllocatedBytes(
          PARSED_SIZE_FACTOR * batch.reduce((size, text) => size + text.length, 0),
        );
        await new Promise((turn) => setImmediate(turn));
      }
    },
  };
}

/** What is made of a record's text weighs several times as much. */
const PARSED_SIZE_FACTOR = 6;
