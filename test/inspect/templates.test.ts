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
import { answer, OPEN_ADAPTER, useStartLoader } from './start-loader.ts';

const EXAMPLES = join(import.meta.dirname, '../../examples');
const { workspace: startWorkspace, writeStart, loadUnanswered } = useStartLoader();
const { workspace, load, loadInvalid } = useAdapterLoader({ isInProcess: true });

interface TemplateCase {
  readonly file: string;
  readonly dataset: Dataset;
  /** Parts of the start, and what a person writes for them. */
  readonly answers: readonly (readonly [part: string, answer: string])[];
}

const NO_ORDERS = ['bidPrice', 'askPrice', 'bidVolume', 'askVolume'];
const toZeros = (fields: readonly string[]) =>
  fields.map((field) => [`${field}: '?'`, `${field}: 0`] as const);

const CASES: Readonly<Record<string, TemplateCase>> = {
  'coupon-in-name.ts': {
    file: 'coupon-in-name_2025-06-30.csv',
    dataset: quotes,
    answers: [
      ["row.text('?')", "row.text('ISIN')"],
      ["date: '?'", "date: findDate(file.name) ?? ''"],
      ["symbol: '?'", "symbol: row.get('ISIN')"],
      ["type: '?'", "type: 'corporate'"],
      ["maturityDate: '?'", "maturityDate: findDate(row.text('Issue')) ?? ''"],
      ...toZeros(NO_ORDERS),
      [
        "volume: '?',",
        "volume: row.get('Traded Value'), couponRate: findPercentage(row.text('Issue')) ?? null, couponFrequency: row.text('Issue').endsWith('MONTHLY') ? 12 : 1, pricing: row.text('Issue').includes('%') ? 'coupon' : 'zero',",
      ],
    ],
  },
  'board-days.ts': {
    file: 'board-days.xlsx',
    dataset: quotes,
    answers: [
      ["dataset: 'quotes'", "dataset: 'quotes', blank: 'zero'"],
      ["['?']", "['Summary']"],
      ["row.text('?')", "row.text('Matures')"],
      ["date: '?'", 'date'],
      ["type: '?'", "type: row.text('Security').includes('TB') ? 'tbill' : 'bond'"],
      ...toZeros(['bidVolume', 'askVolume']),
      ["couponRate: row.get('Coupon')", "couponRate: row.text('Coupon') === '' ? null : 11.25"],
    ],
  },
  'bank-rows.ts': {
    file: 'bank-rows.csv',
    dataset: agents,
    answers: [
      ["row.text('?') !== ''", "!row.text('Bank').startsWith('Total')"],
      ["total: '?'", "total: parseNumber(row.get('All Regions'), '.')"],
      [
        "provinces: '?',",
        ['punjab', 'sindh', 'KP', 'balochistan']
          .map((name) => [name.replace('KP', 'kpk'), `${name[0]?.toUpperCase()}${name.slice(1)}`])
          .map(([key, name]) => `'provinces.${key}': parseNumber(row.get('${name}'), '.'),`)
          .join(' '),
      ],
    ],
  },
  'fund-holdings.ts': {
    file: 'fund-holdings.xlsx',
    dataset: fundAllocation,
    answers: [
      ["(sheet: Sheet) => '?'", '(sheet: Sheet) => sheet.name'],
      ["related': '?'", "related': 'Equities'"],
      ["instruments': '?'", "instruments': 'Corporate debt'"],
      ["Securities': '?'", "Securities': 'Government securities'"],
      ["'Treasury Bills': '?'", "'Treasury Bills': 'Government securities'"],
      ["and receivables': '?'", "and receivables': 'Cash and receivables'"],
      ["cash equivalents': '?'", "cash equivalents': 'Cash and receivables'"],
    ],
  },
  'wide-table.ts': {
    file: 'wide-table.csv',
    dataset: atmYears,
    answers: [
      [
        "scale: '?'",
        "scale: { atm_cash: '1e-3', atm_deposit: '1e-3', deposit_instrument: '1e-3', funds_transfer: '1e-3', utility_bills: '1e-3', funds_transfers: '1e-3', total: '1e-3' }",
      ],
      ["'Own-account transfers': '?'", "'Own-account transfers': 'funds_transfer'"],
      ["'Bill payments': '?'", "'Bill payments': 'utility_bills'"],
      ["'Third-party transfers': '?'", "'Third-party transfers': 'funds_transfers'"],
      ["'Number of ATMs': '?'", "'Number of ATMs': null"],
      ["parsePeriod('?'", 'parsePeriod(/^(.+) Volume$/.exec(column)?.[1]'],
    ],
  },
  'json-quotes.ts': {
    file: 'json-quotes.json',
    dataset: quotes,
    answers: [
      ["date: '?'", 'date: value.traded.slice(0, 10)'],
      ["symbol: '?'", "symbol: keys[0] ?? ''"],
      ["type: '?'", "type: 'bond'"],
      ...toZeros(['bidVolume', 'askVolume']),
    ],
  },
  'nested-json.ts': {
    file: 'nested-json.json',
    dataset: pos,
    answers: [
      [
        "const PATH = 'data.*.*.transactionData.*.instruments.*'",
        "const PATH = 'data.*.*.transactionData.*'",
      ],
      [
        "(item: JsonValue) => '?'",
        "(item: JsonValue) => ['Q', item.keys[1], ' ', item.keys[0]].join('')",
      ],
      ["(item: JsonValue): string => '?'", '(item: JsonValue): string => item.value.name'],
      ["(item: JsonValue) => '?'", '(item: JsonValue) => item.value.instruments[0].count / 1e6'],
      [
        "'?': '?'",
        "'On-us ATM': 'atm', 'Debit card': 'debit_cards', 'Credit card': 'credit_cards', 'Prepaid instrument': 'prepaid_cards', 'Benefit transfer': 'socialwelfare_card'",
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
    expect(await loadInvalid(file, content, text, dataset)).toEqual(OPEN_ADAPTER);
    const answered = answer(...answers)(text);
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
