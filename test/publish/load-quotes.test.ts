import { describe, expect, test } from 'bun:test';
import { funds } from '../../src/catalogue/datasets/funds.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { AnyRecord } from '../../src/catalogue/model/dataset.ts';
import { checkDatabase } from '../../src/publish/check/check-database.ts';
import {
  createQuoteValidator,
  toUncomputableProblems,
} from '../../src/publish/load/quote-validator.ts';
import type { Mapping } from '../../src/publish/mapping/mapping.ts';
import { validateNewRecord } from '../../src/schema/validate-record.ts';
import type { PublishTransaction } from '../../src/store/open-store.ts';
import { useLoadWorkspace, type WorkspaceLoadOptions } from '../support/load-workspace.ts';
import { publishAt } from '../support/publish-at.ts';
import { quote } from '../support/quote-fixture.ts';
import { createStore } from '../support/store.ts';

const HEADER =
  'date,symbol,isin,type,maturityDate,bidPrice,askPrice,lastPrice,bidVolume,askVolume,volume';
const BILL =
  '2026-06-30,ZZ12TB031226,ZZ0624197586,tbill,2026-12-03,95.4545,95.4948,95.4869,10000000,55000000,470000000';
const BOND = '2026-06-30,Z05PIB220131,ZZ0000000024,bond,2031-01-22,92.5,92.9,92.7,5000,10000,0';
const onNextDay = (line: string) => line.replace('2026-06-30', '2026-07-01');

const workspace = useLoadWorkspace();

function load(lines: readonly string[], columns = '', options: WorkspaceLoadOptions = {}) {
  workspace.writeFile('q.csv', [HEADER + columns, ...lines, ''].join('\n'));
  return workspace.load(quotes, 'q.csv', options);
}

function loadInvalid(lines: readonly string[], columns = '', mapping: Mapping = {}) {
  workspace.writeFile('q.csv', [HEADER + columns, ...lines, ''].join('\n'));
  return workspace.loadProblems(quotes, 'q.csv', { mapping });
}

/** The line on figures of the first quote that cannot be computed. */
function formatMissing(fields: string, reason: string): string {
  const rule = `given if it cannot be computed: ${reason} (--uncomputable zero takes it as 0)`;
  return `q.csv line 2, ${fields}: missing; must be ${rule}`;
}

describe('figures that a quotes file lacks', () => {
  test('are not warned of: a price that makes a yield implausible does not make its duration wrong', async () => {
    // At this price, the coupon of a year is lost.
    const line = '2026-06-30,Z01,ZZ0000000024,bond,2027-01-16,150,150,150,1,1,1,12,1';
    const { report } = await load([line], ',couponRate,couponFrequency');
    expect(report.warnings.map(({ rule }) => rule)).toEqual(['implausible-figure']);
  });

  test('are computed for a bill from its price and maturity', async () => {
    const { report } = await load([BILL]);
    expect(report.computed).toEqual({ maturityYears: 1, ytm: 1, duration: 1 });
    expect(await workspace.readRecords(quotes)).toEqual([quotes.example]);
  });

  test('are computed if their column is blank, and kept if it is not', async () => {
    const { report } = await load([`${BILL},,11.5,`], ',duration,ytm,maturityYears');
    expect(report.computed).toEqual({ maturityYears: 1, duration: 1 });
    expect(await workspace.readRecords(quotes)).toMatchObject([
      { ytm: 11.5, maturityYears: 0.424658 },
    ]);
  });

  test('are computed for a bond with the coupon in the file, which is no part of the record', async () => {
    await load([`${BOND},12,2,coupon`], ',couponRate,couponFrequency,pricing');
    const [record] = await workspace.readRecords(quotes);
    expect(record).toMatchObject({ ytm: 14.224397, duration: 3.181175, maturityYears: 4.564384 });
    expect(Object.keys(record ?? {})).toEqual(Object.keys(quotes.fields));
  });

  test('are computed for a later file with the terms of an earlier one', async () => {
    await load([`${BOND},12`], ',couponRate');
    await load([onNextDay(BOND)]);
    await load([`${BOND.replace('2026-06-30', '2026-07-02')},`], ',couponRate');
    const figures = (await workspace.readRecords(quotes)).map(({ date, ytm }) => [date, ytm]);
    expect(figures).toEqual([
      ['2026-07-02', expect.any(Number)],
      ['2026-07-01', 14.2257],
      ['2026-06-30', 14.224397],
    ]);
  });

  test('are computed with a new rate and the stored frequency', async () => {
    await load([`${BOND},12,1`], ',couponRate,couponFrequency');
    await load([`${onNextDay(BOND)},11`], ',couponRate');
    const [atYearly] = await workspace.readRecords(quotes);
    // The same coupon twice a year means another yield.
    await load([`${onNextDay(BOND)},11,2`], ',couponRate,couponFrequency');
    const [atHalfYearly] = await workspace.readRecords(quotes);
    expect(atYearly?.ytm).toBe(13.179515);
    expect(atHalfYearly?.ytm).not.toBe(13.179515);
  });

  test('are not computed with terms of a dry run or a rejected file', async () => {
    await load([`${BOND},12`], ',couponRate', { isDryRun: true });
    await loadInvalid([`${BOND},12`, `${BILL.replace('tbill', 'bill')},`], ',couponRate');
    const ways = 'give couponRate (and couponFrequency), pricing=discount or pricing=zero';
    expect(await loadInvalid([BOND])).toEqual([
      formatMissing('ytm, duration', `couponRate is missing; ${ways}`),
    ]);
  });

  test('are computed at the settlement days of the mapping, and checked against those', async () => {
    const settled = (settlementDays: number) => ({ mapping: { settlementDays } });
    const { report } = await load([`${BOND},12`], ',couponRate', settled(3));
    expect(report.warnings).toEqual([]);
    const [record] = await workspace.readRecords(quotes);
    expect(record).toMatchObject({ maturityYears: 4.558904, ytm: 14.227008 });
    // What a file gives of a quote settles as it says itself.
    const figures = [record?.maturityYears, record?.ytm, record?.duration].join();
    const columns = ',couponRate,maturityYears,ytm,duration';
    expect((await load([`${BOND},12,${figures}`], columns)).revision).toBeUndefined();
  });

  test('are rejected in one problem for each cause', () => {
    const lacking = (['ytm', 'duration'] as const).map((field) => ({
      field,
      rule: `not ${field}`,
    }));
    expect(toUncomputableProblems(lacking)).toEqual([
      { field: 'ytm', value: undefined, rule: 'not ytm' },
      { field: 'duration', value: undefined, rule: 'not duration' },
    ]);
  });

  test('are rejected alone if the file has the others', async () => {
    const reason =
      'couponRate is missing; give couponRate (and couponFrequency), pricing=discount or pricing=zero';
    expect(await loadInvalid([`${BOND},14.2`], ',ytm')).toEqual([
      formatMissing('duration', reason),
    ]);
  });

  test('are 0 with --uncomputable zero, and counted', async () => {
    const line = `${BOND.replace('92.5,92.9,92.7', '0,0,0')},12`;
    const { report } = await load([line], ',couponRate', { mapping: { uncomputable: 'zero' } });
    expect(report).toMatchObject({
      computed: { maturityYears: 1 },
      uncomputable: { ytm: 1, duration: 1 },
    });
    expect(await workspace.readRecords(quotes)).toMatchObject([
      { ytm: 0, duration: 0, maturityYears: 4.564384 },
    ]);
  });
});

describe('a quote that is rejected', () => {
  test.each([
    ['couponFrequency', '12,3,', '3 must be 1, 2, 4 or 12 coupons a year'],
    ['couponRate', '-1,,', '-1 must be a finite number of percent, 0 or more'],
    ['pricing', '12,,flat', '"flat" must be one of discount, zero, coupon, bank-discount'],
  ])(
    'for its %s has that problem alone, and not those that follow from it',
    async (field, terms, message) => {
      const columns = ',couponRate,couponFrequency,pricing';
      expect(await loadInvalid([`${BOND},${terms}`], columns)).toEqual([
        `q.csv line 2, ${field}: ${message}`,
      ]);
    },
  );

  test('for its type or maturity has that problem alone, and not those of the figures', async () => {
    expect(await loadInvalid([BILL.replace('tbill', 'T-Bill')])).toEqual([
      'q.csv line 2, type: "T-Bill" must be one of tbill, bond, corporate',
    ]);
    expect(await loadInvalid([BILL.replace('2026-12-03', '')])).toEqual([
      'q.csv line 2, maturityDate: "" must be a calendar day as YYYY-MM-DD; it is blank',
    ]);
  });

  test('for its date order has a message with the dates of other orders', async () => {
    const line = BILL.replace('2026-06-30', '30/06/2026').replace('2026-12-03', '03/12/2026');
    const rule = 'must be a calendar day as YYYY-MM-DD';
    expect(await loadInvalid([line])).toEqual([
      `q.csv line 2, date: "30/06/2026" ${rule}; with --dates dmy it would be 2026-06-30`,
      `q.csv line 2, maturityDate: "03/12/2026" ${rule}; with --dates dmy it would be 2026-12-03; with --dates mdy it would be 2026-03-12`,
    ]);
    await load([line], '', { mapping: { dates: 'dmy' } });
    expect(await workspace.readRecords(quotes)).toEqual([quotes.example]);
  });

  test('for a duplicate key is named by date and symbol', async () => {
    expect(await loadInvalid([BILL, BILL.replace('95.4869', '95.5')])).toEqual([
      'q.csv line 3, date, symbol: "2026-06-30 ZZ12TB031226" must be given once; q.csv line 2 has the same',
    ]);
  });
});

describe('warnings of quotes', () => {
  const loadRules = async (...args: Parameters<typeof load>) =>
    (await load(...args)).report.warnings.map(({ rule, count }) => `${rule} ${count}`);

  test('report an invalid ISIN, a bid above the ask and a yield that does not match the price', async () => {
    const wrong = BILL.replace('ZZ0624197586', 'ZZ0624197587').replace('95.4545', '96');
    expect(await loadRules([`${wrong},15`], ',ytm')).toEqual([
      'bid-above-ask 1',
      'isin-check-digit 1',
      'ytm-off-price 1',
    ]);
  });

  test('read the previous quotes of a new day at once, and those of an earlier one by security', async () => {
    const { store } = workspace;
    const before = (symbol: string, date: string) => quote({ symbol, date, lastPrice: 95 });
    const published = [before('A', '2026-06-30'), before('B', '2026-06-30')];
    await store.publish(quotes, [...published, before('C', '2026-06-29')]);
    const publisher = store.publisher();
    await publisher.transaction(async (transaction) => {
      const securities: (string | undefined)[] = [];
      const counting: PublishTransaction = Object.create(transaction);
      counting.read = (selection) => {
        if (selection.kind === 'quotes') securities.push(selection.security);
        return transaction.read(selection);
      };
      const validator = await createQuoteValidator(quotes, counting, undefined);
      securities.length = 0;
      const records = ['A', 'B', 'C', 'D'].map((symbol) =>
        quote({ symbol, date: '2026-07-01', lastPrice: 50 }),
      );
      const toDraft = (record: AnyRecord, position: number) => ({ position, record, problems: [] });
      await validator.loadPreviousQuotes(records.map(toDraft));
      expect(securities).toEqual([undefined, 'C', 'D']);
      const findRules = (record: AnyRecord) =>
        validator.findWarnings(record).map(({ rule }) => rule);
      expect(records.map((record) => findRules(record).includes('price-jump'))).toEqual([
        true,
        true,
        true,
        false,
      ]);
      transaction.abandon();
    });
    publisher.close();
  });

  test('compare a quote with the previous one, in the file or in the published data', async () => {
    const jumped = onNextDay(BILL).replace('95.4869', '75').replace('2026-12-03', '2026-12-04');
    const expected = ['maturity-changed 1', 'price-jump 1', 'ytm-jump 1'];
    expect(await loadRules([BILL, jumped], '', { isDryRun: true })).toEqual(expected);
    await load([BILL]);
    expect(await loadRules([jumped])).toEqual(expected);
    // Its correction is compared with the day before, not with what it corrects.
    expect(await loadRules([onNextDay(BILL)])).toEqual([]);
  });
});

describe('the pricing terms of a security', () => {
  const onDay = (date: string, couponRate: number | string) =>
    `${BOND.replace('2026-06-30', date)},${couponRate}`;
  const readYield = async (day: string) =>
    (await workspace.readRecords(quotes)).find(({ date }) => date === day)?.ytm as number;

  test('cause a warning if they differ from the stored ones', async () => {
    const { report: first } = await load([onDay('2026-06-29', 12)], ',couponRate');
    expect(first).toMatchObject({ terms: 1, warnings: [] });
    const { report } = await load([onDay('2026-06-30', 13)], ',couponRate');
    expect(report.terms).toBe(1);
    expect(report.warnings).toContainEqual(
      expect.objectContaining({
        rule: 'terms-changed',
        first: [expect.objectContaining({ at: 2, text: 'couponRate 13 was 12 before' })],
      }),
    );
  });

  test.each<[string, ...[day: string, rate: number][]]>([
    ['in order', ['2026-06-29', 12], ['2026-06-30', 13]],
    ['newest first', ['2026-06-30', 13], ['2026-06-29', 12]],
    [
      'if the newest has the rate of the row before',
      ['2026-06-28', 12],
      ['2026-06-27', 13],
      ['2026-06-30', 13],
    ],
    ['where the newest has the stored rate', ['2026-06-30', 11], ['2026-06-29', 12]],
  ])('of a file with many days are those of the newest day, %s', async (_, ...days) => {
    await load([onDay('2026-06-01', 11)], ',couponRate');
    await load(
      days.map(([day, rate]) => onDay(day, rate)),
      ',couponRate',
    );
    await load([onDay('2026-07-01', '')], ',couponRate');
    expect(await readYield('2026-07-01')).toBeCloseTo(await readYield('2026-06-30'), 1);
  });
});

test('a comma in a symbol or an ISIN is rejected, because it separates those of a request', async () => {
  const problems = await loadInvalid([BILL.replace('ZZ12TB031226,ZZ0624197586', '"A,B","C,D"')]);
  expect(problems).toEqual([
    'q.csv line 2, symbol: "A,B" must be text without a comma',
    'q.csv line 2, isin: "C,D" must be text without a comma',
  ]);
});

test('a comma in a text that identifies nothing is accepted', () => {
  const fund = { ...funds.example, name: 'Gold, Silver and Others' };
  expect(validateNewRecord(funds, fund)).toEqual([]);
  expect(validateNewRecord(funds, { ...fund, fund_id: 'a,b' })).toMatchObject([
    { field: 'fund_id', rule: 'text without a comma' },
  ]);
});

test('a comma in a record that was published before is no fault', async () => {
  await using store = await createStore();
  await publishAt(store, 0, quotes, { records: [{ ...quotes.example, symbol: 'A,B' }] });
  const inspector = store.inspector();
  expect((await checkDatabase(inspector, catalogue)).faults).toEqual([]);
  inspector.close();
});
