import { describe, expect, test } from 'bun:test';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { securities } from '../../src/catalogue/datasets/securities.ts';
import { settlementTransactionsValue as settlement } from '../../src/catalogue/datasets/series/index.ts';
import { buildWorkbook } from './build-workbook.ts';
import { answer, useStartLoader } from './start-loader.ts';

const { writeStart, loadWithStart } = useStartLoader();

const join = (...lines: readonly string[]) => lines.join('\n');
const isAbout =
  (...subjects: string[]) =>
  (question: string) =>
    subjects.some((subject) => question.startsWith(`${subject}:`));

describe('rows that a load would reject', () => {
  test('are counted if they have no key, and need an adapter that leaves them out', async () => {
    const rows = ['Bond A,ZZ0624197586,Zed', 'Bond B,,Zed', 'Bond C,,Zed', 'Bond D,,Zed'];
    const { start, records } = await loadWithStart(
      'list.csv',
      join('Name,ISIN Code,Issuer', ...rows),
      securities,
      answer(["row.text('?')", "row.text('ISIN Code')"]),
    );
    expect(start).toMatchObject({
      kind: 'adapter',
      reasons: ['rows have to be left out: 3 without isin'],
      questions: ['rows: 3 without isin, such as row 3'],
    });
    expect(records).toMatchObject([{ isin: 'ZZ0624197586', name: 'Bond A' }]);
    const items = [{ isin: 'ZZ0624197586' }, { isin: null, name: 'none' }];
    const json = await writeStart('list.json', JSON.stringify(items), securities);
    expect(json).toMatchObject({
      kind: 'adapter',
      questions: ['rows: 1 without isin, such as row 2'],
    });
  });

  test('are counted if they have the key of another', async () => {
    const rows = [
      'ZB1,2026-06-30,98',
      'ZB2,2026-06-30,98',
      'ZB1,2026-06-30,97',
      'ZB1,2026-06-29,97',
    ];
    const { reasons, questions } = await writeStart(
      'twice.csv',
      join('Symbol,Date,Price', ...rows),
      quotes,
    );
    expect(reasons).toEqual(['rows have to be left out: 1 with the same date and symbol']);
    expect(questions).toContain('rows: 1 with the same date and symbol, such as row 4');
  });

  test('are counted if a period or a day cannot be read', async () => {
    const header =
      'Month,Government Securities,Interbank Funds Transfers,Third Party Transfers,Ancillary Clearing';
    const months = Array.from({ length: 40 }, (_, month) => `${1980 + month}-01,1,2,3,4`);
    const content = join(header, ...months, 'to be revised,1,2,3,4', '2024-01,1,2,3,4');
    const { kind, questions } = await writeStart('months.csv', content, settlement);
    expect(kind).toBe('adapter');
    expect(questions).toContain(
      'rows: 1 without period that can be read, such as "to be revised" in row 42',
    );
  });
});

describe('cells that a load would reject', () => {
  test('are counted if a figure is a sign or no number, also in a column of many', async () => {
    const prices = ['98', '#', '97', '<0.01', ...Array<string>(30).fill('96')];
    const rows = prices.map((price, index) => `ZB${index},2026-06-30,${price},5,`);
    const content = join('Symbol,Date,Price,Coupon,Yield', ...rows, 'ZX,2026-06-30,,,');
    const { kind, questions } = await writeStart('signs.csv', content, quotes);
    expect(kind).toBe('mapping');
    // A coupon and a yield may be absent: "blank" has no effect on them.
    expect(questions.filter(isAbout('cells', 'blank'))).toEqual([
      'cells: 2 of Price can be no lastPrice, such as "#" in row 3',
      'blank: "zero" reads 1 blank cells of Price as 0, such as row 36',
    ]);
  });

  test('are counted in shares that are added up, if blank ones add nothing', async () => {
    const holdings = ['60.1', '#', '#', '$0.00%', 'NIL', '39.9'];
    const content = await buildWorkbook({
      ZHF: [
        ['Portfolio as on 31-Jul-2026'],
        [],
        ['Name of the Instrument', 'Rating', 'Quantity', '% to NAV'],
        ['Debt Instruments'],
        ...holdings.map((share, index) => [`Bond ${index}`, 'AAA', 5, share]),
      ],
    });
    const { questions, text } = await writeStart('signs.xlsx', content, fundAllocation);
    expect(questions.filter(isAbout('cells', 'blank', 'value'))).toEqual([
      'cells: 3 of % to NAV can be no value, such as "#" in ZHF row 6',
    ]);
    expect(text).toContain("SHARE = '% to NAV'");
  });
});

test('columns that are not used, but named like a field that may be absent, are listed', async () => {
  const content = join(
    'Symbol,Date,Price,High Yield,Low Yield,Yield Curve',
    'ZB1,2026-06-30,98,4.5,4.1,gilts',
  );
  const { notes } = await writeStart('yields.csv', content, quotes);
  expect(notes).toContain('Not used, but like ytm: High Yield, Low Yield.');
});
