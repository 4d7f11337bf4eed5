import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { catalogue } from '../../src/catalogue/index.ts';
import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';
import { formatReport } from '../../src/cli/format-report.ts';
import type { LoadResult } from '../../src/publish/load/load-files.ts';
import { type Mapping, parseMapping } from '../../src/publish/mapping/mapping.ts';
import { useLoadWorkspace } from '../support/load-workspace.ts';

const ROOT = join(import.meta.dirname, '../..');
const DATA = join(ROOT, '../shared/data');
const isThere = existsSync(DATA);
if (!isThere) console.log('Real files are not tested: there is no ../shared/data.');

const workspace = useLoadWorkspace();

function example(name: string): { mapping: Mapping; dataset: Dataset } {
  const file = join(ROOT, 'examples', `${name}.json`);
  const mapping = parseMapping(readFileSync(file, 'utf8'), file);
  const dataset = catalogue.find((one) => one.name === mapping.dataset);
  if (!dataset) throw new Error(`${file} names no dataset`);
  return { mapping, dataset };
}

/** Loads a file as it is in the folder of real ones. */
async function loadReal(
  name: string,
  file: string,
): Promise<LoadResult & { records: AnyRecord[] }> {
  const { mapping, dataset } = example(name);
  const loaded = await workspace.load(dataset, relative(workspace.folder, join(DATA, file)), {
    mapping,
  });
  return { ...loaded, records: await workspace.readRecords(dataset) };
}

/** Loads a file of the desk, as a stranger might bring it. */
async function loadOwn(name: string, file: string, more: Mapping = {}) {
  const { mapping, dataset } = example(name);
  const loaded = await workspace.load(dataset, file, { mapping: { ...mapping, ...more } });
  return { ...loaded, records: await workspace.readRecords(dataset) };
}

function loadInvalid(name: string, file: string, more: Mapping = {}) {
  const { mapping, dataset } = example(name);
  return workspace.loadProblems(dataset, file, { mapping: { ...mapping, ...more } });
}

const real = (file: string) => readFileSync(join(DATA, file), 'utf8');

/** A CSV text with its columns in the opposite order; for texts without quotes. */
const reversed = (csv: string) =>
  csv
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(',').toReversed().join(','))
    .join('\n');

describe.skipIf(!isThere)('the collected files, with the example mappings', () => {
  test.each<[string, string, number, ...string[]]>([
    ['tesouro', 'tesouro_quotes.csv', 9226],
    ['psx-board', 'psx_bnb_board_2026-04-08.csv', 24, 'psx_debt_market_2026-04-08.csv'],
    ['rbi-settlement', 'rbi_settlement_monthly.csv', 18],
    ['rbi-mobile-banking', 'rbi_mobile_banking.xlsx', 24],
  ])(
    '%s: load completely, and publish nothing when loaded again',
    async (name, file, count, ...beside) => {
      const { counts, revision } = await loadReal(name, file);
      expect(counts).toEqual({ added: count, corrected: 0, retired: 0, unchanged: 0 });
      const names = revision?.files.map((source) => source.name);
      expect(names).toEqual([file, ...beside]);
      const again = await loadReal(name, file);
      expect(again.revision).toBeUndefined();
      expect(again.counts).toEqual({ added: 0, corrected: 0, retired: 0, unchanged: count });
    },
  );
});

describe.skipIf(!isThere)('quotes of Tesouro Direto', () => {
  test('have prices per 100, the yield of the bid, and computed durations', async () => {
    const { records, report } = await loadReal('tesouro', 'tesouro_quotes.csv');
    const on = records.filter(({ date }) => date === '2025-08-25');
    expect(on.find(({ symbol }) => symbol === 'NTN-F 2035-01-01')).toEqual({
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
    // Published without an ask: that is no order, and no reason to refuse it.
    expect(on.find(({ symbol }) => symbol === 'LFT 2026-03-01')).toMatchObject({
      bidPrice: 1722.019,
      askPrice: 0,
      ytm: -0.0016,
    });
    expect(report.computed).toEqual({ maturityYears: 9226, duration: 9213 });
    expect(report.uncomputable).toEqual({ duration: 13 });
    const counts = Object.fromEntries(report.warnings.map(({ rule, count }) => [rule, count]));
    // As counted in the file itself: bids above the ask around coupon dates, and late quotes.
    expect(counts).toMatchObject({ 'bid-above-ask': 18, 'maturity-before-date': 9 });
  });

  test('with further columns in another order load the same, and with an invalid price are rejected', async () => {
    const some = real('tesouro_quotes.csv').split('\n').slice(0, 40).join('\n');
    workspace.writeFile('a.csv', some);
    const { records } = await loadOwn('tesouro', 'a.csv');
    workspace.writeFile(
      'b.csv',
      reversed(some).replaceAll(/$/gm, ',more').replace(',more', ',remark'),
    );
    expect(await loadOwn('tesouro', 'b.csv')).toMatchObject({ revision: undefined, records });
    workspace.writeFile('c.csv', some.replace('17220.19', '"17.220,19"'));
    const lines = await workspace.loadProblems(example('tesouro').dataset, 'c.csv', {
      mapping: example('tesouro').mapping,
    });
    expect(lines).toEqual([
      'c.csv line 2, bidPrice: "17.220,19" must be a number; with --decimal , "17.220,19" is 17220.19',
    ]);
  });

  test('without a column that the mapping uses are rejected with its name', async () => {
    workspace.writeFile(
      'a.csv',
      'date,family,maturityDate,bidPrice,askPrice,bidYield\n2025-08-25,LFT,2026-03-01,1,1,1\n',
    );
    expect(await loadInvalid('tesouro', 'a.csv')).toEqual([
      'a.csv has no column "askYield", which the mapping uses',
    ]);
  });
});

describe.skipIf(!isThere)('a board of the Pakistan Stock Exchange', () => {
  const BOARD = 'psx_bnb_board_2026-04-08.csv';
  const LIST = 'psx_debt_market_2026-04-08.csv';

  test('takes its date from its file name, and maturities and coupons from its lookup file', async () => {
    const { records, report } = await loadReal('psx-board', BOARD);
    const of = (symbol: string) => records.find((record) => record.symbol === symbol);
    expect(of('P01GIS210127')).toMatchObject({
      date: '2026-04-08',
      type: 'bond',
      maturityDate: '2027-01-21',
      bidPrice: 92.085,
      lastPrice: 92.09,
      ytm: 10.92,
      volume: 150010000,
    });
    expect(of('P05FRR180929')).toMatchObject({ bidPrice: 0, askPrice: 107.3627, ytm: 12.5243 });
    expect(of('BIPLSC')).toMatchObject({ type: 'corporate', maturityDate: '2045-05-01' });
    // Fourteen securities did not trade: the board has no yield for them.
    expect(report.computed).toEqual({ maturityYears: 24, ytm: 14, duration: 24 });
    // The exchange's own yields are those of its prices, to the last one.
    expect(report.warnings.map(({ rule }) => rule)).toEqual(['isin-check-digit']);
  });

  test('computes yields between those that the exchange prints for bid and offer', async () => {
    const { records } = await loadReal('psx-board', BOARD);
    // Printed for P01GIS200826: bid 11.03, offer 11.02; for P03VRR090128: bid 10.0691, offer 9.8136.
    const ytmOf = (symbol: string) => records.find((record) => record.symbol === symbol)?.ytm;
    expect(ytmOf('P01GIS200826')).toBeCloseTo(11.025, 2);
    expect(Number(ytmOf('P03VRR090128'))).toBeWithin(9.8136, 10.0691);
  });

  test('of another day, with its lookup file, adds a day', async () => {
    await loadReal('psx-board', BOARD);
    workspace.writeFile('psx_debt_market_2026-04-09.csv', real(LIST));
    workspace.writeFile('board 2026-04-09.csv', reversed(real(BOARD)));
    const { counts, records } = await loadOwn('psx-board', 'board 2026-04-09.csv');
    expect(counts).toMatchObject({ added: 24, corrected: 0 });
    expect(new Set(records.map(({ date }) => date))).toEqual(new Set(['2026-04-08', '2026-04-09']));
  });

  test('without one of its columns is rejected with that column', async () => {
    workspace.writeFile(LIST, real(LIST));
    workspace.writeFile(BOARD, real(BOARD).replaceAll(/,[^,\n]*$/gm, ''));
    const [message, ...more] = await loadInvalid('psx-board', BOARD);
    expect(message).toStartWith(`${BOARD} has, in line 1, a header without a column for volume; `);
    expect(more).toEqual([]);
  });

  test('without its lookup file, or a date in its name, is rejected with what is missing', async () => {
    workspace.writeFile(BOARD, real(BOARD));
    expect(await loadInvalid('psx-board', BOARD)).toEqual([`${BOARD}: ${LIST} does not exist`]);
    workspace.writeFile('board.csv', real(BOARD));
    expect(await loadInvalid('psx-board', 'board.csv')).toEqual([
      'board.csv has no date such as 2026-06-30 in its name, and the mapping uses {file.date}',
    ]);
  });

  test('with an invalid price, an unknown security or a new column is rejected', async () => {
    workspace.writeFile(LIST, real(LIST));
    workspace.writeFile(BOARD, real(BOARD).replace('92.085', 'N/A'));
    expect(await loadInvalid('psx-board', BOARD)).toEqual([
      `${BOARD} line 3, bidPrice: "N/A" must be a number; if "N/A" stands for no value, name it in the mapping's blanks`,
    ]);
    workspace.writeFile(BOARD, real(BOARD).replace('P01GIS210127', 'P01GIS999999'));
    const [message] = await loadInvalid('psx-board', BOARD);
    expect(message).toBe(
      `${BOARD} line 3, maturityDate: "" must be a calendar day as YYYY-MM-DD; "P01GIS999999" is not in ${LIST}`,
    );
    workspace.writeFile(
      BOARD,
      real(BOARD).replace('volume', 'volume,trades').replaceAll(/\.0$/gm, '.0,3'),
    );
    expect(await loadInvalid('psx-board', BOARD)).toEqual([
      `${BOARD} has, in line 1, a header with columns that no field takes: trades; leave one out with --map "trades="`,
    ]);
  });
});

describe.skipIf(!isThere)('settlement values of the Reserve Bank of India', () => {
  const FILE = 'rbi_settlement_monthly.csv';

  test('are scaled from crores in the file to billions in the records', async () => {
    const { records, report } = await loadReal('rbi-settlement', FILE);
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

  test('revised, with a further month and columns in another order, are corrections and an addition', async () => {
    await loadReal('rbi-settlement', FILE);
    const month = 'Dec 2024,1,100,1,1,1,200,300,1,400,500,1';
    workspace.writeFile(
      'a.csv',
      reversed(`${real(FILE).trim().replace('14269424', '14269400')}\n${month}`),
    );
    const { counts, records } = await loadOwn('rbi-settlement', 'a.csv');
    expect(counts).toEqual({ added: 1, corrected: 1, retired: 0, unchanged: 17 });
    expect(records[0]).toEqual({
      period: 'Dec 2024',
      govt_securities: 1,
      ibft: 5,
      third_party_transfer: 4,
      ancillary_clearing: 5,
    });
  });

  test('with a month in another spelling of the bank are rejected with the label it would become', async () => {
    workspace.writeFile('a.csv', real(FILE).replace('Mar 2023', 'Mar-23'));
    expect(await loadInvalid('rbi-settlement', 'a.csv')).toEqual([
      'a.csv line 2, period: "Mar-23" must be a month such as Jan 2024; with --periods sbp "Mar-23" becomes Mar 2023',
    ]);
  });
});

describe.skipIf(!isThere)('mobile banking of the Reserve Bank of India', () => {
  const FILE = 'rbi_mobile_banking.xlsx';

  test('is converted to the share of each bank in a month', async () => {
    const { records, report } = await loadReal('rbi-mobile-banking', FILE);
    const january = records.at(-1) as { operators: { key: string; value: number }[] } & AnyRecord;
    expect(january.period).toBe('Jan 2011');
    const shareOf = (bank: string) => january.operators.find(({ key }) => key === bank)?.value ?? 0;
    // In January 2011, 18,517 thousand rupees at Andhra Bank and 276.477 at Axis Bank.
    expect(shareOf('ANDHRA BANK') / shareOf('AXIS BANK LTD')).toBeCloseTo(18517 / 276.477, 9);
    const total = january.operators.reduce((sum, { value }) => sum + value, 0);
    expect(total).toBeCloseTo(1, 9);
    expect(report.warnings.map(({ rule, count }) => [rule, count])).toEqual([['key-repeated', 5]]);
  });

  test('is rejected with the row of a repeated bank, unless repeated keys are added up', async () => {
    const { mapping, dataset } = example('rbi-mobile-banking');
    const { repeatedKeys: _, ...rest } = mapping;
    const file = relative(workspace.folder, join(DATA, FILE));
    const lines = await workspace.loadProblems(dataset, file, { mapping: rest });
    expect(lines).toHaveLength(5);
    expect(lines[0]).toBe(
      `${file} row 169, operators:key: "ROYAL BANK OF SCOTLAND N.V." must be given once in each record (or the mapping says "repeatedKeys": "add")`,
    );
    const other = { ...mapping, sheet: '2013' };
    expect(await workspace.loadProblems(dataset, file, { mapping: other })).toEqual([
      `${file} has no sheet 2013; it has 2011-12`,
    ]);
  });
});

test.skipIf(!isThere)('a report is short, however many warnings there are', async () => {
  const { report } = await loadReal('tesouro', 'tesouro_quotes.csv');
  expect(report.warnings.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(9000);
  expect(formatReport(report).length).toBeLessThan(40);
});
