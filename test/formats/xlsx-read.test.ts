import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { containsBytes } from '../../src/formats/contains-bytes.ts';
import type { FileCell } from '../../src/formats/file-contents.ts';
import { formatPercentCell } from '../../src/formats/xlsx/read-cell.ts';
import {
  buildParts,
  createZip,
  readBatchesFrom,
  readWorkbookError,
  readWorkbookRows,
  type WorkbookParts,
  withTempFile,
} from './support/workbook.ts';

/** The cells of a sheet with this one row. */
const readCells = async (
  row: string,
  rest: WorkbookParts = {},
): Promise<readonly FileCell[] | undefined> =>
  (await readWorkbookRows({ ...rest, sheets: { Data: `<row>${row}</row>` } }))[0]?.cells;

const readFormattedNumber = async (format: number | string, value: number, workbookXml = '') =>
  (await readCells(`<c s="0"><v>${value}</v></c>`, { formats: [format], workbookXml }))?.[0];

const text = (content: string) => `<c t="inlineStr"><is><t>${content}</t></is></c>`;
const filled = `<row>${text('x')}</row>`;

describe('a cell of a workbook', () => {
  test('has numbers as the stored doubles', async () => {
    const row = '<c><v>4976</v></c><c><v>10487.7</v></c><c t="n"><v>-1.5E-7</v></c>';
    expect(await readCells(row)).toEqual([4976, 10487.7, -1.5e-7]);
    expect(await readCells('<c><v>5628.0510599999998</v></c>')).toEqual([5628.05106]);
  });

  test('has shared strings with joined runs and without phonetic hints', async () => {
    const strings = `<si><t>plain</t></si><si><r><rPr><b/></rPr><t>ri</t></r><r><t xml:space="preserve">ch </t></r></si>
      <si><t>東京</t><rPh sb="0" eb="2"><t>とうきょう</t></rPh><phoneticPr fontId="1"/></si>`;
    const row = '<c t="s"><v>2</v></c><c t="s"><v>1</v></c><c t="s"><v>0</v></c>';
    expect(await readCells(row, { strings })).toEqual(['東京', 'rich ', 'plain']);
  });

  test('has the right one of thousands of shared strings', async () => {
    const strings = Array.from({ length: 3000 }, (_, index) => `<si><t>é${index}_xD800_</t></si>`);
    const indexes = [0, 1, 1023, 1024, 1025, 2047, 2048, 2999];
    const row = indexes.map((index) => `<c t="s"><v>${index}</v></c>`).join('');
    expect(await readCells(row, { strings: strings.join('') })).toEqual(
      indexes.map((index) => `é${index}\ud800`),
    );
    for (const wrong of ['3000', '3072', '-1', '1.5', 'a']) {
      const sheets = { Data: `<row><c t="s"><v>${wrong}</v></c></row>` };
      expect(await readWorkbookError({ sheets, strings: strings.join('') })).toBe(
        `cell A1 has a text "${wrong}" that the file lacks`,
      );
    }
  });

  test('has inline strings with references, CDATA and escapes decoded', async () => {
    const row = [
      text('a &lt;b&gt; &amp;&quot;&apos; &#233;&#x1F600;'),
      text('<![CDATA[a < b && c]]> d'),
      text('one_x000D_two _x005F_x000D_ _x00ZZ_'),
      '<c t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r></is></c>',
      '<c t="str"><f>A1</f><v>of a formula</v></c>',
      text('line\r\nfeed'),
    ].join('');
    expect(await readCells(row)).toEqual([
      'a <b> &"\' é😀',
      'a < b && c d',
      'one\rtwo _x000D_ _x00ZZ_',
      'inline',
      'of a formula',
      'line\nfeed',
    ]);
  });

  test.each(['constructor', 'nbsp'])(
    'is rejected with the unknown reference &%s;',
    async (name) => {
      const sheets = { Data: `<row>${text(`a &${name}; b`)}</row>` };
      expect(await readWorkbookError({ sheets })).toContain('is damaged');
    },
  );

  test('has booleans and errors as text', async () => {
    const row = '<c t="b"><v>1</v></c><c t="b"><v>0</v></c><c t="e"><f>1/0</f><v>#DIV/0!</v></c>';
    expect(await readCells(row)).toEqual(['TRUE', 'FALSE', '#DIV/0!']);
  });

  test('has the stored value of a formula, even an empty text', async () => {
    const row = '<c><f>1+1</f><v>2</v></c><c t="str"><f>""</f><v></v></c><c><v>3</v></c>';
    expect(await readCells(row)).toEqual([2, null, 3]);
  });

  test.each(['<f>SUM(A1:A6)</f>', '<f>SUM(A1:A6)</f><v/>', '<f>SUM(A1:A6)</f><v></v>'])(
    'is rejected with its address if a formula has no stored value: %s',
    async (inside) => {
      const sheets = { Data: `<row r="7"><c r="C7">${inside}</c></row>` };
      expect(await readWorkbookError({ sheets })).toBe(
        'cell C7 is a formula without a stored value; open the file in a spreadsheet program and save it',
      );
    },
  );

  test('is rejected if the workbook declares that its formulas are not calculated', async () => {
    const workbookXml = '<calcPr calcId="124519" fullCalcOnLoad="1"/>';
    const sheets = { Data: '<row><c><v>1</v></c><c><f>A1*2</f><v>0</v></c></row>' };
    expect(await readWorkbookError({ sheets, workbookXml })).toStartWith(
      'cell B1 is a formula that the file says is not calculated yet',
    );
    expect(await readWorkbookRows({ sheets: { Data: filled }, workbookXml })).toHaveLength(1);
  });

  test.each([
    ['a number', '<c><v>12 apples</v></c>', 'cell A1 has "12 apples" for a number'],
    ['a finite number', '<c><v>Infinity</v></c>', 'cell A1 has "Infinity" for a number'],
    ['a date', '<c t="d"><v>2024-02-30</v></c>', 'cell A1 has "2024-02-30" for a date'],
    ['a known type', '<c t="q"><v>9</v></c>', 'cell A1 is of the unknown type "q"'],
  ])('is rejected if it should be %s and is not', async (_, row, line) => {
    expect(await readWorkbookError({ sheets: { Data: `<row>${row}</row>` } })).toBe(line);
  });
});

describe('a percentage in a workbook', () => {
  test.each([
    ['0%'],
    ['0.00%'],
    ['[Red]0.0%'],
    ['0.00%;[Red]-0.00%'],
    ['#,##0.0 %'],
    ['General%'],
    ['0.0%"*"'],
    ['[=0]"-";0.0%'],
    [9],
    [10],
  ])('in the format %s is the displayed text with all digits', async (format) => {
    expect(await readFormattedNumber(format, 0.135)).toBe('13.5%');
  });

  test.each([['0.00"%"'], ['0.00\\%'], ['0.00_%'], ['0.00'], ['[%]0'], ['@'], [2]])(
    'is not the kind of the format %s',
    async (format) => {
      expect(await readFormattedNumber(format, 0.135)).toBe(0.135);
    },
  );

  test.each([
    [0, '0%'],
    [-0, '0%'],
    [1, '100%'],
    [0.287, '28.7%'],
    [-0.07, '-7%'],
    [0.005, '0.5%'],
    [12.34567, '1234.567%'],
    [1e-9, '0.0000001%'],
    [-1.5e21, '-150000000000000000000000%'],
  ])('%d is %s', async (value, expected) => {
    expect(await readFormattedNumber('0%', value)).toBe(expected);
  });

  test('has exactly the digits of the number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = formatPercentCell(value);
        expect(text).toMatch(/^-?(0|[1-9]\d*)(\.\d*[1-9])?%$/);
        expect(Number(`${text.slice(0, -1)}e-2`)).toBe(value + 0);
      }),
    );
  });
});

describe('a date in a workbook', () => {
  test.each([
    ['dd/mm/yyyy', 45322, '2024-01-31'],
    ['[$-409]d\\-mmm\\-yy;@', 45322, '2024-01-31'],
    ['yyyy"year"', 45322, '2024-01-31'],
    ['mmm', 45322, '2024-01-31'],
    ['[Red]D.M.YY', 45322, '2024-01-31'],
    ['m/d/yy h:mm AM/PM', 45322.25, '2024-01-31T06:00:00'],
    ['h:mm', 45322.25, '2024-01-31T06:00:00'],
    ['h:mm', 0.25, '06:00:00'],
    ['mm:ss.0', 0, '00:00:00'],
    ['hh:mm:ss', 0.999999, '00:00:00'],
    ['General', 45322, 45322],
    ['0.00E+00', 45322, 45322],
    ['[Red]0', 45322, 45322],
    ['#,##0.00\\d', 45322, 45322],
    ['0 "days"', 45322, 45322],
    ['0 USD', 45322, 45322],
    ['_d* #,##0_m', 45322, 45322],
    ['[h]:mm', 45322.5, 45322.5],
    ['[mm]:ss', 0.5, 0.5],
    ['[$dm-409]#,##0', 45322, 45322],
    ['@', 45322, 45322],
  ])('is recognized by its format: %s of %p is %p', async (format, serial, value) => {
    expect(await readFormattedNumber(format, serial)).toBe(value);
  });

  test('is recognized by the id of a built-in format', async () => {
    const dates = [14, 15, 16, 17, 22, 27, 31, 36, 50, 58];
    for (const id of dates) expect(await readFormattedNumber(id, 45322)).toBe('2024-01-31');
    for (const id of [18, 19, 20, 21, 45, 47])
      expect(await readFormattedNumber(id, 0.5)).toBe('12:00:00');
    for (const id of [0, 1, 2, 8, 11, 13, 23, 37, 44, 46, 48, 49, 59]) {
      expect(await readFormattedNumber(id, 45322)).toBe(45322);
    }
  });

  test.each([
    [1, '1900-01-01'],
    [59, '1900-02-28'],
    [61, '1900-03-01'],
    [25569, '1970-01-01'],
    [2958465, '9999-12-31'],
  ])('in the 1900 date system is as Excel shows it: %p is %s', async (serial, day) => {
    expect(await readFormattedNumber(14, serial)).toBe(day);
  });

  test('counts from 1904 if the workbook declares it', async () => {
    const date1904 = '<workbookPr date1904="1"/>';
    expect(await readFormattedNumber(14, 0, date1904)).toBe('1904-01-01');
    expect(await readFormattedNumber(14, 0, date1904.replace('"1"', '"true"'))).toBe('1904-01-01');
    expect(await readFormattedNumber(14, 60, date1904)).toBe('1904-03-01');
    expect(await readFormattedNumber(14, 43860.5, date1904)).toBe('2024-01-31T12:00:00');
  });

  test('is rounded to the second, into the next day if necessary', async () => {
    expect(await readFormattedNumber(22, 45322 + 30_600.4 / 86_400)).toBe('2024-01-31T08:30:00');
    expect(await readFormattedNumber(22, 45322.999999)).toBe('2024-02-01');
  });

  test('is rejected with its cell if there is no such day', async () => {
    const error = (serial: number) =>
      readWorkbookError({
        sheets: { Data: `<row r="3"><c r="B3" s="0"><v>${serial}</v></c></row>` },
        formats: [14],
      });
    expect(await error(60)).toBe('cell B3 is dated 29 February 1900, a day that never was');
    expect(await error(60.5)).toBe('cell B3 is dated 29 February 1900, a day that never was');
    for (const serial of [0, 0.5, -1, 2958466]) {
      expect(await error(serial)).toBe(`cell B3 is shown as a date, but ${serial} stands for none`);
    }
  });

  test('can be in ISO 8601', async () => {
    const days = ['2024-01-31', '2024-01-31T00:00:00', '2024-01-31T08:30:00.600Z', '08:30:00'];
    const row = days.map((day) => `<c t="d"><v>${day}</v></c>`).join('');
    expect(await readCells(row)).toEqual([
      '2024-01-31',
      '2024-01-31',
      '2024-01-31T08:30:01',
      '08:30:00',
    ]);
  });
});

describe('the rows of a sheet', () => {
  test('have the positions of the sheet, without empty rows and with null in gaps', async () => {
    const data = `<row r="2"><c r="B2"><v>1</v></c><c r="D2"><v>2</v></c><c r="F2" s="1"/></row>
      <row r="3"><c r="A3" s="1"/>${text('  ')}</row><row r="4"/>
      <row r="7" hidden="1"><c r="AA7"><v>3</v></c></row>`;
    expect(await readWorkbookRows({ sheets: { Data: data } })).toEqual([
      { position: 2, cells: [null, 1, null, 2] },
      { position: 7, cells: [...Array(26).fill(null), 3] },
    ]);
  });

  test('are numbered in order if they have no number', async () => {
    const data = `<row><c><v>1</v></c><c/><c><v>3</v></c></row><row r="5"><c r="B5"><v>1</v></c>
      <c><v>2</v></c></row><row><c><v>6</v></c></row>`;
    expect(await readWorkbookRows({ sheets: { Data: data } })).toEqual([
      { position: 1, cells: [1, null, 3] },
      { position: 5, cells: [null, 1, 2] },
      { position: 6, cells: [6] },
    ]);
  });

  test('are read with any namespace prefix and unknown elements', async () => {
    const sheet = `<?xml version="1.0"?><!-- a > b --><x:worksheet xmlns:x="m"><x:sheetData>
      <x:row r = '1' note="r='9' &gt; >"><x:c r="A1" t="inlineStr"><x:is><x:t>a</x:t></x:is></x:c>
      <x:c r="B1"><x:v>1</x:v><x:extLst><x:ext><x:v>7</x:v></x:ext></x:extLst></x:c>
      </x:row></x:sheetData></x:worksheet>`;
    const parts = { 'xl/worksheets/0.xml': sheet };
    expect(await readWorkbookRows({ sheets: { Data: '' }, parts })).toEqual([
      { position: 1, cells: ['a', 1] },
    ]);
  });

  test('have the merged ranges that they are part of', async () => {
    const row = (number: number) =>
      `<row r="${number}"><c r="A${number}"><v>${number}</v></c></row>`;
    const data = [1, 2, 3, 4, 5].map(row).join('');
    const afterSheetData = `<mergeCells count="4"><mergeCell ref="B3:C3"/><mergeCell ref="A2:A4"/>
      <mergeCell ref="E5"/><mergeCell ref="F5:F5"/></mergeCells>`;
    const rows = await readWorkbookRows({ sheets: { Data: data }, afterSheetData });
    expect(rows.map(({ merged }) => merged)).toEqual([
      undefined,
      ['A2:A4'],
      ['A2:A4', 'B3:C3'],
      ['A2:A4'],
      undefined,
    ]);
  });

  test('are searched for merged ranges across chunks', async () => {
    const search = async (...chunks: string[]) => {
      const bytes = async function* () {
        for (const chunk of chunks) yield Buffer.from(chunk);
      };
      return containsBytes(bytes(), Buffer.from('mergeCell'));
    };
    const xml = '</sheetData><mergeCell ref="A1:B1"/>';
    for (let index = 0; index <= xml.length; index += 1) {
      expect(await search(xml.slice(0, index), xml.slice(index))).toBe(true);
    }
    expect(await search(...xml)).toBe(true);
    expect(await search('merge', ' ', 'Cell')).toBe(false);
  });

  test('come in batches of a few hundred', async () => {
    const data = Array.from(
      { length: 5000 },
      (_, index) => `<row><c><v>${index}</v></c></row>`,
    ).join('');
    const bytes = await createZip(buildParts({ sheets: { Data: data } }));
    const batches = await withTempFile(bytes, (path) => readBatchesFrom(path));
    expect(batches.length).toBeGreaterThan(3);
    expect(Math.max(...batches.map((batch) => batch.length))).toBeLessThan(1500);
    const rows = batches.flat();
    expect(rows.map(({ position }) => position)).toEqual(
      Array.from({ length: 5000 }, (_, index) => index + 1),
    );
    expect(rows.at(-1)).toEqual({ position: 5000, cells: [4999] });
  });

  test.each([
    ['out of order', '<row r="2"/><row r="1"/>', 'is damaged: row 1 comes after row 2'],
    [
      'with a cell twice',
      '<row r="1"><c r="B1"/><c r="B1"/></row>',
      'is damaged: cell B1 is out of place in row 1',
    ],
    [
      'with the cell of another row',
      '<row r="1"><c r="B2"/></row>',
      'is damaged: cell B2 is out of place in row 1',
    ],
    [
      'with an attribute that is none',
      '<row><c r=A1/></row>',
      'is damaged: it has the attributes r=A1',
    ],
    [
      'with an attribute that means nothing',
      '<row><c r="&a;1"/></row>',
      'is damaged: it has the attributes r="&a;1"',
    ],
    ['beyond the last', '<row r="1048577"/>', 'is damaged: it has a row 1048577'],
    ['too wide', '<row><c r="XFE1"/></row>', 'has more than 16384 columns, in row 1'],
    [
      'too long',
      `<row>${text('x'.repeat(3_000_000))}${text('x'.repeat(1_200_000))}</row>`,
      'has more than 4194304 characters in row 1',
    ],
  ])('are rejected %s', async (_, data, line) => {
    expect(await readWorkbookError({ sheets: { Data: data } })).toBe(line);
  });
});
