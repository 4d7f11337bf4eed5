import { describe, expect, test } from 'bun:test';
import { createDeclaredDataset } from '../../src/catalogue/model/create-dataset.ts';
import type { Declaration } from '../../src/catalogue/model/declaration.ts';
import { useLoadWorkspace, type WorkspaceLoadOptions } from '../support/load-workspace.ts';

const DECLARATION: Declaration = {
  name: 'rates',
  title: 'Rates',
  period: { kind: 'day', field: 'date' },
  dimensions: [{ field: 'tenor', title: 'Tenor', codes: { '1M': 'one month' } }],
  measures: [
    { field: 'bid', title: 'Bid', unit: 'percent', kind: 'rate', required: true },
    { field: 'offer', title: 'Offer', unit: 'percent', kind: 'rate' },
  ],
};

const workspace = useLoadWorkspace();

async function read(
  text: string,
  options: WorkspaceLoadOptions = {},
  change: Partial<Declaration> = {},
) {
  const dataset = createDeclaredDataset({ ...DECLARATION, ...change });
  workspace.writeFile('a.csv', text);
  await workspace.load(dataset, 'a.csv', options);
  return (await workspace.readRecords(dataset)).map((record) => Object.values(record).join(' '));
}

describe('a mapping of a declared dataset', () => {
  test('names columns, sets dimension values, scales figures and reads days in another order', async () => {
    const mapping = {
      columns: { Day: 'date', Rate: 'bid', Note: null },
      fields: { tenor: '6M' },
      scale: { bid: '1e-2' },
      dates: 'dmy',
    } as const;
    expect(await read('Day,Rate,Note\n5/1/2026,1010,x\n06.01.2026,1015,y\n', { mapping })).toEqual([
      '2026-01-06 6M 10.15 ',
      '2026-01-05 6M 10.1 ',
    ]);
  });

  test('rejects days whose order is not known', async () => {
    workspace.writeFile('a.csv', 'date,tenor,bid\n5/1/2026,1M,1\n');
    expect(await workspace.loadProblems(createDeclaredDataset(DECLARATION), 'a.csv')).toEqual([
      'a.csv line 2, date: "5/1/2026" must be a day such as 2024-01-31; with --dates dmy it would be 2026-01-05; with --dates mdy it would be 2026-05-01',
    ]);
  });

  test('leaves measures that are not required null if they are blank, or takes them as 0', async () => {
    const text = 'date,tenor,bid,offer\n2026-01-05,1M,1,\n';
    expect(await read(text)).toEqual(['2026-01-05 1M 1 ']);
    expect(await read(text, { mapping: { blank: 'zero' } })).toEqual(['2026-01-05 1M 1 0']);
    expect(await read('date,tenor,bid\n2026-01-06,1M,\n', { mapping: { blank: 'zero' } })).toEqual([
      '2026-01-06 1M 0 ',
      '2026-01-05 1M 1 0',
    ]);
  });

  test('makes marks the status, as a field if the declaration says so', async () => {
    const text =
      'date,tenor,bid,offer\n2026-01-05 (P),1M,1,2\n2026-01-06,1M,1 e,2\n2026-01-07,1M,1,2\n';
    expect(await read(text, {}, { status: true })).toEqual([
      '2026-01-07 1M 1 2 A',
      '2026-01-06 1M 1 2 E',
      '2026-01-05 1M 1 2 P',
    ]);
  });

  test('rejects keys that have no effect', async () => {
    workspace.writeFile('a.csv', 'date,tenor,bid\n2026-01-05,1M,1\n');
    const mapping = { scale: { offer: '1e-2' } };
    expect(
      await workspace.loadProblems(createDeclaredDataset(DECLARATION), 'a.csv', { mapping }),
    ).toEqual([
      'a.csv has, in line 1, a header on which "scale" of offer of the mapping has no effect',
    ]);
  });
});

describe('labels of periods', () => {
  test.each([
    ['week', 1, '2026-W05', '2026-W05'],
    ['week', 1, '2026-01-28', '2026-W05'],
    ['month', 1, '2026-01', 'Jan 2026'],
    ['month', 1, 'January 2026', 'Jan 2026'],
    ['quarter', 1, '2026-Q1', 'Q1 2026'],
    ['quarter', 4, 'Q1 FY2026', 'Q1 FY2026'],
    ['year', 1, '2026', '2026'],
    ['year', 7, 'FY2026', 'FY2026'],
    ['year', 7, 'FY26', 'FY2026'],
    ['year', 7, '2025-26', 'FY2026'],
    ['quarter', 7, 'Q1-FY26', 'Q1 FY2026'],
  ] as const)('of a %s, of years from month %p: %s is %s', async (kind, yearStart, text, label) => {
    const period = { kind, field: 'at', ...(yearStart > 1 && { yearStart }) };
    expect(await read(`at,tenor,bid\n${text},1M,1\n`, {}, { period })).toEqual([`${label} 1M 1 `]);
  });

  test.each([
    ['quarter', 7, 'Jul-Sep 2025', 'Q1 FY2026'],
    ['quarter', 7, 'Q1 2026', 'Q1 FY2026'],
    ['quarter', 7, '2026-Q1', 'Q1 FY2026'],
    ['quarter', 1, 'Jul-Sep 2025', 'Q3 2025'],
    ['month', 1, '2026-01-31', 'Jan 2026'],
  ] as const)(
    'as central banks write them, of a %s, of years from month %p: %s is %s',
    async (kind, yearStart, text, label) => {
      const period = { kind, field: 'at', ...(yearStart > 1 && { yearStart }) };
      const mapping = { periods: 'sbp' } as const;
      expect(await read(`at,tenor,bid\n${text},1M,1\n`, { mapping }, { period })).toEqual([
        `${label} 1M 1 `,
      ]);
    },
  );

  test.each([
    ['year', 1, '2025-26'],
    ['year', 7, '2026'],
    ['quarter', 1, 'Q1-FY26'],
    ['quarter', 7, 'Jul-Sep FY26x'],
    ['week', 1, '2025-W53'],
  ] as const)('of a %s, of years from month %p are not %s', async (kind, yearStart, text) => {
    const period = { kind, field: 'at', ...(yearStart > 1 && { yearStart }) };
    const dataset = createDeclaredDataset({ ...DECLARATION, period });
    workspace.writeFile('a.csv', `at,tenor,bid\n${text},1M,1\n`);
    const mapping = { periods: 'sbp' } as const;
    expect(await workspace.loadProblems(dataset, 'a.csv', { mapping })).toHaveLength(1);
  });
});
