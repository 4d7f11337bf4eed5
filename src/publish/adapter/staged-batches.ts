import { closeSync, openSync, writeSync } from 'node:fs';
import {
  type DetectedEncoding,
  type FileItem,
  InvalidFileError,
  type LocationUnit,
  toSpoolError,
} from '../../formats/read-contents.ts';

/** Records in their order. */
export interface RecordBatch {
  readonly unit: LocationUnit;
  /** The encoding of the file's text if it was found and is not UTF-8. */
  readonly detected?: DetectedEncoding | undefined;
  /** The names of the sheets that positions name by their numbers. */
  readonly sheets: readonly string[];
  readonly items: readonly FileItem[];
}

/** About a hundred million quotes: an adapter that yields without end must not fill the disk. */
const MAX_STAGED_BYTES = 16 * 1024 ** 3;

/** Writes all records of an adapter to a file, a batch on each line, to be read once they are complete. */
export class StagedBatchWriter {
  readonly #descriptor: number;
  #bytes = 0;

  constructor(path: string) {
    this.#descriptor = withSpoolError(() => openSync(path, 'wx', 0o600));
  }

  write(batch: RecordBatch): void {
    const bytes = Buffer.from(`${JSON.stringify(batch)}\n`);
    this.#bytes += bytes.length;
    if (this.#bytes > MAX_STAGED_BYTES)
      throw new InvalidFileError('has more than 16 GiB of records, as the adapter yields them');
    for (let start = 0; start < bytes.length; )
      start += withSpoolError(() => writeSync(this.#descriptor, bytes, start));
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

function withSpoolError<T>(operation: () => T): T {
  try {
    return operation();
  } catch (cause) {
    throw toSpoolError(cause);
  }
}

export async function* readStagedBatches(path: string): AsyncGenerator<RecordBatch> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  for await (const bytes of Bun.file(path).stream()) {
    const [first = '', ...others] = decoder.decode(bytes, { stream: true }).split('\n');
    parts.push(first);
    for (const next of others) {
      yield JSON.parse(parts.join(''));
      parts = [next];
    }
  }
  if (parts.join('') !== '') throw new Error(`${path} is cut short`);
}
