import { describe, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { onlineBankingAnnualVolume as online } from '../../src/catalogue/datasets/series/index.ts';
import { buildParts, createZip, type WorkbookParts } from '../formats/support/workbook.ts';
import { HEADER, RECORD, ROW, useFileLoader } from './file-loader.ts';

const { workspace, read, loadInvalid } = useFileLoader();

const text = (content: string) => `<c t="inlineStr"><is><t>${content}</t></is></c>`;
const number = (value: number, style?: number) =>
  `<c${style === undefined ? '' : ` s="${style}"`}><v>${value}</v></c>`;
const row = (...cells: string[]) => `<row>${cells.join('')}</row>`;
const headerRow = row(...HEADER.split(',').map(text));
const dataRow = row(...ROW.split(',').map((cell) => number(Number(cell))));
const book = (parts: WorkbookParts) => createZip(buildParts(parts));

describe('a spreadsheet', () => {
  test('is read without its titles and footnotes, which the report mentions', async () => {
    const sheet = `${row(text('Table 5'))}<row/>${headerRow}${dataRow}${row(text('P: provisional'))}${row(text('Source: SBP'))}`;
    workspace.writeFile('a.xlsx', await book({ sheets: { Data: sheet } }));
    const { report } = await workspace.load(online, 'a.xlsx');
    expect(await workspace.readRecords(online)).toEqual([RECORD]);
    expect(report.skipped).toEqual([
      'a.xlsx: row 1 to the header in row 3',
      'a.xlsx: notes below the data, from row 5 on',
    ]);
  });

  test('can have footnotes of two cells, after other footnotes', async () => {
    const notes = row(text('P: provisional')) + row(text('Source:'), text('SBP'));
    const content = await book({ sheets: { Data: headerRow + dataRow + notes } });
    expect(await read('a.xlsx', content)).toEqual([RECORD]);
    const indented = row('<c/>', text('Source:'), text('SBP'));
    const other = await book({ sheets: { Data: headerRow + dataRow + indented } });
    workspace.writeFile('b.xlsx', other);
    expect((await workspace.load(online, 'b.xlsx')).report.skipped).toEqual([
      'b.xlsx: notes below the data, from row 3 on',
    ]);
  });

  test.each([
    ['a key alone', row(number(2023)), 'cash_wtl'],
    ['a key alone, as its source writes it', row(text('2022/23 (P)')), 'year'],
    ['a key and a word', row(text('2023'), text('n.a.')), 'cash_wtl'],
    ['two figures', row('<c/>', number(1), text('2')), 'year'],
    ['three words', row(text('a'), text('b'), text('c')), 'year'],
  ])('with %s in its last row is rejected, because that is no footnote', async (_, last, field) => {
    const content = await book({ sheets: { Data: headerRow + dataRow + last } });
    const [message] = await loadInvalid('a.xlsx', content);
    expect(message).toStartWith(`a.xlsx row 3, ${field}: `);
  });

  test('has its footnotes detected without a key column, but not in a table of two columns', async () => {
    const mapping = { columns: { year: null }, fields: { year: '2024' } };
    const content = await book({
      sheets: { Data: headerRow + dataRow + row(text('Source: SBP')) },
    });
    expect(await read('a.xlsx', content, mapping)).toEqual([RECORD]);
    const fields = { cash_deposit: '82.6', funds_transfer: '55.2', total: '199.1' };
    const narrow = row(text('year'), text('cash_wtl')) + row(text('June'), text('many'));
    workspace.writeFile('b.xlsx', await book({ sheets: { Data: narrow } }));
    expect(await workspace.loadProblems(online, 'b.xlsx', { mapping: { fields } })).toHaveLength(2);
  });

  test('with a footnote between its data rows is rejected', async () => {
    const content = await book({ sheets: { Data: headerRow + row(text('Note')) + dataRow } });
    const lines = await loadInvalid('a.xlsx', content);
    expect(lines[0]).toBe(
      'a.xlsx row 2, year: "Note" must be a year such as 2024, FY24 or 2023-24',
    );
  });

  test('with merged cells in its data is rejected, and with merged cells elsewhere is read', async () => {
    const mergedCells = (range: string) => `<mergeCells><mergeCell ref="${range}"/></mergeCells>`;
    const sheets = { Data: row(text('Table 5')) + headerRow + dataRow };
    expect(
      await loadInvalid('a.xlsx', await book({ sheets, afterSheetData: mergedCells('B3:C3') })),
    ).toEqual(['a.xlsx row 3: "B3:C3" must be unmerged, so that each cell has its own value']);
    expect(
      await read('a.xlsx', await book({ sheets, afterSheetData: mergedCells('A1:E1') })),
    ).toEqual([RECORD]);
  });

  test('with several sheets is rejected with the list of its sheets', async () => {
    const content = await book({ sheets: { Data: headerRow + dataRow, Notes: headerRow } });
    expect(await loadInvalid('a.xlsx', content)).toEqual([
      'a.xlsx has several sheets: Data, Notes; choose one with --sheet NAME',
    ]);
    expect(await loadInvalid('a.xlsx', content, { sheet: 'Dates' })).toEqual([
      'a.xlsx has no sheet Dates; it has Data, Notes',
    ]);
    expect(await read('a.xlsx', content, { sheet: 'data' })).toEqual([RECORD]);
  });

  test.each([
    ['too large', 3 * 1024 ** 3, 'is too large: xl/worksheets/0.xml is over 2,048 MiB'],
    ['too small', 9, 'is a zip bomb: xl/worksheets/0.xml is larger than it says'],
  ])('with a declared sheet size that is %s is rejected early', async (_, bytes, message) => {
    const content = await book({ sheets: { Data: headerRow + dataRow } });
    // The name in the central directory comes last; the size is 22 bytes before it.
    content.writeUInt32LE(bytes, content.lastIndexOf('xl/worksheets/0.xml') - 22);
    expect(await loadInvalid('a.xlsx', content)).toEqual([`a.xlsx ${message}`]);
  });
});

describe('a percentage in a spreadsheet', () => {
  const quote = { ...quotes.example, ytm: 13.5 };
  const withPercent = (field: string, stored: number) => {
    const cells = Object.entries(quote).map(([name, value]) => {
      if (typeof value === 'string') return text(value);
      return name === field ? number(stored, 1) : number(value, 0);
    });
    const sheet = row(...Object.keys(quote).map(text)) + row(...cells);
    return book({ sheets: { Data: sheet }, formats: [0, '0.00%'] });
  };

  test('is read as the displayed yield', async () => {
    const content = await withPercent('ytm', 0.135);
    expect(await read('a.xlsx', content, {}, quotes)).toEqual([quote]);
  });
});
