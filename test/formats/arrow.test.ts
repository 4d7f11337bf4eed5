import { describe, expect, test } from 'bun:test';
import { type Table, tableFromIPC } from '@uwdata/flechette';
import fc from 'fast-check';
import { writeArrow } from '../../src/formats/arrow/write-arrow.ts';
import { anyBatches, anyText, COLUMNS, ROWS } from './sample-table.ts';
import { type Batches, toBatches } from './support/parquet-file.ts';

describe('an Arrow stream', () => {
  test('has the same cells with their types and the sign of zero', async () => {
    const table = await writeTable([ROWS]);
    const types = table.schema.fields.map(({ name, type, nullable }) => [name, type, nullable]);
    expect(types).toMatchObject([
      ['price', { typeId: 3, precision: 2 }, true],
      ['accounts', { typeId: 2, bitWidth: 64, signed: true }, true],
      ['date', { typeId: 8, unit: 0 }, true],
      ['symbol.näme', { typeId: 5 }, true],
    ]);
    expect(readCells(table)).toEqual(ROWS.map((row) => [...row]));
  });

  test('has the same cells for any table', async () => {
    // The decoder drops a byte order mark at the start of a text.
    const text = anyText.filter((value) => !value.startsWith('\ufeff'));
    await fc.assert(
      fc.asyncProperty(anyBatches(text), async (batches) =>
        expect(readCells(await writeTable(batches))).toEqual(batches.flat()),
      ),
      { numRuns: 200 },
    );
  });

  test('can have any number of columns of any names', async () => {
    const columns = fc.array(
      fc.record({ name: fc.string({ unit: 'grapheme' }), type: fc.constant('number' as const) }),
      { minLength: 1, maxLength: 60 },
    );
    await fc.assert(
      fc.asyncProperty(columns, async (names) => {
        const row = names.map((_, index) => index);
        const table = await writeTable([[row]], names);
        expect(table.schema.fields.map(({ name }) => name)).toEqual(names.map(({ name }) => name));
        expect(names.map((_, index) => table.getChildAt(index).at(0))).toEqual(row);
      }),
    );
  });

  test('has validity bitmaps only for columns with nulls', async () => {
    const table = await writeTable([[[1, null, '2026-06-30', 'a']]]);
    const batches = COLUMNS.map((_, index) => table.getChildAt(index).data[0]);
    expect(batches.map((batch) => batch?.nullCount)).toEqual([0, 1, 0, 0]);
    expect(batches.map((batch) => batch?.validity.length)).toEqual([0, 1, 0, 0]);
  });

  test('has record batches of 10,000 rows, whatever the batches of the table', async () => {
    const rows = Array.from({ length: 25_000 }, (_, index) => [
      index,
      index,
      '2026-06-30',
      `row ${index}`,
    ]);
    const table = await writeTable([
      rows.slice(0, 3),
      rows.slice(3, 18_000),
      [],
      rows.slice(18_000),
    ]);
    const sizes = table.getChildAt(0).data.map(({ length }) => length);
    expect(sizes).toEqual([10_000, 10_000, 5_000]);
    expect(readCells(table)).toEqual(rows);
  });

  test('without rows has its schema and the end marker', async () => {
    const chunks = await writeChunks([]);
    expect(chunks.at(-1)).toEqual(Uint8Array.of(255, 255, 255, 255, 0, 0, 0, 0));
    expect(tableFromIPC(chunks).schema.fields.map(({ name }) => name)).toEqual(
      COLUMNS.map(({ name }) => name),
    );
  });

  test('has every message aligned to 8 bytes', async () => {
    for (const chunk of await writeChunks([ROWS])) {
      expect(chunk.length % 8).toBe(0);
      expect([...chunk.subarray(0, 4)]).toEqual([255, 255, 255, 255]);
    }
  });

  test('throws at an invalid day', async () => {
    await expect(writeTable([[[1, 1, '2026-13-01', 'a']]])).rejects.toThrow(
      'not a calendar day: 2026-13-01',
    );
  });
});

function writeChunks(batches: Batches, columns = COLUMNS): Promise<Uint8Array[]> {
  return Array.fromAsync(writeArrow({ title: 'table', columns, rows: toBatches(batches) }));
}

async function writeTable(...table: Parameters<typeof writeChunks>): Promise<Table> {
  return tableFromIPC(Buffer.concat(await writeChunks(...table)));
}

/** The cells of each row, days as text. */
function readCells(table: Table): unknown[][] {
  const columns = COLUMNS.map(({ type }, index) => {
    const values = [...table.getChildAt(index)] as unknown[];
    if (type !== 'day') return values;
    return values.map((value) => {
      return value === null ? null : new Date(value as number).toISOString().slice(0, 10);
    });
  });
  return Array.from({ length: table.numRows }, (_, row) => columns.map((column) => column[row]));
}
