import { describe, expect, test } from 'bun:test';
import {
  branchlessBankingAgents as agents,
  onlineBankingAnnualVolume as online,
  mobileMoneyMarketShareValue as shares,
} from '../../src/catalogue/datasets/series/index.ts';
import type { Mapping } from '../../src/publish/mapping/mapping.ts';
import { HEADER, useFileLoader } from './file-loader.ts';

const { workspace, read, loadInvalid } = useFileLoader();

describe('a mapping', () => {
  test('matches column names without spaces and letter case', async () => {
    const content = 'year,cash_wtl,cash_deposit,funds_transfer,Grand  Total\n2024,1,2,3,6';
    const mapping = { columns: { 'grand total': 'total' } };
    expect(await read('a.csv', content, mapping)).toMatchObject([{ total: 6 }]);
  });

  test('can replace a column by another one for the same field', async () => {
    const mapping = { columns: { total: null, 'Total, revised': 'total' } };
    const content = `${HEADER},"Total, revised"\n2024,1,2,3,9,6`;
    expect(await read('a.csv', content, mapping)).toMatchObject([{ total: 6 }]);
  });

  test('can ignore columns, one by one or all that it does not name', async () => {
    const content = `${HEADER},note,,\n2024,1,2,3,6,x,y,`;
    const ignored = { columns: { note: null, '': null } };
    expect(await read('a.csv', content, ignored)).toHaveLength(1);
    expect(await read('a.csv', content, { otherColumns: 'ignore' })).toHaveLength(1);
  });

  test('fills templates, with the first of several columns that is not blank', async () => {
    const content =
      'from,to,bid,ask,cash_deposit,funds_transfer,total\n2023,24,,4,1,1,6\n2022,23,3,4,1,1,5';
    const mapping = { fields: { year: '{from}-{to}', cash_wtl: '{bid|ask}' } };
    expect(await read('a.csv', content, mapping)).toMatchObject([
      { year: '2023-24', cash_wtl: 4 },
      { year: '2022-23', cash_wtl: 3 },
    ]);
  });

  test('can set a field to the same text in every record', async () => {
    const content = 'cash_wtl,cash_deposit,funds_transfer,total\n1,2,3,6';
    expect(await read('a.csv', content, { fields: { year: 'FY24' } })).toMatchObject([
      { year: 'FY24' },
    ]);
  });

  test('chooses the text of the first pattern that matches, and is blank if none does', async () => {
    const like = [
      ['^small', '1'],
      ['small', '2'],
    ] as const;
    const content =
      'year,size,cash_deposit,funds_transfer,total\n2024,very small,2,2,6\n2023,small,2,2,5';
    const mapping = { fields: { cash_wtl: { of: '{size}', like } } };
    expect(await read('a.csv', content, mapping)).toMatchObject([{ cash_wtl: 2 }, { cash_wtl: 1 }]);
    const [message] = await loadInvalid('b.csv', content.replace('very small', 'huge'), mapping);
    expect(message).toStartWith('b.csv line 2, cash_wtl: "" must be a finite number');
  });

  test('computes a field from the column that holds it, if it uses that one', async () => {
    const mapping = { fields: { year: 'FY{year}' } };
    expect(await read('a.csv', `${HEADER}\n24,1,2,3,6`, mapping)).toMatchObject([
      { year: 'FY24', total: 6 },
    ]);
  });

  test('adds up columns without rounding errors', async () => {
    const content = 'year,a,b,c,cash_deposit,funds_transfer,total\n2024,0.1,0.2,"1,000",1,2,1003.3';
    const mapping = { fields: { cash_wtl: { sum: ['a', 'b', 'c'] } } };
    expect(await read('a.csv', content, mapping)).toMatchObject([{ cash_wtl: 1000.3 }]);
    expect(await loadInvalid('b.csv', content.replace('0.1', 'x'), mapping)).toEqual([
      'b.csv line 2, cash_wtl: "x + 0.2 + 1,000" must be a number',
    ]);
  });

  test('turns figures into shares of their record, and adds up repeated keys', async () => {
    const content =
      'period,bank,value\nJun 2026,a,0.1\nJun 2026,b,0.7\nJun 2026,a,0.2\nMay 2026,a,1\nMay 2026,b,4';
    const mapping: Mapping = {
      fields: { 'operators:key': '{bank}', 'operators:value': { shareOf: '{value}' } },
      repeatedKeys: 'add',
    };
    workspace.writeFile('a.csv', content);
    const { report } = await workspace.load(shares, 'a.csv', { mapping });
    expect(await workspace.readRecords(shares)).toEqual([
      {
        period: 'Jun 2026',
        operators: [
          { key: 'a', value: 0.3 },
          { key: 'b', value: 0.7 },
        ],
      },
      {
        period: 'May 2026',
        operators: [
          { key: 'a', value: 0.2 },
          { key: 'b', value: 0.8 },
        ],
      },
    ]);
    expect(report.warnings).toMatchObject([
      {
        rule: 'key-repeated',
        count: 1,
        first: [{ at: 4, text: 'a comes again with 0.2; added to 0.1' }],
      },
    ]);
  });

  test('is rejected if shares have a sum of 0', async () => {
    const content = 'period,bank,value\nJun 2026,a,5\nMay 2026,a,0\nMay 2026,b,0';
    const fields = { 'operators:key': '{bank}', 'operators:value': { shareOf: '{value}' } };
    expect(await loadInvalid('a.csv', content, { fields }, shares)).toEqual([
      'a.csv line 3, operators:value: 0 must be a sum other than 0, since shares are parts of it',
    ]);
  });

  test('reads lists from columns of any name', async () => {
    const content = 'period,total,Punjab,Sindh,East\nJun 2026,10,6,3,1';
    const mapping: Mapping = {
      columns: { Sindh: 'provinces.sindh' },
      fields: { 'provinces.punjab': { sum: ['Punjab', 'East'] } },
      scale: { total: '1e3', 'provinces.sindh': '1e3', 'provinces.punjab': '1e3' },
    };
    expect(await read('a.csv', content, mapping, agents)).toEqual([
      {
        period: 'Jun 2026',
        total: 10_000,
        provinces: [
          { key: 'sindh', value: 3000 },
          { key: 'punjab', value: 7000 },
        ],
      },
    ]);
  });

  test('scales figures without rounding', async () => {
    const scale = { cash_wtl: '1e-4', cash_deposit: '1e-2', funds_transfer: '1e+1', total: '1e-7' };
    expect(await read('a.csv', `${HEADER}\n2024,613001,8263,5.52,1e3`, { scale })).toMatchObject([
      { cash_wtl: 61.3001, cash_deposit: 82.63, funds_transfer: 55.2, total: 0.0001 },
    ]);
  });

  test('declares blank texts, and fields whose zeros are blank', async () => {
    const mapping: Mapping = { blanks: ['n.a.', '-'], zeroIsBlank: ['total'] };
    const content = `${HEADER}\n2024,N.A.,-,0,0\n`;
    const lines = await loadInvalid('a.csv', content, mapping);
    expect(lines.map((line) => line.slice(0, line.indexOf(' must')))).toEqual([
      'a.csv line 2, cash_wtl: "N.A."',
      'a.csv line 2, cash_deposit: "-"',
      'a.csv line 2, total: "0"',
    ]);
    expect(await read('a.csv', content, { ...mapping, blank: 'zero' })).toHaveLength(1);
  });

  test('declares format, header row, decimal sign, date order and period style', async () => {
    const content =
      'notes\tnotes\nYear\tCash wtl\tCash deposit\tFunds transfer\tTotal\n2023-24 (R)\t1,5\t2\t3\t6,5\n';
    const mapping: Mapping = { format: 'tsv', headerRow: 2, decimal: ',', periods: 'sbp' };
    expect(await read('a.csv', content, mapping)).toMatchObject([
      { year: '2023-24', cash_wtl: 1.5 },
    ]);
  });
});

describe('a lookup file', () => {
  const [FILE, LIST] = ['b_2026-04-08.csv', 'list_2026-04-08.csv'];
  const CONTENT = 'code,total\nx,6\ny,7';
  const mapping: Mapping = {
    lookup: { file: 'list_{file.date}.csv', column: 'Code', by: '{code}-{total}' },
    columns: { total: 'total' },
    fields: {
      year: '{lookup.year}',
      cash_wtl: '{lookup.amount}',
      cash_deposit: '0',
      funds_transfer: '0',
    },
  };

  test('adds columns by a key, with the date of the loaded file in its name', async () => {
    workspace.writeFile(LIST, 'amount,CODE,year\n6,x-6,2024\n7,y-7,2025\n1,z,2000\n');
    expect(await read(`deep/../${FILE}`, CONTENT, mapping)).toMatchObject([
      { year: '2025', cash_wtl: 7 },
      { year: '2024', cash_wtl: 6 },
    ]);
  });

  test.each([
    ['board-20260408.csv', '2026-04-08'],
    ['board 8 April 2026.csv', '2026-04-08'],
  ])('is found by the day in the name %s', async (name, day) => {
    workspace.writeFile(`list_${day}.csv`, 'amount,code,year\n6,x-6,2024\n7,y-7,2025\n');
    expect(await read(name, CONTENT, mapping)).toHaveLength(2);
  });

  test('is listed once with the revision, however many files look in it', async () => {
    workspace.writeFile(LIST, 'amount,code,year\n6,x-6,2024\n7,y-7,2025\n');
    workspace.writeFile(FILE, 'code,total\nx,6');
    workspace.writeFile('c_2026-04-08.csv', 'code,total\ny,7');
    const { revision } = await workspace.load(online, [FILE, 'c_2026-04-08.csv'], { mapping });
    const names = revision?.files.map(({ name }) => name);
    expect(names).toEqual([FILE, 'c_2026-04-08.csv', LIST]);
  });

  test('without the key leaves blanks, which are rejected with the key', async () => {
    workspace.writeFile(LIST, 'amount,code,year\n6,x-6,2024\n');
    const blankYear = `${FILE} line 3, year: "" must be a year such as 2024, FY24 or 2023-24`;
    const lines = await loadInvalid(FILE, CONTENT, mapping);
    expect(lines[0]).toBe(`${blankYear}; "y-7" is not in ${LIST}`);
    expect(lines[1]).toEndWith(`"y-7" is not in ${LIST} (--blank zero takes it as 0)`);
    expect(lines).toHaveLength(2);
    // A key with a blank beside it has another message.
    workspace.writeFile(LIST, 'amount,code,year\n6,x-6,2024\n7,y-7,\n');
    expect(await loadInvalid(FILE, CONTENT, mapping)).toEqual([`${blankYear}; it is blank`]);
  });

  test.each([
    ['that does not exist', undefined, 'does not exist'],
    [
      'without the key column',
      'amount,symbol,year\n6,x-6,2024\n',
      'has no column "Code", which the mapping looks in',
    ],
    ['without a column', 'amount,code\n6,x-6\n', 'has no column "year", which the mapping uses'],
    ['that is empty', '', 'is empty'],
    [
      'in Shift-JIS',
      Buffer.from('amount,code,year\n6,\x93\x8c\x8b\x9e,2024\n', 'latin1'),
      'is neither UTF-8 nor surely Windows-1252 on line 2; name its encoding with --encoding: utf-8, utf-16le, utf-16be, latin1, windows-1250, windows-1251, windows-1252, windows-1254, shift_jis, euc-jp, gb18030, big5, euc-kr',
    ],
    ['in JSON', '[{"code":"x-6"}]', 'is no table to look things up in'],
  ])('%s is named in the error', async (_, lookup, message) => {
    if (lookup !== undefined) workspace.writeFile(LIST, lookup);
    expect(await loadInvalid(FILE, CONTENT, mapping)).toEqual([`${FILE}: ${LIST} ${message}`]);
  });

  test('with a date in its name is rejected if the loaded file has none', async () => {
    expect(await loadInvalid('b.csv', CONTENT, mapping)).toEqual([
      'b.csv has no date such as 2026-06-30 in its name, and the mapping uses {file.date}',
    ]);
  });
});

describe('a duplicate key in a lookup file', () => {
  const mapping: Mapping = {
    lookup: { file: 'list.csv', column: 'code', by: '{code}' },
    fields: { year: '{lookup.year}', cash_wtl: '1', cash_deposit: '2', funds_transfer: '3' },
  };

  test('is rejected with its lines if the looked-up values differ', async () => {
    workspace.writeFile('list.csv', 'code,year,note\nx,2024,a\ny,2025,b\nx,2023,a\n');
    expect(await loadInvalid('a.csv', 'code,total\nx,6', mapping)).toEqual([
      'a.csv: list.csv has "x" in line 2 and in line 4, with other values; it must have one',
    ]);
  });

  test('is accepted if the looked-up values are equal, as are rows without a key', async () => {
    workspace.writeFile(
      'list.csv',
      'code,year,note\nx,2024,a\nx,2024,b\n,P: provisional,\n,Source,\n',
    );
    expect(await read('a.csv', 'code,total\nx,6', mapping)).toMatchObject([
      { year: '2024', total: 6 },
    ]);
  });
});

test('a pattern puts its groups into the text beside it, and the rest of the cell is left out', async () => {
  const fields = {
    year: { of: '{what}', like: [['(?<year>\\d{4})', '$<year>']] },
    cash_wtl: {
      of: '{what}',
      like: [
        ['none$', '0'],
        ['(\\d+)-?(?:year|yr)\\b.* at ([\\d.]+) %', '$1$2'],
        ['', '1'],
      ],
    },
    cash_deposit: '2',
    funds_transfer: '3',
  } as const;
  const content = 'what,total\nbond 10-year of 2024 at 7.5 %,6\n2023 none,6\nin 2022,6\n';
  expect(await read('a.csv', content, { fields })).toMatchObject([
    { year: '2024', cash_wtl: 107.5 },
    { year: '2023', cash_wtl: 0 },
    { year: '2022', cash_wtl: 1 },
  ]);
});

describe('a mapping that does not fit the file', () => {
  const CONTENT = `${HEADER}\n2024,1,2,3,6`;
  const FIELDS = 'year, cash_wtl, cash_deposit, funds_transfer, total, status';

  test.each([
    ['columns', { columns: { x: 'totl' } }],
    ['fields', { fields: { totl: '1' } }],
    ['scale', { scale: { totl: '1e3' } }],
    ['zeroIsBlank', { zeroIsBlank: ['totl'] }],
  ] as const)('is rejected where its %s name no field', async (_, mapping) => {
    expect(await loadInvalid('a.csv', CONTENT, mapping)).toEqual([
      `a.csv: the mapping names "totl", which is no field; there are ${FIELDS}`,
    ]);
  });

  test('is rejected if a field expression uses a column that the file lacks', async () => {
    const message = ['a.csv has no column "grand", which the mapping uses'];
    expect(await loadInvalid('a.csv', CONTENT, { fields: { total: '{grand}' } })).toEqual(message);
    expect(
      await loadInvalid('a.csv', CONTENT, { fields: { total: { sum: ['cash_wtl', 'grand'] } } }),
    ).toEqual(message);
    expect(
      await loadInvalid('a.csv', CONTENT, { fields: { total: { of: '{grand}', like: [] } } }),
    ).toEqual(message);
  });

  test('is rejected for columns that the header lacks, not for those that data rows lack', async () => {
    const mapping = { fields: { cash_wtl: '{cash}', funds_transfer: '{cash}' } };
    const header = 'year,cash,cash_deposit';
    expect(await loadInvalid('a.csv', `Table 5\n${header}\n2024,1,2\n`, mapping)).toEqual([
      `a.csv has, in line 2, a header without a column for total; its columns are ${header.replaceAll(',', ', ')}; --map "COLUMN=FIELD" names one`,
    ]);
    expect(
      await loadInvalid('a.csv', 'Table 5\nyear,cash_deposit,total\n2024,2,6\n', mapping),
    ).toEqual(['a.csv has no column "cash", which the mapping uses']);
  });

  test('is rejected if it maps a column that the file lacks', async () => {
    expect(
      await loadInvalid('a.csv', CONTENT, { columns: { grand: 'total', gone: null } }),
    ).toEqual(['a.csv has, in line 1, a header without grand, which the mapping names']);
  });

  test('is rejected if it maps a name that no record of a JSON file has, and accepted if one has it', async () => {
    const record = { year: '2024', cash_wtl: 1, cash_deposit: 2, funds_transfer: 3 };
    const mapping = { columns: { Grand: 'total', gone: null } };
    const lines = [
      { ...record, total: 6 },
      { total: 7, ...record, year: '2025' },
    ].map((line) => JSON.stringify(line));
    workspace.writeFile('a.json', `[${lines.join()}]`);
    workspace.writeFile('a.ndjson', lines.join('\n'));
    for (const name of ['a.json', 'a.ndjson']) {
      expect(await workspace.loadProblems(online, name, { mapping })).toEqual([
        `${name} has no record with Grand, which the mapping names`,
      ]);
    }
    expect(await workspace.readRevision()).toBe(0);
    const mixed = [...lines, JSON.stringify({ ...record, year: '2023', grand: 6 })].join('\n');
    expect(await read('b.ndjson', mixed, mapping)).toHaveLength(3);
  });

  test('is rejected if two columns hold one field, or have one name that it uses', async () => {
    expect(
      await loadInvalid('a.csv', `${CONTENT.replace('\n', ',x\n')},9`, { columns: { x: 'total' } }),
    ).toEqual(['a.csv: two columns hold total: "total" and "x"']);
    const repeated = 'year,cash_wtl,cash_deposit,funds_transfer,x,x\n2024,1,2,3,6,7';
    expect(await loadInvalid('a.csv', repeated, { fields: { total: '{x}' } })).toEqual([
      'a.csv: two columns are called "x"',
    ]);
  });

  test('is rejected if it computes a field that a column holds as well', async () => {
    expect(await loadInvalid('a.csv', CONTENT, { fields: { total: '5' } })).toEqual([
      'a.csv has, in line 1, a header with a column for total, which --set or the mapping gives as well; leave the column out with --map "total="',
    ]);
    const { year: _, ...rest } = online.example;
    workspace.writeFile('a.json', JSON.stringify([{ ...rest, Year: '2024' }]));
    const lines = await workspace.loadProblems(online, 'a.json', {
      mapping: { fields: { year: '2022' } },
    });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toEndWith(
      ', Year: "2024" must be absent: --set or the mapping gives year as well',
    );
  });

  test('is rejected if it scales a field that is no number', async () => {
    const content = 'period,total,provinces.kpk\nJun 2026,10,6';
    for (const mapping of [{ scale: { provinces: '1e3' } }, { zeroIsBlank: ['provinces'] }]) {
      expect(await loadInvalid('a.csv', content, mapping, agents)).toEqual([
        'a.csv: the mapping scales "provinces", which is no number; of a list, name the parts: LIST.KEY or LIST:value',
      ]);
    }
  });
});
