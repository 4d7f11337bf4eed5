import { expect, test } from 'bun:test';
import { fundAllocation } from '../../../src/catalogue/datasets/fund-allocation.ts';
import { funds } from '../../../src/catalogue/datasets/funds.ts';
import { securities } from '../../../src/catalogue/datasets/securities.ts';
import { mobileMoneyMarketShareValue as shares } from '../../../src/catalogue/datasets/series/index.ts';
import type { RecordIn } from '../../../src/publish/adapter/package-entry.ts';
import { useAdapterLoader } from './adapter-loader.ts';

const { read, loadInvalid } = useAdapterLoader({ isInProcess: true });
const yielding = (...records: readonly object[]) =>
  `export default () => ${JSON.stringify(records)};`;

test('records that RecordIn accepts are loaded: lists in three forms, classes of funds, terms', async () => {
  const list: RecordIn<typeof shares> = {
    period: 'Jan 2024',
    operators: [{ key: 'A', value: 1 }],
  };
  const columns: RecordIn<typeof shares> = { period: 'Feb 2024', 'operators.A': '100%' };
  const row: RecordIn<typeof shares> = {
    period: 'Mar 2024',
    'operators:key': 'A',
    'operators:value': 1,
  };
  expect(await read('a.txt', 'x', yielding(list, columns, row), shares)).toHaveLength(3);
  const fundClass: RecordIn<typeof fundAllocation> = {
    fund_id: 'F',
    date: '2026-06-30',
    class: 'Cash',
    value: '100',
  };
  expect(await read('a.txt', 'x', yielding(fundClass), fundAllocation)).toHaveLength(1);
  const terms: RecordIn<typeof securities> = { symbol: 'A', couponRate: '5', floating: true };
  expect(await read('a.txt', 'x', yielding(terms), securities)).toMatchObject([
    { symbol: 'A', couponRate: 5, floating: true, name: null },
  ]);
});

test('records that RecordIn rejects are rejected by a load: other names, missing fields', async () => {
  // @ts-expect-error: the list is called operators.
  const otherList: RecordIn<typeof shares> = { period: 'Jan 2024', 'operator.A': 1 };
  expect(await loadInvalid('a.txt', 'x', yielding(otherList), shares)).toContain(
    'a.txt record 1, operator.A: 1 must be absent: the dataset has no such field',
  );
  // @ts-expect-error: the fund is missing.
  const withoutKey: RecordIn<typeof funds> = { name: 'A fund' };
  const [problem] = await loadInvalid('a.txt', 'x', yielding(withoutKey), funds);
  expect(problem).toStartWith('a.txt record 1, fund_id: missing; must be text');
});
