import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { InvalidFileError, toSpoolError } from '../../formats/read-contents.ts';
import type { AdapterBatch } from './messages.ts';

/** More than a hundred million quotes: an adapter that yields without end must not fill the disk. */
const MAX_STAGED_BYTES = 16 * 1024 ** 3;

/** Writes all records of an adapter to a file, which is read once they are complete. */
export class StagedBatchWriter {
  readonly #descriptor: number;
  #bytes = 0;

  constructor(path: string) {
    this.#descriptor = withSpoolError(() => openSync(path, 'wx', 0o600));
  }

  write({ items: { names, locations, values }, ...batch }: AdapterBatch): void {
    // UTF-8 has no half of a surrogate pair.
    const encoding = values.isWellFormed() ? 'utf8' : 'utf16le';
    const parts = [
      Buffer.from(JSON.stringify({ ...batch, names, encoding } satisfies StagedHeader)),
      Buffer.from(locations.buffer, locations.byteOffset, locations.byteLength),
      Buffer.from(values, encoding),
    ];
    const lengths = Float64Array.from(parts, ({ length }) => length);
    const bytes = Buffer.concat([Buffer.from(lengths.buffer), ...parts]);
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

interface StagedHeader extends Omit<AdapterBatch, 'items'> {
  readonly names: AdapterBatch['items']['names'];
  readonly encoding: 'utf8' | 'utf16le';
}

export function* readStagedBatches(path: string): Generator<AdapterBatch> {
  const descriptor = openSync(path, 'r');
  try {
    for (;;) {
      const lengths = new Float64Array(3);
      if (!readFully(descriptor, new Uint8Array(lengths.buffer))) return;
      const [header, locations, values] = Array.from(lengths, (length) => {
        const part = Buffer.from(new ArrayBuffer(length));
        if (!readFully(descriptor, part)) throw new Error(`${path} is cut short`);
        return part;
      }) as [Buffer, Buffer, Buffer];
      const { names, encoding, ...batch }: StagedHeader = JSON.parse(header.toString());
      const items = {
        names,
        locations: new Float64Array(locations.buffer),
        values: values.toString(encoding),
      };
      yield { ...batch, items };
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Whether there were as many bytes. */
function readFully(descriptor: number, bytes: Uint8Array): boolean {
  for (let start = 0; start < bytes.length; ) {
    const count = readSync(descriptor, bytes, { offset: start });
    if (count === 0) return false;
    start += count;
  }
  return true;
}
