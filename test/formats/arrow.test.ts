import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Table, tableFromIPC } from '@uwdata/flechette';
import fc from 'fast-check';
import { writeArrow } from '../../src/formats/arrow/write-arrow.ts';
import type { FileCell, OutputColumn } from '../../src/formats/file-contents.ts';
import { COLUMNS, ROWS } from './sample-table.ts';

describe('an Arrow stream', () => {
  test('has the same cells with their types and the sign of zero', async () => {
    const table = await written([ROWS]);
    const types = table.schema.fields.map(({ name, type, nullable }) => [name, type, nullable]);
    expect(types).toMatchObject([
      ['price', { typeId: 3, precision: 2 }, true],
      ['accounts', { typeId: 2, bitWidth: 64, signed: true }, true],
      ['date', { typeId: 8, unit: 0 }, true],
      ['symbol.näme', { typeId: 5 }, true],
    ]);
    expect(cellsOf(table)).toEqual(ROWS.map((row) => [...row]));
  });

  test('has the same cells for any table', async () => {
    const row = fc.tuple(number, integer, day, text);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(row, { maxLength: 40 }), { maxLength: 4 }),
        async (batches) => expect(cellsOf(await written(batches))).toEqual(batches.flat()),
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
        const table = await written([[row]], names);
        expect(table.schema.fields.map(({ name }) => name)).toEqual(names.map(({ name }) => name));
        expect(names.map((_, index) => table.getChildAt(index).at(0))).toEqual(row);
      }),
    );
  });

  test('has validity bitmaps only for columns with nulls', async () => {
    const table = await written([[[1, null, '2026-06-30', 'a']]]);
    const batches = COLUMNS.map((_, index) => table.getChildAt(index).data[0]);
    expect(batches.map((batch) => batch?.nullCount)).toEqual([0, 1, 0, 0]);
    expect(batches.map((batch) => batch?.validity.length)).toEqual([0, 1, 0, 0]);
  });

  test('has record batches of 10,000 rows, whatever the batches of the table', async () => {
    const rows = Array.from({ length: 25_000 }, (_, at) => [at, at, '2026-06-30', `row ${at}`]);
    const table = await written([rows.slice(0, 3), rows.slice(3, 18_000), [], rows.slice(18_000)]);
    const sizes = table.getChildAt(0).data.map(({ length }) => length);
    expect(sizes).toEqual([10_000, 10_000, 5_000]);
    expect(cellsOf(table)).toEqual(rows);
  });

  test('without rows has its schema and the end marker', async () => {
    const chunks = await piecesOf([]);
    expect(chunks.at(-1)).toEqual(Uint8Array.of(255, 255, 255, 255, 0, 0, 0, 0));
    expect(tableFromIPC(chunks).schema.fields.map(({ name }) => name)).toEqual(
      COLUMNS.map(({ name }) => name),
    );
  });

  test('has every message aligned to 8 bytes', async () => {
    const pieces = await piecesOf([ROWS]);
    for (const chunk of pieces) {
      expect(chunk.length % 8).toBe(0);
      expect([...chunk.subarray(0, 4)]).toEqual([255, 255, 255, 255]);
    }
  });

  test('throws at an invalid day', async () => {
    await expect(written([[[1, 1, '2026-13-01', 'a']]])).rejects.toThrow(
      'not a calendar day: 2026-13-01',
    );
  });
});

const pyarrow = Bun.spawnSync(['python3', '-c', 'import pyarrow']).success;
if (!pyarrow) console.log('skipped: pyarrow, the other reader, is not installed');

describe.skipIf(!pyarrow)('pyarrow', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenor-arrow-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('reads types, values, nulls and the sign of zero', async () => {
    const path = join(folder, 'rows.arrows');
    writeFileSync(path, Buffer.concat(await piecesOf([ROWS])));
    const [types, rows] = python(path, [
      'rows = [[None if v is None else repr(v) if isinstance(v, float) else str(v)',
      '  for v in row.values()] for row in table.to_pylist()]',
      'print(json.dumps([[str(t) for t in table.schema.types], rows]))',
    ]);
    expect(types).toEqual(['double', 'int64', 'date32[day]', 'string']);
    expect(rows).toEqual([
      ['101.25', '7', '2026-06-30', 'P10PIB'],
      [null, null, null, 'Ünïcode 🙂'],
      ['-0.0', '-9007199254740991', '0001-01-01', ''],
      ['5e-324', '0', '9999-12-31', null],
      ['1.7976931348623157e+308', '9007199254740991', '1969-12-31', '\u{10ffff}'],
    ]);
  });

  test('reads several batches, many columns, and a table without rows', async () => {
    const path = join(folder, 'many.arrows');
    const columns = Array.from({ length: 300 }, (_, index): OutputColumn => {
      return { name: `column ${index}`, type: index % 2 === 0 ? 'text' : 'number' };
    });
    const row = columns.map(({ type }, at) => (type === 'text' ? `é${at}` : null));
    writeFileSync(path, Buffer.concat(await piecesOf([Array(10_001).fill(row)], columns)));
    const shape = [
      'print(json.dumps([*table.shape, table.column(0).num_chunks, table[298][10000].as_py()]))',
    ];
    expect(python(path, shape)).toEqual([10_001, 300, 2, 'é298']);
    writeFileSync(path, Buffer.concat(await piecesOf([])));
    expect(python(path, ['print(json.dumps(table.shape))'])).toEqual([0, 4]);
  });
});

const number = fc.option(fc.double({ noNaN: true }));
const integer = fc.option(fc.maxSafeInteger());
// The decoder drops a byte order mark at the start of a text.
const text = fc.option(
  fc.string({ unit: 'binary' }).filter((value) => !value.startsWith('\ufeff')),
);
const day = fc.option(
  fc
    .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
);

async function piecesOf(
  batches: readonly (readonly (readonly FileCell[])[])[],
  columns = COLUMNS,
): Promise<Uint8Array[]> {
  const rows = (async function* () {
    yield* batches;
  })();
  return Array.fromAsync(writeArrow({ title: 'table', columns, rows }));
}

async function written(...table: Parameters<typeof piecesOf>): Promise<Table> {
  return tableFromIPC(Buffer.concat(await piecesOf(...table)));
}

/** The cells of each row, days as text. */
function cellsOf(table: Table): unknown[][] {
  const columns = COLUMNS.map(({ type }, index) => {
    const values = [...table.getChildAt(index)] as unknown[];
    if (type !== 'day') return values;
    return values.map((value) => {
      return value === null ? null : new Date(value as number).toISOString().slice(0, 10);
    });
  });
  return Array.from({ length: table.numRows }, (_, row) => columns.map((column) => column[row]));
}

/** Reads a stream with pyarrow, checks it through and through, and gives what is printed. */
function python(path: string, lines: readonly string[]): unknown[] {
  const script = [
    'import json, sys, pyarrow.ipc as ipc',
    'table = ipc.open_stream(sys.argv[1]).read_all()',
    'table.validate(full=True)',
    ...lines,
  ].join('\n');
  const { stdout, stderr, success } = Bun.spawnSync(['python3', '-c', script, path]);
  if (!success) throw new Error(stderr.toString());
  return JSON.parse(stdout.toString());
}
