import type { DatasetReader } from '../../tabular/export-dataset.ts';
import type { ServerContext } from '../server-context.ts';

/** A parsed record takes several times the memory of its text. */
const PARSED_SIZE_FACTOR = 6;

/** Reads datasets, yielding to the event loop between batches; ends early after an abort. */
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
        const bytes = batch.reduce((size, text) => size + text.length, 0);
        reportAllocatedBytes(PARSED_SIZE_FACTOR * bytes);
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}
