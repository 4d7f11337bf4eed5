import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createGzip, gzipSync, zstdCompressSync } from 'node:zlib';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import {
  onlineBankingAnnualVolume as online,
  paymentsMarketPlayers as players,
} from '../../src/catalogue/datasets/series/index.ts';
import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import { formatReport } from '../../src/cli/format-report.ts';
import type { Mapping } from '../../src/publish/mapping/mapping.ts';
import { type Made, partsOf, zipOf, zipTelling } from '../formats/support/workbook.ts';
import type { FileContent, LoadWorkspace } from '../support/load-workspace.ts';
import { createLoadWorkspace } from '../support/load-workspace.ts';

const HEADER = 'year,cash_wtl,cash_deposit,funds_transfer,total';
const ROW = '2024,61.3,82.6,55.2,199.1';
const RECORD = {
  year: '2024',
  cash_wtl: 61.3,
  cash_deposit: 82.6,
  funds_transfer: 55.2,
  total: 199.1,
};

let workspace: LoadWorkspace;
beforeEach(async () => {
  workspace = await createLoadWorkspace();
});
afterEach(() => workspace.close());

/** The records that a file gives. */
async function read(name: string, content: FileContent, mapping: Mapping = {}, dataset?: Dataset) {
  workspace.writeFile(name, content);
  await workspace.load(dataset ?? online, name, { mapping });
  return workspace.readRecords(dataset ?? online);
}

/** The lines that a file is refused with; that nothing of it is published goes with it. */
async function loadInvalid(
  name: string,
  content: FileContent,
  mapping: Mapping = {},
  dataset?: Dataset,
) {
  workspace.writeFile(name, content);
  const lines = await workspace.loadProblems(dataset ?? online, name, { mapping });
  expect(await workspace.readRevision()).toBe(0);
  return lines;
}

const NUMBER = 'a finite number; a whole one within ±(2^53 − 1)';
const text = (content: string) => `<c t="inlineStr"><is><t>${content}</t></is></c>`;
const number = (value: number, style?: number) =>
  `<c${style === undefined ? '' : ` s="${style}"`}><v>${value}</v></c>`;
const row = (...cells: string[]) => `<row>${cells.join('')}</row>`;
const headerRow = row(...HEADER.split(',').map(text));
const dataRow = row(...ROW.split(',').map((cell) => number(Number(cell))));
const book = (made: Made) => zipOf(partsOf(made));

describe('a CSV file', () => {
  const utf16 = (content: string) => Buffer.from(content, 'utf16le');

  test.each([
    ['UTF-16 with a byte order mark', utf16(`\ufeff${HEADER}\r\n${ROW}\r\n`)],
    ['UTF-16 without one', utf16(`${HEADER}\n${ROW}\n`)],
    ['big-endian UTF-16', utf16(`${HEADER}\n${ROW}\n`).swap16()],
    ['a byte order mark and CRLF', `\ufeff${HEADER}\r\n${ROW}\r\n`],
    ['line breaks in quotes', `year,"cash\nwtl",cash_deposit,funds_transfer,total\n${ROW}`],
    ['title rows above its header', `Table 5\n\nIn millions,,,,\n${HEADER}\n${ROW}\n`],
    ['an unnamed column without cells', `${HEADER},\n${ROW},\n`],
    [
      'columns in another order',
      'total,year,funds_transfer,cash_deposit,cash_wtl\n199.1,2024,55.2,82.6,61.3',
    ],
    ['names in another spelling', `Year,Cash WTL,CASH_DEPOSIT,Funds-Transfer,Total\n${ROW}`],
  ])('is read with %s', async (_, content) => {
    expect(await read('a.csv', content)).toEqual([RECORD]);
  });

  test('is read compressed, as gzip and as zstd', async () => {
    expect(await read('a.csv.gz', gzipSync(`${HEADER}\n${ROW}`))).toEqual([RECORD]);
    const later = zstdCompressSync(`${HEADER}\n${ROW.replace('2024', '2025')}`);
    expect(await read('b.csv.zst', later)).toHaveLength(2);
  });

  test('with semicolons and decimal commas is read with --decimal, and its rejection suggests that option', async () => {
    const content = `${HEADER}\n${ROW}`.replaceAll(',', ';').replaceAll('.', ',');
    const [first] = await loadInvalid('a.csv', content);
    expect(first).toBe(
      'a.csv line 2, cash_wtl: "61,3" must be a number; with --decimal , "61,3" is 61.3',
    );
    expect(await read('a.csv', content, { decimal: ',' })).toEqual([RECORD]);
  });

  test('can group thousands', async () => {
    const [record] = await read('a.csv', `${HEADER}\n2024,"1,061.3",2 082.6,1'055.2,"4,199.1"`);
    expect(record).toMatchObject({ cash_wtl: 1061.3, cash_deposit: 2082.6, total: 4199.1 });
  });

  test('has line numbers as an editor shows them, with line breaks in cells', async () => {
    const content = `${HEADER}\n2024,"61\n.3",82.6,55.2,199.1\n\n2025,x,1,1,1\n`;
    expect(await loadInvalid('a.csv', content)).toEqual([
      'a.csv line 2, cash_wtl: "61\\n.3" must be a number',
      `a.csv line 5, cash_wtl: "x" must be a number; if "x" stands for no value, name it in the mapping's blanks`,
    ]);
  });

  test.each([
    ['1e400', `"1e400" must be ${NUMBER}`],
    ['Infinity', `"Infinity" must be ${NUMBER}`],
    ['9007199254740993', `"9007199254740993" must be ${NUMBER}`],
    ['NaN', '"NaN" must be a number; if "NaN" stands for no value'],
    ['#N/A', '"#N/A" must be a number; if "#N/A" stands for no value'],
    ['=A1+B1', '"=A1+B1" must be a number'],
    ['0x10', '"0x10" must be a number'],
    ['12%', '"12%" must be a number without %'],
    ['', `"" must be ${NUMBER}; it is blank (--blank zero takes it as 0)`],
  ])('with %s for a number is rejected by line, field, value and rule', async (cell, message) => {
    const lines = await loadInvalid('a.csv', `${HEADER}\n${ROW}\n2025,${cell},82.6,55.2,199.1\n`);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toStartWith(`a.csv line 3, cash_wtl: ${message}`);
  });

  test('with a fraction for a count is rejected', async () => {
    const header = 'year,total,banks,mfbs,digitalbanks,pso_psp,emis';
    expect(
      await loadInvalid('a.csv', `${header}\n2024,9007199254740993,1.5,1,1,1,1`, {}, players),
    ).toEqual([
      'a.csv line 2, total: "9007199254740993" must be a whole number within ±(2^53 − 1)',
      'a.csv line 2, banks: 1.5 must be a whole number within ±(2^53 − 1)',
    ]);
  });

  test('with rows that are too short or too long has one problem for each row', async () => {
    expect(await loadInvalid('a.csv', `${HEADER}\n2025,1,2\n${ROW},,7\n2023,1,2,3,6,\n`)).toEqual([
      'a.csv line 2: "2025, 1, 2" must be a row of 5 cells, as the header has; it has 3',
      'a.csv line 3: "2024, 61.3, 82.6, 55.2, 199.1, , 7" must be a row of 5 cells, as the header has; it has 7',
      'a.csv line 4: "2023, 1, 2, 3, 6, " must be a row of 5 cells, as the header has; it has 6',
    ]);
    // Blanks that are taken as 0 do not make up for cells that are not there.
    expect(await loadInvalid('a.csv', `${HEADER}\n2025,1,2\n`, { blank: 'zero' })).toHaveLength(1);
  });

  test.each([[';'], ['\t'], ['|']])(
    'delimited by %j is rejected where a comma may be a decimal sign',
    async (delimiter) => {
      const rows = [HEADER, ROW].map((line) => line.replaceAll(',', delimiter));
      const content = rows.join('\n').replace('199.1', '199,125');
      expect(await loadInvalid('a.csv', content)).toEqual([
        'a.csv line 2, total: "199,125" must be a number; "199,125" may be 199.125 or 199125: say --decimal , or --decimal .',
      ]);
      expect(await read('a.csv', content, { decimal: '.' })).toEqual([
        { ...RECORD, total: 199125 },
      ]);
    },
  );

  test('delimited by commas can group thousands by commas in quotes', async () => {
    const content = `${HEADER}\n${ROW.replace('199.1', '"199,125"')}`;
    expect(await read('a.csv', content)).toEqual([{ ...RECORD, total: 199125 }]);
  });

  test('with an unquoted decimal comma is rejected, even if its last cell is blank', async () => {
    const [header, row] = [`${HEADER},note`, '2024,61,3,82.6,55.2,199.1,'];
    expect(await loadInvalid('a.csv', `${header}\n${row}\n`, { columns: { note: null } })).toEqual([
      'a.csv line 2: "2024, 61, 3, 82.6, 55.2, 199.1, " must be a row of 6 cells, as the header has; it has 7',
    ]);
  });

  test.each([
    [
      'two columns of one name',
      `${HEADER},total\n${ROW},5`,
      'a.csv: two columns hold total: "total" and "total"',
    ],
    [
      'two spellings of one name',
      `${HEADER},Total\n${ROW},5`,
      'a.csv: two columns hold total: "total" and "Total"',
    ],
    [
      'cells under no name',
      `year,,cash_wtl,cash_deposit,funds_transfer,total\n2024,9,61.3,82.6,55.2,199.1`,
      'a.csv line 2: "9" must be blank: column 2 has no name in the header',
    ],
    [
      'a column that no field takes',
      `${HEADER},note\n${ROW},x`,
      'a.csv has, in line 1, a header with columns that no field takes: note; leave one out with --map "note="',
    ],
    [
      'a column missing',
      'year,cash_wtl,cash_deposit,funds_transfer\n2024,1,2,3',
      'a.csv has, in line 1, a header without a column for total; its columns are year, cash_wtl, cash_deposit, funds_transfer; --map "COLUMN=FIELD" names one',
    ],
    [
      'no header',
      ROW,
      'a.csv has no line that names the columns; line 1 has 2024, 61.3, 82.6, 55.2, 199.1; --header-row and --map help',
    ],
    ['nothing in it', '', 'a.csv is empty'],
    ['blank lines only', '\n  \n\n', 'a.csv is empty'],
    [
      'Latin-1',
      Buffer.from(`${HEADER}\n${ROW}\nfür,1,1,1,1\n`, 'latin1'),
      'a.csv is not UTF-8 on line 3; save it as UTF-8',
    ],
    ['a web page in it', '<!doctype html><p>Not found', 'a.csv is an HTML page, not data'],
    [
      'bytes that are no text',
      Buffer.from([0, 1, 2, 3, 4, 5]),
      'a.csv has a NUL character on line 1; save it as text in UTF-8',
    ],
    [
      'a quote that never closes',
      `${HEADER}\n2024,"61.3,1,1,1\n`,
      'a.csv has a quote on line 2 that is never closed',
    ],
    [
      'gzip data cut short',
      gzipSync(`${HEADER}\n${ROW}`).subarray(0, 30),
      'a.csv is cut short: its gzip data has no end',
    ],
  ])('with %s is rejected with one problem', async (_, content, line) => {
    expect(await loadInvalid('a.csv', content)).toEqual([line]);
  });

  test('with only a header has no records, and publishes nothing', async () => {
    workspace.writeFile('a.csv', `${HEADER}\n`);
    const { revision, report } = await workspace.load(online, 'a.csv');
    expect(revision).toBeUndefined();
    expect(report.records).toBe(0);
  });

  test('reports the lines that were skipped above its header', async () => {
    workspace.writeFile('a.csv', `Table 5\nIn millions\n${HEADER}\n${ROW}\n`);
    const { report } = await workspace.load(online, 'a.csv');
    expect(report.skipped).toEqual(['a.csv: line 1 to the header in line 3']);
  });

  test('is read from the given header row, and rejected where that row is missing', async () => {
    const content = `${HEADER}\nnot this one\n${HEADER}\n${ROW}\n`;
    expect(await read('a.csv', content, { headerRow: 3 })).toEqual([RECORD]);
    workspace.writeFile('b.csv', content);
    expect(await workspace.loadProblems(online, 'b.csv', { mapping: { headerRow: 9 } })).toEqual([
      'b.csv has nothing in line 9, which should name the columns',
    ]);
  });

  test('that does not exist, or is a directory, is rejected with its name', async () => {
    expect(await workspace.loadProblems(online, 'none.csv')).toEqual(['none.csv does not exist']);
    workspace.writeFile('i', '');
    expect(await workspace.loadProblems(online, 'i')).toEqual(['i is empty']);
    workspace.writeFile('folder/a.csv', '');
    expect(await workspace.loadProblems(online, 'folder')).toEqual(['folder is a folder']);
  });
});

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
    ['a key alone, as its source writes it', row(text('2022-23 (P)')), 'year'],
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
    const all = { cash_deposit: '82.6', funds_transfer: '55.2', total: '199.1' };
    const narrow = row(text('year'), text('cash_wtl')) + row(text('June'), text('many'));
    workspace.writeFile('b.xlsx', await book({ sheets: { Data: narrow } }));
    expect(
      await workspace.loadProblems(online, 'b.xlsx', { mapping: { fields: all } }),
    ).toHaveLength(2);
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
      await loadInvalid('a.xlsx', await book({ sheets, behind: mergedCells('B3:C3') })),
    ).toEqual(['a.xlsx row 3: "B3:C3" must be unmerged, so that each cell has its own value']);
    expect(await read('a.xlsx', await book({ sheets, behind: mergedCells('A1:E1') }))).toEqual([
      RECORD,
    ]);
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

  test('is read with the stored values of its formulas, and rejected where one has none', async () => {
    const rest = [82.6, 55.2, 199.1].map((value) => number(value));
    const with61 = row(number(2024), '<c><f>60+1.3</f><v>61.3</v></c>', ...rest);
    expect(await read('a.xlsx', await book({ sheets: { Data: headerRow + with61 } }))).toEqual([
      RECORD,
    ]);
    const without = row(number(2024), '<c><f>60+1.3</f></c>', ...rest);
    workspace.writeFile('b.xlsx', await book({ sheets: { Data: headerRow + without } }));
    expect(await workspace.loadProblems(online, 'b.xlsx')).toEqual([
      'b.xlsx: cell B2 is a formula without a stored value; open the file in a spreadsheet program and save it',
    ]);
  });

  test('with an error or a date for a number is rejected', async () => {
    const rest = [55.2, 199.1].map((value) => number(value));
    const cells = row(number(2024), '<c t="e"><v>#N/A</v></c>', number(45000, 1), ...rest);
    const content = await book({ sheets: { Data: headerRow + cells }, formats: [0, 14] });
    const lines = await loadInvalid('a.xlsx', content);
    expect(lines.map((line) => line.split(';')[0])).toEqual([
      'a.xlsx row 2, cash_wtl: "#N/A" must be a number',
      'a.xlsx row 2, cash_deposit: "2023-03-15" must be a number',
    ]);
  });

  test('has the same dates in both date systems', async () => {
    const { date: _, maturityDate: __, ...rest } = quotes.example;
    const names = [...Object.keys(rest), 'date', 'maturityDate'];
    const values = Object.values(rest).map((value) =>
      typeof value === 'number' ? number(value) : text(value),
    );
    const sheetOf = (date: number, maturity: number) =>
      row(...names.map(text)) + row(...values, number(date, 1), number(maturity, 1));
    // 2026-06-30 and 2026-12-03, counted from 1900 and from 1904.
    const from1900 = await book({ sheets: { Data: sheetOf(46203, 46359) }, formats: [0, 14] });
    const about = '<workbookPr date1904="1"/>';
    const from1904 = await book({
      sheets: { Data: sheetOf(44741, 44897) },
      formats: [0, 14],
      about,
    });
    expect(await read('a.xlsx', from1900, {}, quotes)).toEqual([quotes.example]);
    workspace.writeFile('b.xlsx', from1904);
    expect((await workspace.load(quotes, 'b.xlsx')).counts.unchanged).toBe(1);
  });

  test.each([
    [
      'a sheet that says it is huge',
      { 'xl/worksheets/0.xml': 3 * 1024 ** 3 },
      'is too large: xl/worksheets/0.xml is over 2,048 MiB',
    ],
    [
      'a sheet that is larger than it says',
      { 'xl/worksheets/0.xml': 9 },
      'is a zip bomb: xl/worksheets/0.xml is larger than it says',
    ],
  ])('with %s is rejected before it is inflated', async (_, sizes, message) => {
    const content = await book({ sheets: { Data: headerRow + dataRow } });
    expect(await loadInvalid('a.xlsx', withDeclaredSizes(content, sizes))).toEqual([
      `a.xlsx ${message}`,
    ]);
  });

  test('that is no workbook is rejected with its actual format', async () => {
    const content = await book({ sheets: { Data: headerRow + dataRow } });
    expect(await loadInvalid('a.xlsx', content.subarray(0, 300))).toEqual([
      'a.xlsx is a ZIP file that is cut short or damaged',
    ]);
    expect(await loadInvalid('a.xlsx', zipTelling('x.txt', 'x'))).toEqual([
      'a.xlsx is a ZIP file but not an Excel workbook',
    ]);
    expect(await loadInvalid('a.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'))).toEqual([
      'a.xls is an old Excel file, or one with a password; save it as .xlsx without',
    ]);
    expect(await loadInvalid('a.csv', `${HEADER}\n${ROW}`, { sheet: 'Data' })).toEqual([
      'a.csv has no sheets to choose from: it is read as csv',
    ]);
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

  test('is rejected where the field is no percentage', async () => {
    const [line] = await loadInvalid('a.xlsx', await withPercent('lastPrice', 0.985), {}, quotes);
    expect(line).toBe(
      'a.xlsx row 2, lastPrice: "98.5%" must be a number without %, which only percentages and shares may have',
    );
  });
});

describe('a JSON file', () => {
  const json = JSON.stringify;

  test.each([
    ['a list', json([RECORD])],
    ['the envelope of an answer', json({ status: 'ok', message: '', data: [RECORD] })],
    ['one record', json(RECORD)],
    ['a record on each line', `${json(RECORD)}\n\n`],
    ['numbers in quotes', json([{ ...RECORD, total: '199.1', year: 2024 }])],
  ])('is read as %s', async (_, content) => {
    expect(await read('a.json', content)).toEqual([RECORD]);
  });

  test.each([
    ['a list', json([fundAllocation.example])],
    [
      'the envelope of an answer',
      json({ status: 'ok', data: fundAllocation.example, message: '' }),
    ],
    ['one fund', json(fundAllocation.example)],
    ['a fund on each line', `${json(fundAllocation.example)}\n`],
  ])('of funds is read as %s', async (_, content) => {
    expect(await read('a.json', content, {}, fundAllocation)).toEqual([fundAllocation.example]);
  });

  test('with one record on each line has problems with the line', async () => {
    const lines = [RECORD, { ...RECORD, year: '2025', total: 'n/a' }].map((record) => json(record));
    const [message] = await loadInvalid('a.ndjson', lines.join('\n'));
    expect(message).toStartWith('a.ndjson line 2, total: "n/a" must be a number');
  });

  test('with several records on one line has problems with the record, also for duplicate keys', async () => {
    const invalid = { ...RECORD, year: '2025', total: 'n/a' };
    const [message] = await loadInvalid('a.json', json({ status: 'ok', data: [RECORD, invalid] }));
    expect(message).toStartWith('a.json record 2 (line 1), total: "n/a" must be a number');
    const [duplicate] = await loadInvalid('b.json', `[${json(RECORD)},\n${json(RECORD)}]`);
    expect(duplicate).toStartWith('b.json record 2 (line 2), year: "2024" must be given once');
    expect(duplicate).toEndWith('b.json record 1 (line 1) has the same');
  });

  test('has warnings with the record', async () => {
    workspace.writeFile('a.json', json([RECORD, { ...RECORD, year: '2025', total: 500 }]));
    const { report } = await workspace.load(online, 'a.json');
    expect(report.warnings[0]?.first).toMatchObject([{ place: 'record', at: 2, line: 1 }]);
    expect(formatReport(report).join('\n')).toContain('  a.json record 2 (line 1), total: ');
  });

  test('of many chunks has problems with the record and its line', async () => {
    const records = Array.from({ length: 3_000 }, (_, index) =>
      json({ ...RECORD, year: String(1000 + index), ...(index === 2_900 && { total: 'n/a' }) }),
    );
    const [message] = await loadInvalid('a.json', `[\n${records.join(',\n')}\n]`);
    expect(message).toStartWith('a.json record 2901 (line 2902), total: "n/a" must be a number');
  });

  test.each([
    [
      'a failure for an answer',
      json({ status: 'error', message: 'no such' }),
      'a.json is the reply to a request that failed: "no such"',
    ],
    [
      'a name given twice',
      '[{"year":"2024",\n"year":"2025"}]',
      'a.json has a name twice in one object, in the value on line 1',
    ],
    ['broken JSON', '[\n{"year":}]', 'a.json has broken JSON in the value on line 2'],
    [
      'NaN',
      json([RECORD]).replace('199.1', 'NaN'),
      'a.json has broken JSON in the value on line 1',
    ],
    ['no end', '[{"year":"2024"', 'a.json is cut short: its JSON has no end'],
    [
      '1e400',
      json([RECORD]).replace('199.1', '1e400'),
      `a.json record 1 (line 1), total: "1e400" must be ${NUMBER}`,
    ],
    [
      'null for a number',
      json([{ ...RECORD, total: null }]),
      `a.json record 1 (line 1), total: "" must be ${NUMBER}; it is blank (--blank zero takes it as 0)`,
    ],
    [
      'true for a number',
      json([{ ...RECORD, total: true }]),
      `a.json record 1 (line 1), total: true must be ${NUMBER}`,
    ],
    [
      'a field that is not there',
      json([{ ...RECORD, total: undefined }]),
      `a.json record 1 (line 1), total: missing; must be ${NUMBER}`,
    ],
    [
      'a field too many',
      json([{ ...RECORD, note: 'x' }]),
      'a.json record 1 (line 1), note: "x" must be absent: the dataset has no such field',
    ],
    [
      'a reply without its status',
      json({ data: [RECORD] }),
      `a.json record 1 (line 1): ${json({ data: [RECORD] }).slice(0, 60)}… must be an object with fields of online-banking-annual-volume: year, cash_wtl, cash_deposit, funds_transfer, total; of a reply, give the list in "data", or all of it with its "status"`,
    ],
    ['text for a record', '["x"]', 'a.json record 1 (line 1): "x" must be an object'],
  ])('with %s is rejected with one problem', async (_, content, line) => {
    expect(await loadInvalid('a.json', content)).toEqual([line]);
  });

  test('of a fund with fewer values than periods is rejected', async () => {
    const rows = [{ label: 'Cash', values: [100] }];
    const content = json({ ...fundAllocation.example, rows });
    expect(await loadInvalid('a.json', content, {}, fundAllocation)).toEqual([
      'a.json record 1 (line 1), rows: [{"label":"Cash","values":[100]}] must be 2 values, one per period, in "Cash"',
    ]);
  });
});

describe('a huge file', () => {
  const MEBIBYTE = 1024 ** 2;

  /** Writes a line of so many mebibytes behind the start of a file. */
  function longLine(name: string, start: string, mebibytes: number): void {
    const file = openSync(join(workspace.folder, name), 'w');
    const chunk = Buffer.alloc(MEBIBYTE, '7');
    writeSync(file, start);
    for (let count = 0; count < mebibytes; count++) writeSync(file, chunk);
    closeSync(file);
  }

  test.each([
    ['csv', `${HEADER}\n2024,`, 'has more than 4 Mi characters on line 2'],
    ['csv', `${HEADER}\n2024,"`, 'has more than 4 Mi characters on line 2'],
    [
      'ndjson',
      `{"year":"2024"}\n{"year":"`,
      'has more than 16 Mi characters in the value on line 2',
    ],
    ['json', '[{"year":"', 'has more than 16 Mi characters in the value on line 1'],
  ] as const)('with an endless line is rejected early: %s %j', async (format, start, message) => {
    longLine('long', start, 96);
    let read = 0;
    const options = {
      mapping: { format },
      onRead: (bytes: number) => {
        read += bytes;
      },
    };
    expect(await workspace.loadProblems(online, 'long', options)).toEqual([`long ${message}`]);
    expect(read).toBeLessThan(48 * MEBIBYTE);
  });

  test('as gzip that decompresses to an endless line is rejected early', async () => {
    const zip = createGzip({ level: 1 });
    const compressed: Buffer[] = [];
    zip.on('data', (piece: Buffer) => compressed.push(piece));
    zip.write(`${HEADER}\n2024,`);
    for (let count = 0; count < 64; count++) zip.write(Buffer.alloc(MEBIBYTE, '7'));
    await new Promise((resolve) => zip.end(resolve));
    expect(await loadInvalid('a.csv.gz', Buffer.concat(compressed))).toEqual([
      'a.csv.gz has more than 4 Mi characters on line 2',
    ]);
  });

  test('with a huge cell has it truncated in the message', async () => {
    const cell = 'x'.repeat(3 * MEBIBYTE);
    const [line] = await loadInvalid('a.csv', `${HEADER}\n${cell},1,1,1,3\n`);
    expect(line).toBe(
      `a.csv line 2, year: "${'x'.repeat(59)}… must be a year such as 2024, FY24 or 2023-24`,
    );
  });
});

/** A ZIP file whose directory tells other sizes of its parts. */
function withDeclaredSizes(zip: Uint8Array, sizes: Readonly<Record<string, number>>): Buffer {
  const changed = Buffer.from(zip);
  for (const [name, size] of Object.entries(sizes)) {
    let position = changed.indexOf('PK\x01\x02');
    while (position >= 0) {
      const length = changed.readUInt16LE(position + 28);
      const isPart = changed.toString('latin1', position + 46, position + 46 + length) === name;
      if (isPart) changed.writeUInt32LE(size, position + 24);
      position = changed.indexOf('PK\x01\x02', position + 46);
    }
  }
  return changed;
}
