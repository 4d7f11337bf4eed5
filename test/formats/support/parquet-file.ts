import { afterAll, expect } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type CellRow,
  type FileCell,
  type FileInput,
  InvalidFileError,
  type OutputColumn,
} from '../../../src/formats/file-contents.ts';
import { readParquet } from '../../../src/formats/parquet/read-parquet.ts';
import { writeParquet } from '../../../src/formats/parquet/write-parquet.ts';

export type Batches = readonly (readonly (readonly FileCell[])[])[];

export async function* toBatches(batches: Batches) {
  yield* batches;
}

/** A Parquet file of a test file, with functions to write and read it. */
export function useParquetFile() {
  const folder = mkdtempSync(join(tmpdir(), 'tenor-parquet-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'table.parquet');

  async function readInBatches(file = path): Promise<(readonly CellRow[])[]> {
    const readBytes = () => {
      throw new Error('a Parquet file is never read from its start');
    };
    const input: FileInput = { getPath: async () => file, readBytes, close: () => {} };
    return Array.fromAsync((await readParquet(input)).rows);
  }
  const read = async (file = path) => (await readInBatches(file)).flat();

  return {
    path,
    read,
    readInBatches,
    /** Writes the file, and returns the number of chunks. */
    async write(columns: readonly OutputColumn[], batches: Batches): Promise<number> {
      const table = { title: 'table', columns, rows: toBatches(batches) };
      const chunks = await Array.fromAsync(writeParquet(table));
      writeFileSync(path, Buffer.concat(chunks));
      return chunks.length;
    },
    async expectRejected(message: string | RegExp): Promise<void> {
      const error = await read().catch((cause: unknown) => cause);
      expect(error).toBeInstanceOf(InvalidFileError);
      const text = (error as InvalidFileError).message;
      if (typeof message === 'string') expect(text).toBe(message);
      else expect(text).toMatch(message);
      expect(text).not.toContain('\n');
    },
  };
}
