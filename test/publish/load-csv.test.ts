import { describe, expect, test } from 'bun:test';
import { createGzip } from 'node:zlib';
import { onlineBankingAnnualVolume as online } from '../../src/catalogue/datasets/series/index.ts';
import { formatReport } from '../../src/cli/format.ts';
import { HEADER, NUMBER, RECORD, ROW, useFileLoader } from './file-loader.ts';

const { workspace, read, loadInvalid } = useFileLoader();
const MEBIBYTE = 1024 ** 2;

describe('a CSV file', () => {
  test.each([
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

  test('with semicolons and decimal commas is read with --decimal, and its rejection suggests that option', async () => {
    const content = `${HEADER}\n${ROW}`.replaceAll(',', ';').replaceAll('.', ',');
    const [first] = await loadInvalid('a.csv', content);
    expect(first).toBe(
      'a.csv line 2, cash_wtl: "61,3" must be a number; with --decimal , "61,3" is 61.3',
    );
    expect(await read('a.csv', content, { decimal: ',' })).toEqual([RECORD]);
  });

  test('in Windows-1252 is read as such, and the report says so with a sample', async () => {
    const content = Buffer.from(`Títulos públicos\n${HEADER}\n${ROW}\n`, 'latin1');
    workspace.writeFile('a.csv', content);
    const { report } = await workspace.load(online, 'a.csv');
    const encodings = ['a.csv as windows-1252, for it is not UTF-8: "Títulos públicos"'];
    expect(report.encodings).toEqual(encodings);
    expect(formatReport(report)).toContain(`Decoded: ${encodings[0]}.`);
    expect(await workspace.readRecords(online)).toEqual([RECORD]);
    const given = await workspace.load(online, 'a.csv', { mapping: { encoding: 'latin1' } });
    expect(given.report.encodings).toBeUndefined();
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
    ['NaN', '"NaN" must be a number; if "NaN" stands for no value'],
    ['12%', '"12%" must be a number without %'],
    ['', `"" must be ${NUMBER}; it is blank (--blank zero takes it as 0)`],
  ])('with %s for a number is rejected by line, field, value and rule', async (cell, message) => {
    const lines = await loadInvalid('a.csv', `${HEADER}\n${ROW}\n2025,${cell},82.6,55.2,199.1\n`);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toStartWith(`a.csv line 3, cash_wtl: ${message}`);
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

  test('with semicolons is rejected if none of its figures shows which sign is the decimal one', async () => {
    const header = HEADER.replaceAll(',', ';');
    const content = (...rows: string[]) => `${header}\n${rows.join('\n')}\n`;
    const open = content('2023;100.000;20;3;123', '2024;98.125;20;3;121');
    expect(await loadInvalid('a.csv', open)).toEqual([
      'a.csv does not show its decimal sign: "100.000" may be 100000 or 100: say --decimal , or --decimal .',
    ]);
    for (const [decimal, value] of [
      ['.', 100],
      [',', 100_000],
    ] as const) {
      const { report } = await workspace.load(online, 'a.csv', { mapping: { decimal } });
      expect(report.records).toBe(2);
      const [, oldest] = await workspace.readRecords(online);
      expect(oldest?.cash_wtl).toBe(value);
    }
    // One figure that shows it settles the file, wherever it stands.
    for (const row of ['2025;1.5;1;1;3', '2025;1;0.125;1;2', '2025;1;1;1,234.5;2']) {
      workspace.writeFile('b.csv', content('2023;100.000;20;3;123', row));
      expect((await workspace.load(online, 'b.csv')).report.records).toBe(2);
    }
    workspace.writeFile('c.csv', open.replaceAll(';', ','));
    expect((await workspace.load(online, 'c.csv')).report.records).toBe(2);
  });

  test.each([[';'], ['\t'], ['|']])(
    'delimited by %j is rejected if a comma may be a decimal sign',
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
      ': two columns hold total: "total" and "total"',
    ],
    [
      'two spellings of one name',
      `${HEADER},Total\n${ROW},5`,
      ': two columns hold total: "total" and "Total"',
    ],
    [
      'cells under no name',
      `year,,cash_wtl,cash_deposit,funds_transfer,total\n2024,9,61.3,82.6,55.2,199.1`,
      ' line 2: "9" must be blank: column 2 has no name in the header',
    ],
    [
      'a column that no field takes',
      `${HEADER},note\n${ROW},x`,
      ' has, in line 1, a header with columns that no field takes: note; leave one out with --map "note="',
    ],
    [
      'a column missing',
      'year,cash_wtl,cash_deposit,funds_transfer\n2024,1,2,3',
      ' has, in line 1, a header without a column for total; its columns are year, cash_wtl, cash_deposit, funds_transfer; --map "COLUMN=FIELD" names one',
    ],
    [
      'no header',
      ROW,
      ' has no line that names the columns; line 1 has 2024, 61.3, 82.6, 55.2, 199.1; --header-row and --map help',
    ],
    [
      'Latin-1 below UTF-8',
      Buffer.concat([
        Buffer.from(`é\n${HEADER}\n${ROW}\n`),
        Buffer.from('für,1,1,1,1\n', 'latin1'),
      ]),
      ' is not UTF-8 on line 4; save it as UTF-8, or name its encoding with --encoding: utf-8, utf-16le, utf-16be, latin1, windows-1250, windows-1251, windows-1252, windows-1254, shift_jis, euc-jp, gb18030, big5, euc-kr',
    ],
  ])('with %s is rejected with one problem', async (_, content, problem) => {
    expect(await loadInvalid('a.csv', content)).toEqual([`a.csv${problem}`]);
  });

  test('as gzip that decompresses to an endless line is rejected early', async () => {
    const gzip = createGzip({ level: 1 });
    gzip.write(`${HEADER}\n2024,`);
    for (let count = 0; count < 64; count++) gzip.write(Buffer.alloc(MEBIBYTE, '7'));
    gzip.end();
    const compressed = Buffer.concat(await Array.fromAsync(gzip));
    expect(await loadInvalid('a.csv.gz', compressed)).toEqual([
      'a.csv.gz has more than 4 Mi characters on line 2',
    ]);
  });

  test('with a huge cell has it truncated in the message', async () => {
    const cell = 'x'.repeat(3 * MEBIBYTE);
    expect(await loadInvalid('a.csv', `${HEADER}\n${cell},1,1,1,3\n`)).toEqual([
      `a.csv line 2, year: "${'x'.repeat(59)}… must be a year such as 2024, FY24 or 2023-24`,
    ]);
  });

  test('with only a header has no records, and publishes nothing', async () => {
    workspace.writeFile('a.csv', `${HEADER}\n`);
    const { revision, report } = await workspace.load(online, 'a.csv', { allowsEmpty: true });
    expect(revision).toBeUndefined();
    expect(report.records).toBe(0);
  });

  test('reports the lines that were skipped above its header', async () => {
    workspace.writeFile('a.csv', `Table 5\nIn millions\n${HEADER}\n${ROW}\n`);
    const { report } = await workspace.load(online, 'a.csv');
    expect(report.skipped).toEqual(['a.csv: line 1 to the header in line 3']);
  });

  test('is read from the given header row, and rejected if that row is missing', async () => {
    const content = `${HEADER}\nnot this one\n${HEADER}\n${ROW}\n`;
    expect(await read('a.csv', content, { headerRow: 3 })).toEqual([RECORD]);
    workspace.writeFile('b.csv', content);
    expect(await workspace.loadProblems(online, 'b.csv', { mapping: { headerRow: 9 } })).toEqual([
      'b.csv has nothing in line 9, which should name the columns',
    ]);
  });
});
