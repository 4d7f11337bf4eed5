import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { BOMBS, buildCrafted, type CraftedFile, pageV1, text } from './support/crafted-parquet.ts';
import { useParquetFile } from './support/parquet-file.ts';

const { path, read, expectRejected } = useParquetFile();

const writeCrafted = (file: CraftedFile) => writeFileSync(path, buildCrafted(file));

describe('a Parquet file of a few bytes is rejected before it fills the memory', () => {
  test.each(BOMBS)('by %s', async (_, file, message) => {
    writeCrafted(file);
    await expectRejected(message);
  });

  test('by pages that inflate a thousandfold, together or one alone', async () => {
    const zeros = new Uint8Array(64 * 1_048_576);
    const packed = Bun.zstdCompressSync(zeros);
    const page = { ...pageV1(1, 'PLAIN', []), bytes: packed, uncompressedBytes: zeros.length };
    const large = { ...page, uncompressedBytes: 2 ** 31 - 1 };
    const message = /^inflates to far more than its \d+ bytes; write smaller row groups$/;
    for (const pages of [Array(5).fill(page), [large]]) {
      writeCrafted({ rows: 5, element: text, codec: 'ZSTD', pages });
      await expectRejected(message);
    }
  });
});

test('a Parquet file is read in every encoding, with and without nulls', async () => {
  const encodings = [
    'PLAIN',
    'RLE_DICTIONARY',
    'DELTA_BINARY_PACKED',
    'BYTE_STREAM_SPLIT',
  ] as const;
  const numbers = Array.from({ length: 5_000 }, (_, index) => (index * 7) % 91);
  for (const encoding of encodings) {
    for (const data of [numbers, numbers.map((value) => (value % 3 === 0 ? null : value))]) {
      const column = {
        name: 'a',
        data,
        type: 'INT32',
        encoding,
        nullable: data !== numbers,
      } as const;
      writeFileSync(
        path,
        new Uint8Array(parquetWriteBuffer({ columnData: [column], pageSize: 3_000 })),
      );
      const rows = await read();
      expect(rows.slice(1).map(({ position }) => position)).toEqual(
        data.flatMap((value, index) => (value === null ? [] : [index + 1])),
      );
      expect(rows.slice(1).map(({ cells }) => cells[0] as number | null)).toEqual(
        data.filter((value) => value !== null),
      );
    }
  }
  const texts = Array.from({ length: 5_000 }, (_, index) => `value ${Math.floor(index / 3)}`);
  for (const encoding of [
    'PLAIN',
    'RLE_DICTIONARY',
    'DELTA_LENGTH_BYTE_ARRAY',
    'DELTA_BYTE_ARRAY',
  ] as const) {
    const column = { name: 'a', data: texts, type: 'STRING', encoding } as const;
    writeFileSync(
      path,
      new Uint8Array(parquetWriteBuffer({ columnData: [column], pageSize: 9_000 })),
    );
    expect((await read()).slice(1).map(({ cells }) => cells[0] as string)).toEqual(texts);
  }
});
