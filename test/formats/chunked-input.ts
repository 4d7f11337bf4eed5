import fc from 'fast-check';
import type {
  CellRow,
  CellTable,
  FileInput,
  FileItem,
  ItemStream,
} from '../../src/formats/file-contents.ts';

/** An input that gives these bytes in pieces of the sizes that are listed, again and again. */
export function inputOf(
  content: string | Uint8Array,
  sizes: readonly number[] = [65_536],
): FileInput {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  async function* pieces() {
    for (let at = 0, iteration = 0; at < bytes.length; iteration++) {
      const size = sizes[iteration % sizes.length] ?? 1;
      yield bytes.subarray(at, at + size);
      at += size;
    }
  }
  return inputFrom(pieces);
}

/** An input that begins with the first piece and repeats the second without end. */
export function endlessInput(first: string, repeated: string): FileInput {
  return inputFrom(async function* () {
    yield Buffer.from(first);
    const chunk = Buffer.from(repeated.repeat(2 ** 20 / repeated.length));
    for (;;) yield chunk;
  });
}

/** Sizes of pieces that cut characters, line ends and pairs of quotes in two. */
export const anySizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 });

export async function allRows(table: CellTable | Promise<CellTable>): Promise<CellRow[]> {
  const rows: CellRow[] = [];
  for await (const batch of (await table).rows) rows.push(...batch);
  return rows;
}

export async function allItems({ items }: ItemStream): Promise<FileItem[]> {
  const all: FileItem[] = [];
  for await (const batch of items) all.push(...batch);
  return all;
}

/** What comes of a reading: its result, or the message of its refusal. */
export async function outcome<T>(reading: Promise<T>): Promise<T | string> {
  return reading.catch((error: Error) => `${error.constructor.name}: ${error.message}`);
}

function inputFrom(bytes: () => AsyncIterable<Uint8Array>): FileInput {
  const file = () => Promise.reject(new Error('text is not read at random'));
  return { readBytes: bytes, getPath: file, close: () => {} };
}
