import { describe, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import type { FileCell, MetadataLine, OutputColumn } from '../../src/formats/file-contents.ts';
import { writeXlsx } from '../../src/formats/xlsx/write-xlsx.ts';
import { ZipArchive } from '../../src/formats/zip/zip-archive.ts';
import {
  concatChunks,
  readWorkbookError,
  readWorkbookRows,
  withTempFile,
} from './support/workbook.ts';

type Rows = readonly (readonly FileCell[])[];
interface Table {
  readonly title?: string;
  readonly columns: readonly OutputColumn[];
  readonly rows: Rows;
  readonly metadata?: readonly MetadataLine[];
}

const COLUMNS: readonly OutputColumn[] = [
  { name: 'date', type: 'day', description: 'Date of the quote' },
  { name: 'symbol', type: 'text' },
  { name: 'price', type: 'number', description: 'Clean price', unit: 'per 100 of face value' },
  { name: 'volume', type: 'integer', unit: 'face value' },
];
const NEXT_TO_NUMBERS: readonly OutputColumn[] = [
  { name: 'used', type: 'integer' },
  { name: 'tenor', type: 'text' },
  { name: 'until', type: 'day' },
];
const ROWS: Rows = [
  ['2026-06-30', '=1+1', 95.4545, 470_000_000],
  ['2026-06-29', '-A', 100.25, null],
];
const METADATA: readonly MetadataLine[] = [
  ['Title', 'Bills <&> bonds'],
  ['Records', 2],
];

const write = ({ title = 'quotes', columns, rows, metadata }: Table) => {
  const batches = (async function* () {
    for (let start = 0; start < rows.length; start += 250) yield rows.slice(start, start + 250);
  })();
  const table = { title, columns, rows: batches };
  return concatChunks(writeXlsx(metadata ? { ...table, metadata: () => metadata } : table));
};

async function readPart(bytes: Uint8Array, name: string): Promise<string> {
  const chunks = await withTempFile(bytes, (path) =>
    concatChunks(new ZipArchive(path).readBytes(name, 1_048_576)),
  );
  return chunks.toString();
}

/** The number format of each column, as the second row has it. */
async function readFormats(columns: readonly OutputColumn[], rows: Rows): Promise<string[]> {
  const bytes = await write({ columns, rows });
  const styles = await readPart(bytes, 'xl/styles.xml');
  const codes = new Map(
    [...styles.matchAll(/numFmtId="(\d+)" formatCode="([^"]*)"/g)].map(([, id, code]) => [
      id,
      code,
    ]),
  );
  const [, cellFormats = ''] = /<cellXfs[^>]*>(.*)<\/cellXfs>/.exec(styles) ?? [];
  const ids = [...cellFormats.matchAll(/<xf numFmtId="(\d+)"/g)].map(([, id]) => id);
  const sheet = await readPart(bytes, 'xl/worksheets/sheet1.xml');
  const [row = ''] = /<row r="2">.*?<\/row>/.exec(sheet) ?? [];
  return [...row.matchAll(/<c r="\w+" s="(\d+)"/g)].map(
    ([, style]) => codes.get(ids[Number(style)] ?? '') ?? '',
  );
}

const number = (name: string): OutputColumn => ({ name, type: 'number' });

describe('the number format of a column', () => {
  test.each([
    [[1, 2000], '#,##0'],
    [[1, 0.5], '#,##0.0'],
    [[95.4545, 100.25], '#,##0.0000'],
    [[11.129927, 1 / 3], '#,##0.000000'],
    [[0.1 + 0.2], '#,##0.0'],
    [[-1.25, 1e21, 1e-7, -0], '#,##0.00'],
  ])('has as many decimals as %j need, up to six', async (values, format) => {
    const rows = values.map((value) => [value]);
    expect(await readFormats([number('a')], rows)).toEqual([format]);
  });

  test('has at least the decimals of the column, and those that figures have beyond them', async () => {
    const columns = ['a', 'b', 'c'].map((name) => ({ ...number(name), decimals: 2 }));
    expect(await readFormats(columns, [[1, 0.5, 0.125]])).toEqual([
      '#,##0.00',
      '#,##0.00',
      '#,##0.000',
    ]);
  });

  test('takes the decimals of every row, however many there are', async () => {
    const rows = Array.from({ length: 3_000 }, (_, index) => [index, 1]);
    rows.push([0.125, 1]);
    expect(await readFormats([number('a'), { name: 'b', type: 'integer' }], rows)).toEqual([
      '#,##0.000',
      '#,##0',
    ]);
  });
});

describe('a sheet', () => {
  test('has a filter over its header and all of its rows', async () => {
    const readFilter = async (rows: Rows) => {
      const sheet = await readPart(
        await write({ columns: COLUMNS, rows }),
        'xl/worksheets/sheet1.xml',
      );
      return /<\/sheetData>(.*)<\/worksheet>/.exec(sheet)?.[1];
    };
    expect(await readFilter(ROWS)).toBe('<autoFilter ref="A1:D3"/>');
    expect(await readFilter([])).toBe('<autoFilter ref="A1:D1"/>');
  });

  test('keeps a text off the numbers of the column before it', async () => {
    const bytes = await write({ columns: NEXT_TO_NUMBERS, rows: [[45, '1M', '2026-06-30']] });
    const styles = await readPart(bytes, 'xl/styles.xml');
    const formats = styles.slice(styles.indexOf('<cellXfs')).split('<xf ').slice(1);
    const sheet = await readPart(bytes, 'xl/worksheets/sheet1.xml');
    const isIndented = (address: string) => {
      const [, style = '0'] = new RegExp(`r="${address}" s="(\\d+)"`).exec(sheet) ?? [];
      return formats[Number(style)]?.includes('indent="1"');
    };
    expect(['A1', 'B1', 'C1', 'A2', 'B2', 'C2'].filter(isIndented)).toEqual(['B1', 'B2']);
  });

  test('has columns wide enough for numbers with separators', async () => {
    const readWidths = async (rows: Rows) => {
      const bytes = await write({ columns: [number('a'), number('b')], rows });
      const sheet = await readPart(bytes, 'xl/worksheets/sheet1.xml');
      return [...sheet.matchAll(/width="(\d+)"/g)].map(([, width]) => Number(width));
    };
    // -1,234,567,890.25 has 17 characters; another 2 are padding.
    expect(await readWidths([[-1_234_567_890.25, 1]])).toEqual([19, 10]);
    // Rows beyond the sample may have larger numbers.
    const rows = Array.from({ length: 2_000 }, () => [1_234_567_890, null]);
    expect(await readWidths(rows)).toEqual([19, 10]);
  });
});

describe('the sheet about a table', () => {
  test('has its lines, then the description and unit of each column', async () => {
    const bytes = await write({ columns: COLUMNS, rows: ROWS, metadata: METADATA });
    const rows = await readWorkbookRows(bytes, 'about');
    expect(rows.map(({ cells }) => cells)).toEqual([
      ['Title', 'Bills <&> bonds'],
      ['Records', 2],
      ['Column', 'Description', 'Unit'],
      ['date', 'Date of the quote'],
      ['symbol'],
      ['price', 'Clean price', 'per 100 of face value'],
      ['volume', null, 'face value'],
    ]);
  });

  test('is passed over by a reader that wants the table', async () => {
    const bytes = await write({ columns: COLUMNS, rows: ROWS, metadata: METADATA });
    const [header, ...rows] = await readWorkbookRows(bytes);
    expect(header?.cells).toEqual(['date', 'symbol', 'price', 'volume']);
    expect(rows.map(({ cells }) => [...cells])).toEqual([
      ['2026-06-30', '=1+1', 95.4545, 470_000_000],
      ['2026-06-29', '-A', 100.25],
    ]);
  });

  test('has a name that no table takes', async () => {
    const bytes = await write({ title: 'ABOUT', columns: COLUMNS, rows: ROWS, metadata: METADATA });
    expect(await readWorkbookError(bytes, 'x')).toBe('has no sheet x; it has ABOUT-, About');
    expect((await readWorkbookRows(bytes))[0]?.cells).toContain('symbol');
  });

  test('is left out if there is nothing to say', async () => {
    const bytes = await write({ columns: COLUMNS, rows: ROWS });
    expect(await readWorkbookError(bytes, 'about')).toBe('has no sheet about; it has quotes');
  });
});

const python = (...args: string[]) => spawnSync('python3', args, { encoding: 'utf8' });
const hasOpenpyxl = python('-c', 'import openpyxl').status === 0;

describe.skipIf(!hasOpenpyxl)('for openpyxl (skipped if python3 lacks it), a table', () => {
  const READ = `
import json, sys, warnings, openpyxl
warnings.simplefilter('error')
book = openpyxl.load_workbook(sys.argv[1])
sheet = book.worksheets[0]
print(json.dumps({
  'sheets': book.sheetnames,
  'active': book.active.title,
  'frozen': sheet.freeze_panes,
  'filter': sheet.auto_filter.ref,
  'bold': [cell.font.b for cell in sheet[1]],
  'alignment': [[cell.alignment.horizontal for cell in row] for row in (sheet[1], sheet[2])],
  'formats': [cell.number_format for cell in sheet[2]],
  'types': [cell.data_type for cell in sheet[2]],
  'values': [str(cell.value) for cell in sheet[2]],
  'about': [[cell.value for cell in row] for row in book['About'].iter_rows(max_row=2)],
}))`;

  test('has aligned heads, formats, a filter, and a sheet about it', async () => {
    const bytes = await write({ columns: COLUMNS, rows: ROWS, metadata: METADATA });
    const { stdout, stderr } = await withTempFile(bytes, async (path) => python('-c', READ, path));
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({
      sheets: ['quotes', 'About'],
      active: 'quotes',
      frozen: 'A2',
      filter: 'A1:D3',
      bold: [true, true, true, true],
      alignment: [
        [null, null, 'right', 'right'],
        ['left', null, 'right', 'right'],
      ],
      formats: ['yyyy\\-mm\\-dd', 'General', '#,##0.0000', '#,##0'],
      // A date, a text that is no formula, and numbers.
      types: ['d', 's', 'n', 'n'],
      values: ['2026-06-30 00:00:00', '=1+1', '95.4545', '470000000'],
      about: [
        ['Title', 'Bills <&> bonds', null],
        ['Records', 2, null],
      ],
    });
  });
});
