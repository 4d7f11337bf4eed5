import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import {
  branchlessBankingAgents as agents,
  atmTransactionsQuarterlyValue as atmQuarters,
  atmTransactionsAnnualVolume as atmYears,
  posTransactionsQuarterlyVolume as pos,
  settlementTransactionsValue as settlement,
  mobileMoneyMarketShareValue as shares,
} from '../../src/catalogue/datasets/series/index.ts';
import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import { parseMapping } from '../../src/publish/mapping/mapping.ts';
import { useAdapterLoader } from '../publish/adapter/adapter-loader.ts';
import { useStartLoader } from './start-loader.ts';

const EXAMPLES = join(import.meta.dirname, '../../examples');
const { workspace: startWorkspace, writeStart, loadUnanswered } = useStartLoader();
const { workspace, load, loadInvalid } = useAdapterLoader();

interface TemplateCase {
  readonly file: string;
  readonly dataset: Dataset;
  /** Parts of the start, and what a person writes for them. */
  readonly answers: readonly (readonly [part: string, answer: string])[];
}

const CASES: Readonly<Record<string, TemplateCase>> = {
  'coupon-in-name.ts': {
    file: 'coupon-in-name_2025-06-30.csv',
    dataset: quotes,
    answers: [
      ["symbol: '?'", "symbol: row.get('ISIN')"],
      ["type: '?'", "type: 'corporate'"],
      ["maturityDate: '?'", "maturityDate: findDate(row.text('Issue')) ?? ''"],
      ['volume: 0', "volume: row.get('Traded Value')"],
      [
        '  couponRate:',
        "  couponFrequency: row.text('Issue').endsWith('MONTHLY') ? 12 : 1,\n  pricing: row.text('Issue').includes('%') ? 'coupon' : 'zero',\n  couponRate:",
      ],
    ],
  },
  'board-days.ts': {
    file: 'board-days.xlsx',
    dataset: quotes,
    answers: [
      ["['?']", "['Summary']"],
      ["type: '?'", "type: row.text('Security').includes('TB') ? 'tbill' : 'bond'"],
      ["couponRate: row.get('Coupon')", "couponRate: row.text('Coupon') === '' ? null : 11.25"],
    ],
  },
  'bank-rows.ts': {
    file: 'bank-rows.csv',
    dataset: agents,
    answers: [
      ["decimal: '?'", "decimal: '.'"],
      ["row.text('?') !== ''", "!row.text('Bank').startsWith('Total')"],
      ["  total: '?', // Total agents, in agents\n", ''],
      ['provinces.All Regions', 'total'],
      ['provinces.Punjab', 'provinces.punjab'],
      ['provinces.Sindh', 'provinces.sindh'],
      ['provinces.KP', 'provinces.kpk'],
      ['provinces.Balochistan', 'provinces.balochistan'],
      ...['Punjab', 'Sindh', 'KP', 'Balochistan', 'All Regions'].map(
        (name) => [`row.get('${name}')`, `row.get('${name}'), '.'`] as const,
      ),
    ],
  },
  'fund-holdings.ts': {
    file: 'fund-holdings.xlsx',
    dataset: fundAllocation,
    answers: [
      [": 'Equity & equity related'", ": 'Equities'"],
      [": 'Debt instruments'", ": 'Corporate debt'"],
      [": 'Government Securities'", ": 'Government securities'"],
      [
        ": 'Treasury Bills',",
        ": 'Government securities',\n  'Net current assets / cash and receivables': 'Cash and receivables',\n  'Cash and cash equivalents': 'Cash and receivables',",
      ],
    ],
  },
  'wide-table.ts': {
    file: 'wide-table.csv',
    dataset: atmYears,
    answers: [
      [
        "decimal: '?', scale: '?'",
        "decimal: '.', scale: { atm_cash: '1e-3', atm_deposit: '1e-3', deposit_instrument: '1e-3', funds_transfer: '1e-3', utility_bills: '1e-3', funds_transfers: '1e-3', total: '1e-3' }",
      ],
      ["'Number of ATMs': '?'", "'Number of ATMs': null"],
    ],
  },
  'json-quotes.ts': {
    file: 'json-quotes.json',
    dataset: quotes,
    answers: [["type: '?'", "type: 'bond'"]],
  },
  'nested-json.ts': {
    file: 'nested-json.json',
    dataset: pos,
    answers: [
      [
        "const PATH = 'data.*.*.transactionData.*.instruments.*'",
        "const PATH = 'data.*.*.transactionData.*'",
      ],
      ["(_item: JsonValue): string => '?'", '({ value }: JsonValue): string => value.name'],
      [
        "({ value }: JsonValue) => '?'",
        '({ value }: JsonValue) => value.instruments[0].count / 1e6',
      ],
      [
        "'?': '?',",
        "'On-us ATM': 'atm', 'Debit card': 'debit_cards', 'Credit card': 'credit_cards', 'Prepaid instrument': 'prepaid_cards', 'Benefit transfer': 'socialwelfare_card',",
      ],
    ],
  },
};

test.each(Object.keys(CASES))(
  'a start for the file of %s is its example, once the questions are answered',
  async (example) => {
    const { file, dataset, answers } = CASES[example] as TemplateCase;
    const content = readFileSync(join(EXAMPLES, 'files', file));
    const { text } = await writeStart(file, content, dataset);
    if (text.includes("'?'"))
      expect(await loadInvalid(file, content, text, dataset)).toEqual([
        expect.stringMatching(/^adapter\.ts line \d+: '\?' is to be filled in/),
      ]);
    const answered = answers.reduce((start, [part, answer]) => {
      expect(start).toContain(part);
      return start.replace(part, () => answer);
    }, text);
    await load(file, content, answered, dataset);
    const revision = await workspace.readRevision();
    await load(file, content, readFileSync(join(EXAMPLES, example), 'utf8'), dataset);
    expect(await workspace.readRecords(dataset)).not.toBeEmpty();
    expect(await workspace.readRevision()).toBe(revision);
  },
);

test('what is below the questions of a start is the text of its example', async () => {
  for (const [example, { file, dataset }] of Object.entries(CASES)) {
    const content = readFileSync(join(EXAMPLES, 'files', file));
    const { text } = await writeStart(file, content, dataset);
    const body = (code: string) => code.slice(code.indexOf('export default'));
    expect(body(text)).toBe(body(readFileSync(join(EXAMPLES, example), 'utf8')));
  }
});

test.each([
  ['fiscal-quarters.csv', atmQuarters],
  ['latin1-semicolons.csv', quotes],
  ['psx-board_2025-06-30.csv', quotes],
  ['rbi-mobile-banking.xlsx', shares],
  ['rbi-settlement.csv', settlement],
  ['strips.csv', quotes],
  ['tesouro.csv', quotes],
  ...Object.values(CASES).map(({ file, dataset }) => [file, dataset] as const),
])('a start for %s loads what its example does, or is rejected', async (file, dataset) => {
  const content = readFileSync(join(EXAMPLES, 'files', file));
  const isRejected = await loadUnanswered(file, content, dataset).then(
    () => true,
    (cause) => {
      expect(cause.message).toBe('the load was not rejected');
      return false;
    },
  );
  if (isRejected) return;
  const example = readFileSync(join(EXAMPLES, file.replace(/\.\w+$/, '.json')), 'utf8');
  const mapping = parseMapping(example, 'example.json');
  await startWorkspace.load(dataset, file, { mapping });
  expect(await startWorkspace.readRevision()).toBe(1);
});
