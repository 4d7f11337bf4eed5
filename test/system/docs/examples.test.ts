import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { findDeclarationProblems } from '../../../src/catalogue/declaration-problems.ts';
import { catalogue } from '../../../src/catalogue/index.ts';
import { createDeclaredDataset } from '../../../src/catalogue/model/create-dataset.ts';
import type { AnyRecord } from '../../../src/catalogue/model/dataset.ts';
import type { Declaration } from '../../../src/catalogue/model/declaration.ts';
import { withAdapter } from '../../../src/publish/adapter/run-adapter.ts';
import { parseMapping } from '../../../src/publish/mapping/mapping.ts';
import { useLoadWorkspace } from '../../support/load-workspace.ts';

const FOLDER = join(import.meta.dirname, '../../../examples');
const FILES = join(FOLDER, 'files');
const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8');

interface Example {
  readonly file: string;
  /** How many records there are, and parts of the first ones. */
  readonly count: number;
  readonly records: readonly AnyRecord[];
  readonly warnings?: readonly string[];
  /** How many records have a status that is not the normal one. */
  readonly statuses?: Readonly<Record<string, number>>;
}

const EXAMPLES: Readonly<Record<string, Example>> = {
  'bank-rows.ts': {
    file: 'bank-rows.csv',
    count: 2,
    records: [
      { period: 'May 2025', total: 560_550 },
      {
        period: 'Apr 2025',
        total: 556_300,
        provinces: [
          { key: 'punjab', value: 306_300 },
          { key: 'sindh', value: 158_400 },
          { key: 'kpk', value: 73_700 },
          { key: 'balochistan', value: 9_200 },
        ],
      },
    ],
  },
  'board-days.ts': {
    file: 'board-days.xlsx',
    count: 4,
    records: [
      { date: '2025-06-30', symbol: 'Z05PIB150930', bidPrice: 98.7, ytm: 11.526855 },
      { date: '2025-06-30', symbol: 'ZZ12TB121225', type: 'tbill', lastPrice: 0 },
      { date: '2025-06-27', symbol: 'Z05PIB150930', maturityDate: '2030-09-15' },
    ],
  },
  'coupon-in-name.ts': {
    file: 'coupon-in-name_2025-06-30.csv',
    count: 3,
    // Coupons of 9.90 a year, 10.25 in months, and none.
    records: [{ ytm: 9.560048 }, { ytm: 9.954424 }, { ytm: 9.523214, lastPrice: 66.4 }],
    warnings: ['unknown-convention'],
  },
  'fiscal-quarters.json': {
    file: 'fiscal-quarters.csv',
    count: 4,
    records: [
      { period: 'Q4 2025', total: 4697 },
      { period: 'Q3 2025', utility_bills: 0 },
    ],
    statuses: { P: 1 },
  },
  'fund-holdings.ts': {
    file: 'fund-holdings.xlsx',
    count: 2,
    records: [
      {
        fund_id: 'ZBALANCED',
        periods: [{ label: 'Jun 2025', date: '2025-06-30' }],
        rows: [
          { label: 'Equities', values: [25.01] },
          { label: 'Corporate debt', values: [18.1] },
          { label: 'Government securities', values: [50] },
          { label: 'Cash and receivables', values: [6.89] },
        ],
      },
      { fund_id: 'ZLIQUID', rows: [{ values: [85] }, { values: [15] }] },
    ],
  },
  'json-quotes.ts': {
    file: 'json-quotes.json',
    count: 2,
    records: [
      { date: '2025-06-30', symbol: 'Z05PIB150930', bidPrice: 98.7, ytm: 11.526855 },
      { symbol: 'Z10PIB150235', maturityDate: '2035-02-15', volume: 4_000_000 },
    ],
  },
  'latin1-semicolons.json': {
    file: 'latin1-semicolons.csv',
    count: 3,
    records: [
      // Settled at T+2, and without coupons.
      { symbol: 'ZBUND30', maturityYears: 5.290411, ytm: 2.357015 },
      // With a long first coupon, which begins in January.
      { symbol: 'ZBUND35', volume: 1_250_000, ytm: 2.602587 },
      { symbol: 'ZLÄNDER28', lastPrice: 97.035 },
    ],
  },
  'nested-json.ts': {
    file: 'nested-json.json',
    count: 2,
    records: [{ period: 'Q1 2025', atm: 6.3001 }, { period: 'Q4 2024' }],
  },
  'psx-board.json': {
    file: 'psx-board_2025-06-30.csv',
    count: 2,
    records: [
      { maturityDate: '2030-09-15', ytm: 11.238845 },
      { type: 'tbill', ytm: 11.41 },
    ],
  },
  'rbi-mobile-banking.json': {
    file: 'rbi-mobile-banking.xlsx',
    count: 2,
    records: [
      { period: 'May 2025' },
      { operators: [{ key: 'Cedar Bank', value: 184 / 300 }, { key: 'Harbor Bank' }] },
    ],
    warnings: ['key-repeated'],
  },
  'rbi-settlement.json': {
    file: 'rbi-settlement.csv',
    count: 2,
    records: [{ period: 'May 2025', ancillary_clearing: 81_600, ibft: 18_020 }],
  },
  'strips.json': {
    file: 'strips.csv',
    count: 2,
    records: [{ ytm: 3.909359 }, { maturityYears: 30.454795, ytm: 5.048179, duration: 29.685147 }],
  },
  'tesouro.json': {
    file: 'tesouro.csv',
    count: 3,
    records: [{ symbol: 'LTN 2028-01-01', bidPrice: 71.534, askPrice: 0 }],
  },
  'wide-table.ts': {
    file: 'wide-table.csv',
    count: 2,
    records: [
      { year: 'FY25', atm_cash: 861.05, total: 935 },
      { year: 'FY24', deposit_instrument: 0.11 },
    ],
    statuses: { P: 1 },
  },
};

/** Files of declared datasets, and their newest records. */
const DECLARED: Readonly<Record<string, Example>> = {
  kibor: {
    file: 'kibor.csv',
    count: 6,
    records: [{ date: '2025-06-30', tenor: '1W', bid: 10.95, offer: 11.45 }],
  },
  'fx-rates': {
    file: 'fx-rates.csv',
    count: 6,
    records: [
      { date: '2025-06-30', currency: 'EUR', buying: 332.4105, mid: 332.7098 },
      { date: '2025-06-30', currency: 'JPY', buying: null, selling: null, mid: 1.9655 },
    ],
  },
  'upi-by-bank': {
    file: 'upi-by-bank.csv',
    count: 8,
    records: [
      { month: 'Jun 2025', bank: 'Cedar Bank', side: 'payee', volume: 511.02, status: 'P' },
    ],
    statuses: { P: 4 },
  },
  'fund-nav': {
    file: 'fund-nav.txt',
    count: 3,
    records: [{ nav: 104.221 }, { nav: 98.7045 }, { scheme: '100003', nav: null }],
  },
};

describe('an example', () => {
  const workspace = useLoadWorkspace();

  async function load(name: string, file: string) {
    const text = read(name);
    const isAdapter = name.endsWith('.ts');
    const [, datasetName] = /dataset"?: ['"]([a-z-]+)/.exec(text) ?? [];
    const dataset = catalogue.find((candidate) => candidate.name === datasetName);
    if (!dataset) throw new Error(`${name} names no dataset`);
    const path = relative(workspace.folder, join(FILES, file));
    const adapterFile = isAdapter ? { path: join(FOLDER, name), name } : undefined;
    const { report } = await withAdapter(
      adapterFile,
      () => {},
      (adapter) => {
        const mapping = adapter ? adapter.options : parseMapping(text, name);
        return workspace.load(dataset, path, { adapter, mapping });
      },
    );
    return { report, records: await workspace.readRecords(dataset) };
  }

  test.each(Object.keys(EXAMPLES))('%s loads the file of its shape', async (name) => {
    const { file, count, records: expected, warnings = [], statuses } = EXAMPLES[name] as Example;
    const { report, records } = await load(name, file);
    expect(records).toHaveLength(count);
    expect(records.slice(0, expected.length)).toMatchObject([...expected]);
    expect(report.warnings.map(({ rule }) => rule)).toEqual([...warnings] as never[]);
    expect(report.statuses).toEqual(statuses);
  });

  test.each(Object.keys(DECLARED))('%s is declared, and loads its file', async (name) => {
    const { file, count, records: expected, statuses } = DECLARED[name] as Example;
    const declaration = JSON.parse(read(`datasets/${name}.json`)) as Declaration;
    expect(findDeclarationProblems(declaration)).toEqual([]);
    const dataset = createDeclaredDataset(declaration);
    const mappingFile = `datasets/${name}-mapping.json`;
    const hasMapping = existsSync(join(FOLDER, mappingFile));
    const mapping = hasMapping && { mapping: parseMapping(read(mappingFile), mappingFile) };
    const path = relative(workspace.folder, join(FILES, file));
    const { report } = await workspace.load(dataset, path, { ...mapping });
    const records = await workspace.readRecords(dataset);
    expect(records).toHaveLength(count);
    expect(records.slice(0, expected.length)).toMatchObject([...expected]);
    expect(report.warnings).toEqual([]);
    expect(report.statuses).toEqual(statuses);
    expect(read('README.md')).toContain(`[${name}.json](datasets/${name}.json)`);
  });

  test('has fewer than 75 lines, and a line in the README with its file', () => {
    const names = readdirSync(FOLDER).filter((name) => /\.(ts|json)$/.test(name));
    expect(names.toSorted()).toEqual(Object.keys(EXAMPLES).toSorted());
    const lines = read('README.md').split('\n');
    for (const name of names) {
      expect(read(name).split('\n').length, name).toBeLessThan(75);
      const { file } = EXAMPLES[name] as Example;
      expect(
        lines.some((line) => line.includes(`](${name})`) && line.includes(`(files/${file})`)),
      ).toBeTrue();
    }
  });
});
