import { describe, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import {
  type FileCell,
  InvalidFileError,
  type OutputColumn,
} from '../../src/formats/file-contents.ts';
import { writeXlsx } from '../../src/formats/xlsx/write-xlsx.ts';
import { ZipArchive } from '../../src/formats/zip/zip-archive.ts';
import { concatChunks, readWorkbookRows, withTempFile } from './support/workbook.ts';

type Rows = readonly (readonly FileCell[])[];

async function* inBatches(rows: Rows) {
  for (let start = 0; start < rows.length; start += 3) yield rows.slice(start, start + 3);
}

const write = (columns: readonly OutputColumn[], rows: Rows, title = 'Table') =>
  concatChunks(writeXlsx({ title, columns, rows: inBatches(rows) }));

const column = (type: OutputColumn['type'], name: string = type): OutputColumn => ({ name, type });

/** Writes one value and reads it back. */
const roundTrip = async (type: OutputColumn['type'], value: FileCell) => {
  const rows = await readWorkbookRows(
    await write([column(type), column('text', 'end')], [[value, '.']]),
  );
  return rows[1]?.cells[0];
};

/** The XML of the sheet in a workbook. */
async function readSheetXml(bytes: Uint8Array): Promise<string> {
  const chunks = await withTempFile(bytes, (path) =>
    concatChunks(new ZipArchive(path).readBytes('xl/worksheets/sheet1.xml', 1_048_576)),
  );
  return chunks.toString();
}

describe('a workbook that is written', () => {
  test('is read back with its header first', async () => {
    const columns = [column('text'), column('number'), column('integer'), column('day')];
    const bytes = await write(columns, [
      ['a', 0.1, 7, '2024-02-29'],
      [null, null, null, null],
      ['b', null, -7, null],
    ]);
    expect(await readWorkbookRows(bytes)).toEqual([
      { position: 1, cells: ['text', 'number', 'integer', 'day'] },
      { position: 2, cells: ['a', 0.1, 7, '2024-02-29'] },
      { position: 4, cells: ['b', null, -7] },
    ]);
  });

  test('has only its header if there are no rows', async () => {
    const rows = async function* () {
      yield [];
      yield [];
    };
    const columns = [column('text')];
    const header = [{ position: 1, cells: ['text'] }];
    expect(await readWorkbookRows(await write(columns, []))).toEqual(header);
    const empty = await concatChunks(writeXlsx({ title: 'a', columns, rows: rows() }));
    expect(await readWorkbookRows(empty)).toEqual(header);
  });

  test('is read back unchanged for any table', async () => {
    // Any character but control characters, and never blank: what a record's text may hold.
    const text = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 30 })
      .filter((value) => value.trim() !== '' && !/\p{Cc}/u.test(value));
    const day = fc
      .date({ min: new Date('1900-03-01'), max: new Date('2099-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10));
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    const row = fc.tuple(
      text,
      fc.option(text),
      fc.option(number),
      fc.option(fc.maxSafeInteger()),
      fc.option(day),
      text,
    );
    const types = ['text', 'text', 'number', 'integer', 'day', 'text'] as const;
    const columns = types.map((type, index) => column(type, `${type} ${index}`));
    const property = fc.asyncProperty(fc.array(row, { maxLength: 12 }), async (rows) => {
      const [header, ...read] = await readWorkbookRows(await write(columns, rows));
      expect(header?.cells).toEqual(columns.map(({ name }) => name));
      expect(read.map(({ cells }) => cells)).toEqual(rows);
    });
    await fc.assert(property, { numRuns: 75 });
  });

  test.each([
    'a\r\nb\tc\n',
    '\u0000\u0001\u001f',
    '_x0041_',
    '_x005F_x0041_',
    '_x0041\u0001',
    '_x0041_x0042_',
    '\ud800 alone',
    'alone \udc00',
    '\ufffe\uffff',
    '😀',
    ' <b attr="1">&amp;</b> ]]> ',
  ])('keeps the text %j', async (value) => {
    expect(await roundTrip('text', value)).toBe(value);
  });

  test.each([-0, 5e-324, Number.MAX_VALUE, 1e21, 0.1 + 0.2, Number.MIN_SAFE_INTEGER])(
    'keeps the number %p to the last bit',
    async (value) => {
      expect(await roundTrip('number', value)).toBe(value);
    },
  );

  test.each(['1900-02-28', '0001-01-01', '2024-02-30', 'unknown'])(
    'has %p, which is not a date in all programs, as text',
    async (value) => {
      const bytes = await write([column('day')], [[value]]);
      expect(await readSheetXml(bytes)).toContain(`>${value}</t>`);
      expect(await roundTrip('day', value)).toBe(value);
    },
  );

  test('has values of another type than their column as text', async () => {
    expect(await roundTrip('text', 12)).toBe('12');
    expect(await roundTrip('number', 'n/a')).toBe('n/a');
    expect(await roundTrip('number', Number.NaN)).toBe('NaN');
  });

  test('has the same bytes every time', async () => {
    const rows = [['a'], ['b']];
    const bytes = await write([column('text')], rows);
    expect(bytes.equals(await write([column('text')], rows))).toBe(true);
  });

  test.each([
    ['Quotes', 'quotes'],
    ['a[b]c:d*e?f/g\\h', 'A-B-C-D-E-F-G-H'],
    ['x'.repeat(40), 'x'.repeat(31)],
    [`${'x'.repeat(30)}😀`, 'x'.repeat(30)],
    ["'quoted'", 'quoted'],
    ['History', 'history-'],
    ['R&D <1> "a"', 'r&d <1> "a"'],
    ['', 'sheet1'],
  ])('titled %j has the sheet %j', async (title, sheet) => {
    const bytes = await write([column('text')], [], title);
    expect(await readWorkbookRows(bytes, sheet)).toHaveLength(1);
  });

  test('has column widths by the first rows, within limits', async () => {
    const bytes = await write([column('text', 'a'), column('text', 'b')], [['x', 'y'.repeat(99)]]);
    expect(await readSheetXml(bytes)).toContain(
      '<cols><col min="1" max="1" width="10" customWidth="1"/><col min="2" max="2" width="62" customWidth="1"/></cols>',
    );
  });
});

describe('a table beyond the limits of a sheet', () => {
  const writeOrError = (columns: readonly OutputColumn[], rows: AsyncIterable<Rows>) =>
    concatChunks(writeXlsx({ title: 'a', columns, rows })).catch((error) => {
      expect(error).toBeInstanceOf(InvalidFileError);
      return error.message;
    });

  test('is rejected beyond 1,048,575 rows, and not before', async () => {
    const rows = async function* (count: number): AsyncGenerator<Rows> {
      for (let left = count; left > 0; left -= 32_768) {
        yield Array.from({ length: Math.min(left, 32_768) }, () => [null]);
      }
    };
    expect(await writeOrError([column('text')], rows(1_048_575))).toBeInstanceOf(Buffer);
    expect(await writeOrError([column('text')], rows(1_048_576))).toBe(
      'has more than 1,048,575 rows, which is all that a sheet of an .xlsx file can hold; write another format',
    );
  });

  test('is rejected with a text longer than a cell', async () => {
    const rows = (length: number) => inBatches([['x'.repeat(length)]]);
    expect(await writeOrError([column('text')], rows(32_767))).toBeInstanceOf(Buffer);
    expect(await writeOrError([column('text')], rows(32_768))).toBe(
      'has a text of 32768 characters for cell A2; a cell holds 32767',
    );
  });

  test('is rejected past 16,384 columns', async () => {
    const columns = Array.from({ length: 16_385 }, (_, index) => column('text', `c${index}`));
    expect(await writeOrError(columns.slice(1), inBatches([]))).toBeInstanceOf(Buffer);
    expect(await writeOrError(columns, inBatches([]))).toBe(
      'has 16385 columns; a sheet holds 16384',
    );
  });

  test('fails with the error of its rows', async () => {
    const rows = async function* (): AsyncGenerator<Rows> {
      yield [['a']];
      throw new Error('the store is gone');
    };
    const table = { title: 'a', columns: [column('text')], rows: rows() };
    await expect(concatChunks(writeXlsx(table))).rejects.toThrow('the store is gone');
  });
});

const python = (...args: string[]) => spawnSync('python3', args, { encoding: 'utf8' });
const hasOpenpyxl = python('-c', 'import openpyxl').status === 0;

describe.skipIf(!hasOpenpyxl)('for openpyxl (skipped if python3 lacks it), a workbook', () => {
  const READ = `
import json, sys, warnings, zipfile, openpyxl
warnings.simplefilter('error')
assert zipfile.ZipFile(sys.argv[1]).testzip() is None
book = openpyxl.load_workbook(sys.argv[1])
sheet = book.active
print(json.dumps({
  'sheets': book.sheetnames,
  'frozen': sheet.freeze_panes,
  'bold': [cell.font.b for cell in sheet[1]] + [sheet['A2'].font.b],
  'formats': [cell.number_format for cell in sheet[2]],
  'types': [type(cell.value).__name__ for cell in sheet[2]],
  'rows': [[cell.isoformat() if hasattr(cell, 'isoformat') else cell for cell in row]
           for row in sheet.iter_rows(values_only=True)],
}))`;

  test('has real dates, numbers and texts below a frozen bold header', async () => {
    const columns = [column('text'), column('number'), column('integer'), column('day')];
    const rows = [
      [' a <b> & "c" é😀\n', 0.1, 9_007_199_254_740_991, '2024-02-29'],
      ['=1+1', 1e-7, -3, '1900-03-01'],
      [null, null, null, '1899-12-31'],
    ];
    const bytes = await write(columns, rows, 'Bonds & bills');
    const { stdout, stderr } = await withTempFile(bytes, async (path) => python('-c', READ, path));
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({
      sheets: ['Bonds & bills'],
      frozen: 'A2',
      bold: [true, true, true, true, false],
      formats: ['General', '#,##0.0', '#,##0', 'yyyy\\-mm\\-dd'],
      types: ['str', 'float', 'int', 'datetime'],
      rows: [
        ['text', 'number', 'integer', 'day'],
        [' a <b> & "c" é😀\n', 0.1, 9_007_199_254_740_991, '2024-02-29T00:00:00'],
        ['=1+1', 1e-7, -3, '1900-03-01T00:00:00'],
        [null, null, null, '1899-12-31'],
      ],
    });
  });

  const WRITE = `
import sys, datetime, openpyxl
book = openpyxl.Workbook()
book.active.append(['text', 1.5, True, datetime.date(2024, 2, 29), datetime.datetime(2024, 2, 29, 8, 30)])
book.active.append([None, datetime.time(8, 30), datetime.timedelta(hours=30)])
book.active.merge_cells('B3:C4')
book.active['B3'] = 'merged'
book.save(sys.argv[1])`;

  test('is read with the values that openpyxl wrote', async () => {
    const rows = await withTempFile(Buffer.alloc(0), async (path) => {
      const { stderr } = python('-c', WRITE, path);
      expect(stderr).toBe('');
      return readWorkbookRows(await Bun.file(path).bytes());
    });
    expect(rows).toEqual([
      { position: 1, cells: ['text', 1.5, 'TRUE', '2024-02-29', '2024-02-29T08:30:00'] },
      { position: 2, cells: [null, '08:30:00', 1.25] },
      { position: 3, cells: [null, 'merged'], merged: ['B3:C4'] },
    ]);
  });
});
