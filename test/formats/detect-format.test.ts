import { describe, expect, test } from 'bun:test';
import { detectFormat } from '../../src/formats/detect-format.ts';
import { InvalidFileError } from '../../src/formats/file-contents.ts';
import { readContents } from '../../src/formats/read-contents.ts';
import { collectItems, collectRows, createInput } from './chunked-input.ts';

const RESAVE_HINT = '; if it is a table, open it in a spreadsheet and save it as .xlsx';
const long = JSON.stringify({ text: 'x'.repeat(100_000) });
// Its line end is the last character of the first chunk that is examined.
const edge = JSON.stringify({ text: 'x'.repeat(65_535 - '{"text":""}'.length) });

describe('the format of a file', () => {
  test.each([
    ['parquet', 'by its first bytes', 'PAR1\x15\x04'],
    ['xlsx', 'by its first bytes', 'PK\x03\x04\x14\0'],
    ['json', 'of a list', '\n [{"a":1}]'],
    ['json', 'of a list on several lines', '[1,\n2]'],
    ['json', 'of an object', '{"a":1}\n\n'],
    ['json', 'of an object on several lines', '{\n"a":1}\n'],
    ['json', 'of a long object', long],
    ['json', 'behind a byte order mark', '\ufeff{"a":1}'],
    ['ndjson', 'of objects on lines', '{"a":1}\r\n{"a":2}'],
    ['ndjson', 'with blank lines', '\n{"a":1}\n\n{"a":2}\n'],
    ['ndjson', 'with a bad second line', '{"a":1}\nrubbish'],
    ['ndjson', 'with long lines', `${long}\n${long}`],
    ['ndjson', 'with a line as long as the head', `${edge}\n${edge}`],
    ['csv', 'with commas', 'a,b\n1,2\n'],
    ['csv', 'with semicolons', 'a;b\n1;2\n'],
    ['csv', 'of one column', 'price\n1\n'],
    ['csv', 'with a sign in front', '<5,x\n<6,y\n'],
    ['csv', 'in UTF-16', Buffer.from('\ufeffa,b\n', 'utf16le')],
    ['json', 'in UTF-16', Buffer.from('\ufeff[1]', 'utf16le')],
    ['csv', 'in Latin-1', Buffer.from('é,b\n', 'latin1')],
    ['tsv', 'with tabs', 'a\tb,c\n1\t2\n'],
    ['tsv', 'with tabs by name', 'sep=\t\na\tb,c,d\n1\t2,3,4\n'],
  ] as const)('is %s %s', async (format, _, content) => {
    expect(await detectFormat(createInput(content))).toBe(format);
    expect(await detectFormat(createInput(content, [1000, 1]))).toBe(format);
  });

  test.each([
    ['is empty', ''],
    ['is empty', '\ufeff \n\r\n'],
    [
      'is an old Excel workbook (.xls), or another old Office file; open it in a spreadsheet and save it as .xlsx, or run: soffice --headless --convert-to xlsx FILE',
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    ],
    [
      'is protected by a password; open it in a spreadsheet, and save it as .xlsx without one',
      Buffer.concat([
        Buffer.from('d0cf11e0a1b11ae1', 'hex'),
        Buffer.from('Root Entry\0\0EncryptedPackage\0', 'utf16le'),
      ]),
    ],
    ['is a PDF file, which has no cells to read', '%PDF-1.7'],
    [`is an HTML page, not data${RESAVE_HINT}`, '\n<!DOCTYPE html><html>'],
    [`is an HTML page, not data${RESAVE_HINT}`, '<html lang="en">'],
    [`is an HTML or XML file, not data${RESAVE_HINT}`, '<?xml version="1.0"?>'],
    [`is an HTML or XML file, not data${RESAVE_HINT}`, '<table><tr>'],
  ])('is rejected if it %s', async (message, content) => {
    await expect(detectFormat(createInput(content, [3]))).rejects.toThrow(
      new InvalidFileError(message),
    );
  });
});

describe('the contents of a file', () => {
  test('are read in the detected format', async () => {
    const table = await readContents(createInput('a\tb\n'), {});
    expect(table.kind === 'table' && (await collectRows(table))).toEqual([
      { position: 1, cells: ['a', 'b'] },
    ]);
    const items = await readContents(createInput('{"a":1}\n{"a":2}'), {});
    expect(items.kind === 'items' && (await collectItems(items)).length).toBe(2);
    const list = await readContents(createInput('[1,2,3]'), {});
    expect(list.kind === 'items' && (await collectItems(list)).length).toBe(3);
  });

  test('are read in the requested format', async () => {
    const table = await readContents(createInput('[1,2]\n'), { format: 'csv' });
    expect(table.kind === 'table' && (await collectRows(table))).toEqual([
      { position: 1, cells: ['[1', '2]'] },
    ]);
    const items = await readContents(createInput('[1]\n'), { format: 'ndjson' });
    expect(items.kind === 'items' && (await collectItems(items))).toEqual([
      { position: 1, value: [1] },
    ]);
  });

  test('reject a sheet name in a format without sheets', async () => {
    await expect(readContents(createInput('a,b\n'), { sheet: 'Prices' })).rejects.toThrow(
      new InvalidFileError('has no sheets to choose from: it is read as csv'),
    );
  });
});
