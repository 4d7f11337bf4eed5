import { describe, expect, test } from 'bun:test';
import {
  findDate,
  findPercentage,
  groupAndSum,
  parseDate,
  parseNumber,
  parsePeriod,
  parseStatus,
  sharesOfTotal,
  unpivot,
} from '../../../src/publish/adapter/package-entry.ts';
import { Columns, Row } from '../../../src/publish/adapter/row.ts';
import { joinHeaderRows } from '../../../src/publish/adapter/table-batches.ts';

describe('parsePeriod', () => {
  test.each([
    ['Jan-24', 'month', undefined, 'Jan 2024'],
    ['2024M07', 'month', undefined, 'Jul 2024'],
    ['Q2-FY24', 'quarter', undefined, 'Q2 2024'],
    ['Jul-Sep 22', 'quarter', undefined, 'Q1 2023'],
    ['Jul-Sep 22', 'quarter', 7, 'Q1 2023'],
    ['Jul-Sep 22', 'quarter', 4, 'Q2 2023'],
    ['Jul-Sep 22', 'quarter', 1, 'Q3 2022'],
    ['Jul-Sep 22', 'quarter', 10, 'Q4 2022'],
    ['Jan-Mar 2023', 'quarter', 4, 'Q4 2023'],
    ['Jan-Mar FY24', 'quarter', 4, 'Q4 2024'],
    ['Jan-Mar FY24', 'quarter', 1, 'Q1 2024'],
    ['Apr-Jun FY24', 'quarter', 4, 'Q1 2024'],
    ['2023-24 (P)', 'year', undefined, '2023-24'],
    [2024, 'year', undefined, '2024'],
    ['Total', 'month', undefined, undefined],
    ['', 'quarter', undefined, undefined],
    [null, 'year', undefined, undefined],
  ] as const)(
    'reads %p as a %s, with the year from month %p, as %p',
    (cell, kind, start, label) => {
      expect(parsePeriod(cell, kind, start)).toBe(label as string);
    },
  );
});

describe('parseStatus', () => {
  test.each([
    ['2023-24 (P)', 'P'],
    ['12.5 e', 'E'],
    ['Provisional', 'P'],
    ['f', 'F'],
    ['FY25 (P) Volume', 'P'],
    ['2024 (R)', undefined],
    ['Q1 2024', undefined],
    ['Value (PKR)', undefined],
    ['2024*', undefined],
    ['2024', undefined],
    [12.5, undefined],
    [null, undefined],
  ] as const)('reads %p as %p', (cell, status) => {
    expect(parseStatus(cell)).toBe(status as string);
  });
});

describe('parseDate', () => {
  test.each([
    ['2026-06-30T00:00:00', undefined, '2026-06-30'],
    ['30 June 2026', undefined, '2026-06-30'],
    ['Tuesday, 30th June 2026', undefined, '2026-06-30'],
    ['20260630', undefined, '2026-06-30'],
    ['30.06.2026', 'dmy', '2026-06-30'],
    ['06/30/26', 'mdy', '2026-06-30'],
    ['06/05/2026', undefined, undefined],
    ['31 June 2026', undefined, undefined],
    ['', undefined, undefined],
  ] as const)('reads %p in the order %p as %p', (cell, order, day) => {
    expect(parseDate(cell, order)).toBe(day as string);
  });

  test.each([
    ['Portfolio as on June 30, 2026 (in lakhs)', undefined, '2026-06-30'],
    ['Portfolio as on Jun 30,2026', undefined, '2026-06-30'],
    ['PORTFOLIO-30-June-26.xlsx', undefined, '2026-06-30'],
    ['As on 30th June 2026', undefined, '2026-06-30'],
    ['board_20260630.csv', undefined, '2026-06-30'],
    ['psx-board_2026-06-30-final.xlsx', undefined, '2026-06-30'],
    ['Table 5 of 12/13/2026 and 30/06/2026', 'dmy', '2026-06-30'],
    ['as of 30-Jun-26.', undefined, '2026-06-30'],
    ['Nothing in 2026', undefined, undefined],
  ] as const)('is found by findDate in %p, in the order %p', (text, order, day) => {
    expect(findDate(text, order)).toBe(day as string);
  });
});

describe('findPercentage', () => {
  test.each([
    ['ZED FINANCE NCD 9.90% 2029', 9.9],
    ['Bund 2,50 % 2034', 2.5],
    ['4¼% Treasury Gilt 2032', 4.25],
    ['⅛% Treasury Gilt 2028', 0.125],
    ['1 1/2% Treasury Note 2031', 1.5],
    ['2029 .75% Notes', 0.75],
    ['10% Notes, 5% step-up', 10],
    ['Treasury Gilt 2032', undefined],
    ['120250%', undefined],
    ['4 1/0%', undefined],
    [null, undefined],
  ] as const)('is found in %p as %p', (text, percentage) => {
    expect(findPercentage(text)).toBe(percentage as number);
  });
});

describe('parseNumber', () => {
  test.each([
    ['1,234.5', undefined, 1234.5],
    ['1.234,5', undefined, 1234.5],
    ['12,34,567', undefined, 1234567],
    ['1 234,5', undefined, 1234.5],
    ['98,125', ',', 98.125],
    ['98,125', '.', 98125],
    ['(1,234.50)', undefined, -1234.5],
    ['R$ 1.234,50', undefined, 1234.5],
    ['Rs. 12.5', undefined, 12.5],
    ['-₹5', undefined, -5],
    ['INR 5', undefined, 5],
    ['9.90%', undefined, 9.9],
    ['12*', undefined, 12],
    ['12.5 (p)', undefined, 12.5],
    ['Rs 1,234.5 e', undefined, 1234.5],
    [7, undefined, 7],
    ['-', undefined, undefined],
    ['n.a.', undefined, undefined],
    ['N/A', undefined, undefined],
    ['n.d.', undefined, undefined],
    ['*', undefined, undefined],
    [' ', undefined, undefined],
    [null, undefined, undefined],
  ] as const)('reads %p with the decimal sign %p as %p', (cell, decimal, number) => {
    expect(parseNumber(cell, decimal)).toBe(number as number);
  });

  test('throws if a text is no number, or may be two', () => {
    expect(() => parseNumber('NCD 9.90%')).toThrow('"NCD 9.90%" is no number');
    expect(() => parseNumber('98,125')).toThrow('"98,125" may be 98125 or 98.125');
  });
});

test('groupAndSum adds up figures by key, exactly, and keeps the first item of each group', async () => {
  const items = [
    { month: 'Jan', value: 0.1 },
    { month: 'Feb', value: 1 },
    { month: 'Jan', value: 0.2 },
    { month: 'Feb', value: undefined },
    { month: undefined, value: 9 },
  ];
  const groups = await groupAndSum(
    items,
    ({ month }) => month,
    ({ value }) => ({ value, both: 1 }),
  );
  expect(groups).toEqual([
    { key: 'Jan', first: { month: 'Jan', value: 0.1 }, count: 2, sums: { value: 0.3, both: 2 } },
    { key: 'Feb', first: { month: 'Feb', value: 1 }, count: 2, sums: { value: 1, both: 2 } },
  ]);
});

test('sharesOfTotal gives fractions, or percentages, and has none of a total of 0', () => {
  expect(sharesOfTotal([1, 3])).toEqual([0.25, 0.75]);
  expect(sharesOfTotal([1, 3], 100)).toEqual([25, 75]);
  expect(() => sharesOfTotal([1, -1])).toThrow('a total of 0');
});

test('unpivot gives the cells below columns that have a name, by that name', () => {
  const columns = new Columns(['Item', 'Jan-24', '', 'Feb-24', 'Total']);
  const cells = ['RTGS', 5, 'x', null, 9];
  const row = new Row({ cells, position: 3 }, { number: 0 }, columns);
  expect(unpivot(row, (column) => parsePeriod(column, 'month'))).toEqual([
    { name: 'Jan 2024', value: 5 },
    { name: 'Feb 2024', value: null },
  ]);
});

test('joinHeaderRows joins the names of rows below each other, without their line breaks', () => {
  const rows = [
    { position: 1, cells: ['Bank', '2023\n(P)', null, '2024', null, 'Rank'] },
    { position: 2, cells: [null, 'Volume', ' Value ', 'Volume', 'Note', null] },
  ];
  expect(joinHeaderRows(rows)).toEqual([
    'Bank',
    '2023 (P) Volume',
    '2023 (P) Value',
    '2024 Volume',
    '2024 Note',
    'Rank',
  ]);
});
