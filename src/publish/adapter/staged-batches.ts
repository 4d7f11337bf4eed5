import { deserialize, serialize } from 'bun:jsc';
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { InvalidFileError, toSpoolError } from '../../formats/read-contents.ts';
import type { AdapterBatch } from './messages.ts';

/** About a hundred million quotes: an adapter that yields without end must not fill the disk. */
const MAX_STAGED_BYTES = 16 * 1024 ** 3;
const LENGTH_BYTES = 4;

/** Writes all records of an adapter to a file, which is read once they are complete. */
export class StagedBatchWriter {
  readonly #descriptor: number;
  #bytes = 0;

  constructor(path: string) {
    this.#descriptor = withSpoolError(() => openSync(path, 'wx', 0o600));
  }

  write(batch: AdapterBatch): void {
    const bytes = serialize(batch, { binaryType: 'nodebuffer' });
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32LE(bytes.length);
    this.#bytes += bytes.length;
    if (this.#bytes > MAX_STAGED_BYTES)
      throw new InvalidFileError('has more than 16 GiB of records, as the adapter yields them');
    for (const part of [length, bytes])
      for (let start = 0; start < part.length; )
        start += withSpoolError(() => writeSync(this.#descriptor, part, start));
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

export function* readStagedBatches(path: string): Generator<AdapterBatch> {
  const descriptor = openSync(path, 'r');
  const read = (length: number) => {
    const bytes = Buffer.from(new ArrayBuffer(length));
    for (let start = 0; start < length; ) {
      const count = readSync(descriptor, bytes, { offset: start });
      if (count === 0) return undefined;
      start += count;
    }
    return bytes;
  };
  try {
    for (let length = read(LENGTH_BYTES); length; length = read(LENGTH_BYTES)) {
      const bytes = read(length.readUInt32LE());
      if (!bytes) throw new Error(`${path} is cut short`);
      yield deserialize(bytes.buffer as ArrayBuffer);
    }
  } finally {
    closeSync(descriptor);
  }
}
