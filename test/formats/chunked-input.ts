import fc from 'fast-check';
import type {
  CellRow,
  CellTable,
  FileInput,
  FileItem,
  ItemStream,
} from '../../src/formats/file-contents.ts';

/** An input of these bytes in chunks of the listed sizes, repeatedly. */
export function createInput(
  content: string | Uint8Array,
  sizes: readonly number[] = [65_536],
): FileInput {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  async function* readChunks() {
    for (let start = 0, iteration = 0; start < bytes.length; iteration++) {
      const size = sizes[iteration % sizes.length] ?? 1;
      yield bytes.subarray(start, start + size);
      start += size;
    }
  }
  return toFileInput(readChunks);
}

/** An input of the first text, followed by endless repetitions of the second. */
export function createEndlessInput(first: string, repeated: string): FileInput {
  return toFileInput(async function* () {
    yield Buffer.from(first);
    const chunk = Buffer.from(repeated.repeat(2 ** 20 / repeated.length));
    for (;;) yield chunk;
  });
}

/** Chunk sizes that split characters, line ends and pairs of quotes. */
export const CHUNK_SIZES = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 });

export async function collectRows(table: CellTable | Promise<CellTable>): Promise<CellRow[]> {
  const rows: CellRow[] = [];
  for await (const batch of (await table).rows) rows.push(...batch);
  return rows;
}

export async function collectItems({ items }: ItemStream): Promise<FileItem[]> {
  const all: FileItem[] = [];
  for await (const batch of items) all.push(...batch);
  return all;
}

export async function resultOrError<T>(reading: Promise<T>): Promise<T | string> {
  return reading.catch((error: Error) => `${error.constructor.name}: ${error.message}`);
}

function toFileInput(readBytes: () => AsyncIterable<Uint8Array>): FileInput {
  const getPath = () => Promise.reject(new Error('text is not read by its path'));
  return { readBytes, getPath, close: () => {} };
}
