import { describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { parquetMetadata } from 'hyparquet';
import type { CellRow, FileCell, OutputColumn } from '../../src/formats/file-contents.ts';
import {
  formatDayCount,
  formatTime,
  formatTimestamp,
  resolveLogicalType,
  toDecimal,
  toShortestFloat,
} from '../../src/formats/parquet/columns.ts';
import { DECOMPRESSORS } from '../../src/formats/parquet/decompressors.ts';
import { anyBatches, COLUMNS, ROWS as SAMPLE_ROWS } from './sample-table.ts';
import { useParquetFile } from './support/parquet-file.ts';

const LAST_ROW = [1.7976931348623157e308, 9007199254740991, '1969-12-31', '\ufeffmark'];
const ROWS = SAMPLE_ROWS.with(-1, LAST_ROW);

const { path, write, read, readInBatches, expectRejected } = useParquetFile();

describe('a Parquet file that is written', () => {
  test('is read back as the same cells, with its column names at position 0 and its rows from 1', async () => {
    await write(COLUMNS, [ROWS]);
    const rows = await read();
    expect(rows.map(({ position }) => position)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(rows[0]?.cells).toEqual(COLUMNS.map(({ name }) => name));
    expectSame(rows.slice(1), ROWS);
  });

  test('is read back as the same cells for any table', async () => {
    await fc.assert(
      fc.asyncProperty(anyBatches(), async (batches) => {
        await write(COLUMNS, batches);
        expectSame((await read()).slice(1), batches.flat());
      }),
      { numRuns: 200 },
    );
  });

  test('distinguishes repeated 0 and -0', async () => {
    const rows = Array.from({ length: 100 }, (_, index) => [index % 3 === 0 ? -0 : 0]);
    await write(COLUMNS.slice(0, 1), [rows]);
    expectSame((await read()).slice(1), rows);
  });

  test('has the minimum and maximum of each column, with text in byte order', async () => {
    await write(COLUMNS, [[...ROWS, [null, null, null, '\uffee'], [null, null, null, '🙂']]]);
    const footer = parquetMetadata(new Uint8Array(readFileSync(path)).buffer);
    const statistics = footer.row_groups[0]?.columns.map(({ meta_data }) => meta_data?.statistics);
    const bounds = statistics?.map((column) => [
      column?.min_value,
      column?.max_value,
      column?.null_count,
    ]);
    expect(bounds).toEqual([
      [-0, 1.7976931348623157e308, 3n],
      [-9007199254740991n, 9007199254740991n, 3n],
      [new Date('0001-01-01'), new Date('9999-12-31'), 3n],
      ['', '🙂', 1n],
    ]);
  });

  test('is written in row groups, and read in batches', async () => {
    const columns = COLUMNS.slice(1, 2);
    const rows = Array.from({ length: 120_000 }, (_, index) => [index]);
    const chunks = await write(columns, [rows.slice(0, 70_000), rows.slice(70_000)]);
    expect(chunks).toBe(8);
    const batches = await readInBatches();
    expect(Math.max(...batches.map(({ length }) => length))).toBeLessThanOrEqual(5000);
    const dataRows = batches.flat().slice(1);
    expect(dataRows.length).toBe(120_000);
    expect(dataRows.every(({ position, cells }) => cells[0] === position - 1)).toBe(true);
  });

  test('without rows has its columns', async () => {
    await write(COLUMNS, []);
    expect(await read()).toEqual([{ position: 0, cells: COLUMNS.map(({ name }) => name) }]);
  });

  test('is read without its blank rows, which are counted', async () => {
    const blanks = [null, null, null, ''];
    await write(COLUMNS, [[blanks, ROWS[0] ?? [], blanks, ROWS[0] ?? []]]);
    expect((await read()).map(({ position }) => position)).toEqual([0, 2, 4]);
  });
});

describe('a stored value', () => {
  test('of a 32-bit float is its shortest decimal', () => {
    expect([0.1, 16777216, 1e-45, 3.4028235e38].map(Math.fround).map(toShortestFloat)).toEqual([
      0.1, 16777216, 1e-45, 3.4028235e38,
    ]);
    fc.assert(
      fc.property(fc.float(), (value) => {
        const number = toShortestFloat(value);
        expect(Object.is(Math.fround(number), value)).toBe(true);
        const digits = (number.toExponential().split('e')[0] ?? '').replace(/\D/g, '').length;
        if (value === 0 || !Number.isFinite(value) || digits === 1) return;
        expect(Math.fround(Number(value.toPrecision(digits - 1)))).not.toBe(value);
      }),
    );
  });

  test('of a decimal is the number nearest to its text', () => {
    const anyInteger = fc.bigInt({ min: -(10n ** 38n), max: 10n ** 38n });
    fc.assert(
      fc.property(anyInteger, fc.integer({ min: 1, max: 38 }), (unscaled, scale) => {
        const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
        const text = `${unscaled < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
        expect(toDecimal(unscaled, scale)).toBe(Number(text));
      }),
    );
  });

  test('beyond the calendar is its number as text', () => {
    expect(formatDayCount(2 ** 31 - 1)).toBe('2147483647');
    expect(formatTimestamp(2n ** 62n, 'MILLIS', true)).toBe('4611686018427387904');
    expect(formatTime(2n ** 62n, 'MICROS')).toBe('4611686018427387904');
  });
});

test('the logical type of a column is also read from its converted type', () => {
  const older = { name: 'a', scale: 2 };
  expect(resolveLogicalType({ ...older, converted_type: 'DECIMAL' })).toEqual({
    type: 'DECIMAL',
    scale: 2,
  });
  expect(resolveLogicalType({ ...older, converted_type: 'TIMESTAMP_MICROS' })).toEqual({
    type: 'TIMESTAMP',
    unit: 'MICROS',
    utc: true,
  });
  const time = { type: 'TIME' as const, unit: 'MILLIS' as const };
  expect(resolveLogicalType({ ...older, converted_type: 'TIME_MILLIS' })).toEqual(time);
  const types = (['DATE', 'UINT_16', 'UTF8', 'INT_8', 'JSON', 'INTERVAL'] as const).map(
    (converted_type) => resolveLogicalType({ ...older, converted_type }).type,
  );
  expect(types).toEqual(['DATE', 'UNSIGNED', 'STORED', 'STORED', 'STORED', 'INTERVAL']);
});

test('a page decompresses to no more than its declared size, and an empty page to nothing', () => {
  for (const decompress of Object.values(DECOMPRESSORS))
    expect(decompress(new Uint8Array(), 0)).toBeEmpty();
  const page = Bun.zstdCompressSync(new Uint8Array(1000));
  expect(DECOMPRESSORS.ZSTD?.(page, 1000)).toHaveLength(1000);
  expect(() => DECOMPRESSORS.ZSTD?.(page, 999)).toThrow(/larger than 999/);
});

describe('the bounds of a column', () => {
  const readBounds = async (type: OutputColumn['type'], ...cells: (string | number)[]) => {
    await write([{ name: 'a', type }], [cells.map((cell) => [cell])]);
    const { buffer } = new Uint8Array(readFileSync(path));
    const [group] = parquetMetadata(buffer).row_groups;
    const { min_value, max_value } = group?.columns[0]?.meta_data?.statistics ?? {};
    return [min_value, max_value];
  };

  test('include both zeros, if one of them is a bound', async () => {
    expect(await readBounds('number', 0, 1)).toEqual([-0, 1]);
    expect(await readBounds('number', -1, -0)).toEqual([-1, 0]);
  });

  test('are in the order of bytes, as readers compare texts', async () => {
    expect(await readBounds('text', '\uffee', '\u{1f600}', 'a')).toEqual(['a', '\u{1f600}']);
  });
});

test('an instant before 1970 has the fraction of its second', () => {
  expect(formatTimestamp(-750n, 'MILLIS', true)).toBe('1969-12-31T23:59:59.250Z');
  expect(formatTimestamp(-2_000_000n, 'MICROS', false)).toBe('1969-12-31T23:59:58');
});

describe('a Parquet file is rejected', () => {
  test('if it is no Parquet file', async () => {
    for (const bytes of ['', 'abc', 'date,price\n2026-06-30,100\n']) {
      writeFileSync(path, bytes);
      await expectRejected('is not a Parquet file: one begins with PAR1');
    }
  });

  test('if it is truncated anywhere', async () => {
    await write(COLUMNS, [ROWS]);
    const bytes = readFileSync(path);
    for (let length = 4; length < bytes.length; length += 1) {
      writeFileSync(path, bytes.subarray(0, length));
      await expectRejected('is cut short: a Parquet file ends with PAR1, as it begins');
    }
  });

  test('if its footer contradicts itself', async () => {
    await write(COLUMNS, [ROWS]);
    const bytes = readFileSync(path);
    // The count of rows, five, is a field of the footer behind the last column's name.
    const count = bytes.indexOf(
      'symbol.näme',
      bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8),
    );
    bytes[bytes.indexOf(Buffer.from([0x16, 2 * 5]), count) + 1] = 2 * 6;
    writeFileSync(path, bytes);
    await expectRejected('has a footer that cannot be read: 5 rows where it says 6');
  });

  test('if bytes in its middle are missing', async () => {
    await write(COLUMNS, [ROWS]);
    const bytes = readFileSync(path);
    for (const lost of [1, 10, 40, 100, 200]) {
      writeFileSync(path, Buffer.concat([bytes.subarray(0, 4), bytes.subarray(4 + lost)]));
      await expectRejected(/./);
    }
  });

  test('if it is encrypted', async () => {
    writeFileSync(path, 'PARE and what nobody can read PARE');
    await expectRejected('is encrypted; write it again without encryption');
  });
});

/** Compares cells, including the sign of zeros; blank rows are not read. */
function expectSame(rows: readonly CellRow[], written: readonly (readonly FileCell[])[]): void {
  const filled = written
    .map((cells, index) => ({ position: index + 1, cells: [...cells] }))
    .filter(({ cells }) => cells.some((cell) => cell !== null && cell !== ''));
  expect(rows.map(({ position, cells }) => ({ position, cells: [...cells] }))).toEqual(filled);
  const signs = (cells: readonly FileCell[]) => cells.map((cell) => Object.is(cell, -0));
  expect(rows.map(({ cells }) => signs(cells))).toEqual(filled.map(({ cells }) => signs(cells)));
}
