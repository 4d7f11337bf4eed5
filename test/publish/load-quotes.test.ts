import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { toUncomputableProblems } from '../../src/publish/load/quote-validator.ts';
import type { Mapping } from '../../src/publish/mapping/mapping.ts';
import type { LoadWorkspace, WorkspaceLoadOptions } from '../support/load-workspace.ts';
import { createLoadWorkspace } from '../support/load-workspace.ts';

const HEADER =
  'date,symbol,isin,type,maturityDate,bidPrice,askPrice,lastPrice,bidVolume,askVolume,volume';
const BILL =
  '2026-06-30,ZZ12TB031226,ZZ0624197586,tbill,2026-12-03,95.4545,95.4948,95.4869,10000000,55000000,470000000';
const BOND = '2026-06-30,Z05PIB220131,ZZ0000000024,bond,2031-01-22,92.5,92.9,92.7,5000,10000,0';
const onNextDay = (line: string) => line.replace('2026-06-30', '2026-07-01');

let desk: LoadWorkspace;
beforeEach(async () => {
  desk = await createLoadWorkspace();
});
afterEach(() => desk.close());

function load(lines: readonly string[], columns = '', options: WorkspaceLoadOptions = {}) {
  desk.writeFile('q.csv', [HEADER + columns, ...lines, ''].join('\n'));
  return desk.load(quotes, 'q.csv', options);
}

async function refusal(lines: readonly string[], columns = '', mapping: Mapping = {}) {
  const before = await desk.readRevision();
  desk.writeFile('q.csv', [HEADER + columns, ...lines, ''].join('\n'));
  const said = await desk.loadProblems(quotes, 'q.csv', { mapping });
  expect(await desk.readRevision()).toBe(before);
  return said;
}

/** The line on figures of the first quote that cannot be computed. */
function missing(fields: string, why: string): string {
  const rule = `given where it cannot be computed: ${why} (--uncomputable zero takes it as 0)`;
  return `q.csv line 2, ${fields}: missing; must be ${rule}`;
}

describe('figures that a quotes file leaves out', () => {
  test('are computed for a bill from nothing but its price and maturity', async () => {
    const { report } = await load([BILL]);
    expect(report.computed).toEqual({ maturityYears: 1, ytm: 1, duration: 1 });
    expect(await desk.readRecords(quotes)).toEqual([quotes.example]);
  });

  test('are computed where a column is there and blank, and kept where it is not', async () => {
    const { report } = await load([`${BILL},,11.5,`], ',duration,ytm,maturityYears');
    expect(report.computed).toEqual({ maturityYears: 1, duration: 1 });
    expect(await desk.readRecords(quotes)).toMatchObject([{ ytm: 11.5, maturityYears: 0.424658 }]);
  });

  test('are computed for a bond with the coupon that the file brings, which is no part of the record', async () => {
    await load([`${BOND},12,2,coupon`], ',couponRate,couponFrequency,pricing');
    const [record] = await desk.readRecords(quotes);
    expect(record).toMatchObject({ ytm: 14.224397, duration: 3.181175, maturityYears: 4.564384 });
    expect(Object.keys(record ?? {})).toEqual(Object.keys(quotes.fields));
  });

  test('are computed for a later file with the terms of an earlier one', async () => {
    await load([`${BOND},12`], ',couponRate');
    await load([onNextDay(BOND)]);
    await load([`${BOND.replace('2026-06-30', '2026-07-02')},`], ',couponRate');
    const figures = (await desk.readRecords(quotes)).map(({ date, ytm }) => [date, ytm]);
    expect(figures).toEqual([
      ['2026-07-02', expect.any(Number)],
      ['2026-07-01', 14.2257],
      ['2026-06-30', 14.224397],
    ]);
  });

  test('take a new rate together with the frequency that is known', async () => {
    await load([`${BOND},12,1`], ',couponRate,couponFrequency');
    await load([`${onNextDay(BOND)},11`], ',couponRate');
    const [atYearly] = await desk.readRecords(quotes);
    // The same coupon twice a year means another yield.
    await load([`${onNextDay(BOND)},11,2`], ',couponRate,couponFrequency');
    const [atHalfYearly] = await desk.readRecords(quotes);
    expect(atYearly?.ytm).toBe(13.179515);
    expect(atHalfYearly?.ytm).not.toBe(13.179515);
  });

  test('are not computed with terms that a rehearsal or a refused file brought', async () => {
    await load([`${BOND},12`], ',couponRate', { isDryRun: true });
    await refusal([`${BOND},12`, `${BILL.replace('tbill', 'bill')},`], ',couponRate');
    const ways = 'give couponRate (and couponFrequency) or pricing=discount';
    expect(await refusal([BOND])).toEqual([
      missing('ytm, duration', `couponRate is missing; ${ways}`),
    ]);
  });

  test.each([
    [
      'a coupon of 0 and no pricing',
      BOND,
      ',0',
      'couponRate is 0 and pricing is missing; give pricing=discount or pricing=coupon',
    ],
    [
      'no order at all',
      BOND.replace('92.5,92.9,92.7', '0,0,0'),
      ',12',
      'none of lastPrice, bidPrice and askPrice is above 0',
    ],
    [
      'a maturity that is past',
      BILL.replace('2026-12-03', '2026-06-30'),
      ',',
      'it settles on 2026-07-01, on or after its maturity 2026-06-30',
    ],
  ])('are refused once for all, with what is missing: %s', async (_, line, coupon, why) => {
    expect(await refusal([line + coupon], ',couponRate')).toEqual([missing('ytm, duration', why)]);
  });

  test('are told apart where their causes are', () => {
    const lacking = (['ytm', 'duration'] as const).map((field) => ({
      field,
      rule: `not ${field}`,
    }));
    expect(toUncomputableProblems(lacking)).toEqual([
      { field: 'ytm', value: undefined, rule: 'not ytm' },
      { field: 'duration', value: undefined, rule: 'not duration' },
    ]);
  });

  test('are refused by themselves where the file gives the others', async () => {
    const why = 'couponRate is missing; give couponRate (and couponFrequency) or pricing=discount';
    expect(await refusal([`${BOND},14.2`], ',ytm')).toEqual([missing('duration', why)]);
  });

  test('are 0 where that is said, and counted', async () => {
    const line = `${BOND.replace('92.5,92.9,92.7', '0,0,0')},12`;
    const { report } = await load([line], ',couponRate', { mapping: { uncomputable: 'zero' } });
    expect(report).toMatchObject({
      computed: { maturityYears: 1 },
      uncomputable: { ytm: 1, duration: 1 },
    });
    expect(await desk.readRecords(quotes)).toMatchObject([
      { ytm: 0, duration: 0, maturityYears: 4.564384 },
    ]);
  });
});

describe('a quote that is refused', () => {
  test.each([
    ['couponFrequency', '12,3,', '3 must be 1, 2 or 4 coupons a year'],
    ['couponRate', '-1,,', '-1 must be a finite number of percent, 0 or more'],
    ['pricing', '12,,zero', '"zero" must be one of discount, coupon'],
  ])('for its %s is told that, and not what follows from it', async (field, terms, said) => {
    const columns = ',couponRate,couponFrequency,pricing';
    expect(await refusal([`${BOND},${terms}`], columns)).toEqual([
      `q.csv line 2, ${field}: ${said}`,
    ]);
  });

  test('for its type or maturity is told that, and not what cannot be computed', async () => {
    expect(await refusal([BILL.replace('tbill', 'T-Bill')])).toEqual([
      'q.csv line 2, type: "T-Bill" must be one of tbill, bond, corporate',
    ]);
    expect(await refusal([BILL.replace('2026-12-03', '')])).toEqual([
      'q.csv line 2, maturityDate: "" must be a calendar day as YYYY-MM-DD; it is blank',
    ]);
  });

  test('for dates in another order is told how they would be read', async () => {
    const line = BILL.replace('2026-06-30', '30/06/2026').replace('2026-12-03', '03/12/2026');
    const rule = 'must be a calendar day as YYYY-MM-DD';
    expect(await refusal([line])).toEqual([
      `q.csv line 2, date: "30/06/2026" ${rule}; with --dates dmy it would be 2026-06-30`,
      `q.csv line 2, maturityDate: "03/12/2026" ${rule}; with --dates dmy it would be 2026-12-03; with --dates mdy it would be 2026-03-12`,
    ]);
    await load([line], '', { mapping: { dates: 'dmy' } });
    expect(await desk.readRecords(quotes)).toEqual([quotes.example]);
  });

  test('for coming twice is named by date and symbol', async () => {
    expect(await refusal([BILL, BILL.replace('95.4869', '95.5')])).toEqual([
      'q.csv line 3, date, symbol: "2026-06-30 ZZ12TB031226" must be given once; q.csv line 2 has the same',
    ]);
  });
});

describe('warnings of quotes', () => {
  const rulesOf = async (...args: Parameters<typeof load>) =>
    (await load(...args)).report.warnings.map(({ rule, count }) => `${rule} ${count}`);

  test('are told of a wrong ISIN, a bid above the ask and a yield off its price', async () => {
    const wrong = BILL.replace('ZZ0624197586', 'ZZ0624197587').replace('95.4545', '96');
    expect(await rulesOf([`${wrong},15`], ',ytm')).toEqual([
      'bid-above-ask 1',
      'isin-check-digit 1',
      'ytm-off-price 1',
    ]);
  });

  test('compare with the quote before, in the file or as it stands', async () => {
    const jumped = onNextDay(BILL).replace('95.4869', '75').replace('2026-12-03', '2026-12-04');
    const expected = ['maturity-changed 1', 'price-jump 1', 'ytm-jump 1'];
    expect(await rulesOf([BILL, jumped], '', { isDryRun: true })).toEqual(expected);
    await load([BILL]);
    expect(await rulesOf([jumped])).toEqual(expected);
  });
});
