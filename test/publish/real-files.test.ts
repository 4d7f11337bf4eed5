import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { catalogue } from '../../src/catalogue/index.ts';
import type { AnyRecord } from '../../src/catalogue/model/dataset.ts';
import { formatReport } from '../../src/cli/format.ts';
import { parseMapping } from '../../src/publish/mapping/mapping.ts';
import { useLoadWorkspace } from '../support/load-workspace.ts';

const ROOT = join(import.meta.dirname, '../..');
const DATA = join(ROOT, '../shared/data');

const workspace = useLoadWorkspace();

/** Loads a collected file with an example mapping. */
async function loadReal(name: string, file: string) {
  const mappingFile = join(ROOT, 'examples', `${name}.json`);
  const mapping = parseMapping(readFileSync(mappingFile, 'utf8'), mappingFile);
  const dataset = catalogue.find((candidate) => candidate.name === mapping.dataset);
  if (!dataset) throw new Error(`${mappingFile} names no dataset`);
  const path = relative(workspace.folder, join(DATA, file));
  const loaded = await workspace.load(dataset, path, { mapping });
  return { ...loaded, records: await workspace.readRecords(dataset) };
}

// The collected files belong to others, so these tests run only where they are beside the project.
describe.skipIf(!existsSync(DATA))('the collected files, with the example mappings', () => {
  test.each<[string, string, number, ...string[]]>([
    ['tesouro', 'tesouro_quotes.csv', 9226],
    ['psx-board', 'psx_bnb_board_2026-04-08.csv', 24, 'psx_debt_market_2026-04-08.csv'],
    ['rbi-settlement', 'rbi_settlement_monthly.csv', 18],
    ['rbi-mobile-banking', 'rbi_mobile_banking.xlsx', 24],
  ])(
    '%s: load completely, and publish nothing when loaded again',
    async (name, file, count, ...lookupFiles) => {
      const { counts, revision } = await loadReal(name, file);
      expect(counts).toEqual({ added: count, corrected: 0, retired: 0, unchanged: 0 });
      const names = revision?.files.map((source) => source.name);
      expect(names).toEqual([file, ...lookupFiles]);
      const second = await loadReal(name, file);
      expect(second.revision).toBeUndefined();
      expect(second.counts).toEqual({ added: 0, corrected: 0, retired: 0, unchanged: count });
    },
  );

  test('of Tesouro Direto have prices per 100, the yield of the bid, and computed durations', async () => {
    const { records, report } = await loadReal('tesouro', 'tesouro_quotes.csv');
    const quotes = records.filter(({ date }) => date === '2025-08-25');
    expect(quotes.find(({ symbol }) => symbol === 'NTN-F 2035-01-01')).toEqual({
      date: '2025-08-25',
      symbol: 'NTN-F 2035-01-01',
      isin: 'NTN-F 2035-01-01',
      type: 'bond',
      maturityDate: '2035-01-01',
      maturityYears: 9.356164,
      bidPrice: 81.856,
      askPrice: 82.359,
      lastPrice: 0,
      bidVolume: 0,
      askVolume: 0,
      volume: 0,
      ytm: 14.06,
      duration: 5.387666,
    });
    // Published without an ask, which is no reason to reject it.
    expect(quotes.find(({ symbol }) => symbol === 'LFT 2026-03-01')).toMatchObject({
      bidPrice: 1722.019,
      askPrice: 0,
      ytm: -0.0016,
    });
    expect(report.computed).toEqual({ maturityYears: 9226, duration: 9213 });
    expect(report.uncomputable).toEqual({ duration: 13 });
    const counts = Object.fromEntries(report.warnings.map(({ rule, count }) => [rule, count]));
    // The market as a whole is not warned of, nor are years and durations.
    expect(Object.keys(counts).toSorted()).toEqual([
      ...['bid-above-ask', 'implausible-figure', 'maturity-before-date', 'ytm-jump'],
      'ytm-off-price',
    ]);
    // As counted in the file itself: bids above the ask around coupon dates, and late quotes.
    expect(counts).toMatchObject({ 'bid-above-ask': 18, 'maturity-before-date': 9 });
  });

  test('of the Pakistan Stock Exchange take their date from the file name, and maturities and coupons from the lookup file', async () => {
    const { records, report } = await loadReal('psx-board', 'psx_bnb_board_2026-04-08.csv');
    const find = (symbol: string) => records.find((record) => record.symbol === symbol);
    expect(find('P01GIS210127')).toMatchObject({
      date: '2026-04-08',
      type: 'bond',
      maturityDate: '2027-01-21',
      bidPrice: 92.085,
      lastPrice: 92.09,
      ytm: 10.92,
      volume: 150010000,
    });
    expect(find('P05FRR180929')).toMatchObject({ bidPrice: 0, askPrice: 107.3627, ytm: 12.5243 });
    expect(find('BIPLSC')).toMatchObject({ type: 'corporate', maturityDate: '2045-05-01' });
    // Fourteen securities did not trade: the board has no yield for them.
    expect(report.computed).toEqual({ maturityYears: 24, ytm: 14, duration: 24 });
    // Each yield of the exchange matches its price; two corporate bonds have coupons.
    expect(report.warnings).toMatchObject([{ rule: 'unknown-convention', count: 2 }]);
  });

  test('of settlements in India are scaled from crores in the file to billions in the records', async () => {
    const { records, report } = await loadReal('rbi-settlement', 'rbi_settlement_monthly.csv');
    // 14,269,424 crore of government securities in March 2023; forex 7,329,087 and derivatives 859,897.
    expect(records.at(-1)).toEqual({
      period: 'Mar 2023',
      govt_securities: 142694.24,
      ibft: 17065.8,
      third_party_transfer: 144163.22,
      ancillary_clearing: 81889.84,
    });
    expect(report.warnings.flatMap(({ first }) => first.map(({ text }) => text))).toEqual([
      '3 missing from Mar 2023 to Nov 2024: Apr 2023, Dec 2023, Jan 2024',
    ]);
  });

  test('of mobile banking in India are converted to the share of each bank in a month', async () => {
    const { records, report } = await loadReal('rbi-mobile-banking', 'rbi_mobile_banking.xlsx');
    const january = records.at(-1) as { operators: { key: string; value: number }[] } & AnyRecord;
    expect(january.period).toBe('Jan 2011');
    const shareOf = (bank: string) => january.operators.find(({ key }) => key === bank)?.value ?? 0;
    // In January 2011, 18,517 thousand rupees at Andhra Bank and 276.477 at Axis Bank.
    expect(shareOf('ANDHRA BANK') / shareOf('AXIS BANK LTD')).toBeCloseTo(18517 / 276.477, 9);
    const total = january.operators.reduce((sum, { value }) => sum + value, 0);
    expect(total).toBeCloseTo(1, 9);
    expect(report.warnings.map(({ rule, count }) => [rule, count])).toEqual([['key-repeated', 5]]);
  });

  test('have a short report, however many warnings there are', async () => {
    const { report } = await loadReal('tesouro', 'tesouro_quotes.csv');
    expect(report.warnings.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(9000);
    expect(formatReport(report).length).toBeLessThan(40);
  });
});
