import { deserialize, serialize } from 'bun:jsc';
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import {
  type DetectedEncoding,
  type FileItem,
  InvalidFileError,
  type LocationUnit,
  toSpoolError,
} from '../../formats/read-contents.ts';

/** Records in their order. */
export interface RecordBatch<Items = readonly FileItem[]> {
  readonly unit: LocationUnit;
  /** The encoding of the file's text where it was found and is not UTF-8. */
  readonly detected?: DetectedEncoding | undefined;
  /** The names of the sheets that positions name by their numbers. */
  readonly sheets: readonly string[];
  readonly items: Items;
}

export type EncodedBatch = RecordBatch<EncodedItems>;

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

  write(batch: EncodedBatch): void {
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

export function* readStagedBatches(path: string): Generator<RecordBatch> {
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
      const batch: EncodedBatch = deserialize(bytes.buffer as ArrayBuffer);
      yield { ...batch, items: decodeItems(batch.items) };
    }
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Items in a staged file. Most values are cells, and a long text of them is split in a seventh of the
 * time that JSON or a structured clone takes.
 */
interface EncodedItems {
  /** The names of members that items refer to by their index. */
  readonly names: readonly (readonly string[])[];
  /** Of each item: the index of its names, or -1; its position; its line, or 0. */
  readonly locations: Float64Array;
  /** The values of all items, separated. */
  readonly values: string;
}

const NUMBERS_PER_ITEM = 3;
/** Characters that text in files hardly has: one ends a value, one begins a value that is no text. */
const [SEPARATOR, JSON_MARK] = ['\u001f', '\u0002'];

export class ItemEncoder {
  #names: (readonly string[])[] = [];
  #locations: number[] = [];
  #values: string[] = [];

  get count(): number {
    return this.#locations.length / NUMBERS_PER_ITEM;
  }

  add({ position, line = 0, names, value }: FileItem): void {
    this.#locations.push(names ? this.#findIndex(names) : -1, position, line);
    if (!names) this.#values.push(encodeValue(value));
    else for (const member of value as readonly unknown[]) this.#values.push(encodeValue(member));
  }

  /** The items since the last call. */
  take(): EncodedItems {
    const locations = new Float64Array(this.#locations);
    const encoded = { names: this.#names, locations, values: this.#values.join(SEPARATOR) };
    this.#names = [];
    this.#locations = [];
    this.#values = [];
    return encoded;
  }

  #findIndex(names: readonly string[]): number {
    const index = this.#names.findLastIndex(
      (known) => known.length === names.length && known.every((name, at) => name === names[at]),
    );
    return index < 0 ? this.#names.push(names) - 1 : index;
  }
}

export function decodeItems({ names, locations, values }: EncodedItems): FileItem[] {
  const texts = values.split(SEPARATOR);
  const items: FileItem[] = [];
  let next = 0;
  for (let start = 0; start < locations.length; start += NUMBERS_PER_ITEM) {
    const members = names[locations[start] ?? -1];
    const position = locations[start + 1] ?? 0;
    const line = locations[start + 2] ?? 0;
    const located = line === 0 ? { position } : { position, line };
    const end = next + (members?.length ?? 1);
    const decoded: unknown[] = [];
    // An item without members has no text, not even an empty one.
    for (; next < end; next++) decoded.push(decodeValue(texts[next] ?? ''));
    items.push(
      members ? { ...located, names: members, value: decoded } : { ...located, value: decoded[0] },
    );
  }
  return items;
}

function encodeValue(value: unknown): string {
  if (typeof value !== 'string') return `${JSON_MARK}${JSON.stringify(value ?? null)}`;
  const isPlain = !value.startsWith(JSON_MARK) && !value.includes(SEPARATOR);
  return isPlain ? value : `${JSON_MARK}${JSON.stringify(value)}`;
}

function decodeValue(text: string): unknown {
  return text.startsWith(JSON_MARK) ? JSON.parse(text.slice(1)) : text;
}
