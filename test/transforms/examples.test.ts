import { expect, test } from 'bun:test';
import { ivrBankingAnnualValue } from '../../src/catalogue/datasets/series/index.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { createInProcessServer } from '../../src/http/server/in-process-server.ts';
import { closeAfterEach } from '../support/close-after-each.ts';
import { parseRecords } from '../support/follow-links.ts';
import { createStore } from '../support/store.ts';
import { useDeclaredServer } from './declared-server.ts';

const { closing, removing } = closeAfterEach();
const VALUE = { field: 'value', title: 'Value', unit: 'PKR billion', kind: 'flow' } as const;
const STOCK = { ...VALUE, field: 'stock', kind: 'stock' } as const;

const { getRecords } = useDeclaredServer([
  [
    {
      name: 'months',
      title: 'Months',
      period: { kind: 'month', field: 'month' },
      dimensions: [{ field: 'bank', title: 'Bank' }],
      measures: [VALUE, STOCK],
      status: true,
    },
    [
      { month: 'Jan 2026', bank: 'A', value: 0.1, stock: 1, status: 'E' },
      { month: 'Jan 2026', bank: 'B', value: 5, stock: 1, status: 'A' },
      { month: 'Feb 2026', bank: 'A', value: 0.2, stock: 2, status: 'P' },
      { month: 'Feb 2026', bank: 'B', value: null, stock: null, status: 'A' },
      { month: 'Mar 2026', bank: 'A', value: 0.4, stock: null, status: 'A' },
      { month: 'Mar 2026', bank: 'B', value: 7, stock: 3, status: 'A' },
      { month: 'Apr 2026', bank: 'B', value: 1, stock: 4, status: 'A' },
      { month: 'May 2026', bank: 'A', value: 1, stock: 4, status: 'A' },
    ],
  ],
  [
    { name: 'days', title: 'Days', period: { kind: 'day', field: 'day' }, measures: [VALUE] },
    ['2025-03-02', '2025-03-10', '2026-03-09', '2026-03-10'].map((day, index) => ({
      day,
      value: 100 + index,
    })),
  ],
]);

test('sums are exact; a measure is null if one of its figures is, and status is that of the newest marked record', async () => {
  const counts = { observed: 3, expected: 3 };
  const newest = {
    month: 'Q2 2026',
    value: null,
    stock: null,
    status: 'A',
    expected: 3,
    observed: 1,
  };
  const expected = [
    { ...newest, bank: 'A' },
    { ...newest, bank: 'B' },
    { month: 'Q1 2026', bank: 'A', value: 0.7, stock: null, status: 'P', ...counts, observed: 2 },
    { month: 'Q1 2026', bank: 'B', value: null, stock: null, status: 'A', ...counts, observed: 2 },
  ];
  expect(await getRecords('/datasets/months?frequency=quarter')).toEqual(expected);
  expect(await getRecords('/datasets/months?frequency=quarter&sort=asc')).toEqual([
    ...expected.slice(2),
    ...expected.slice(0, 2),
  ]);
});

test('a day is compared with one up to seven days before the same date, though no page has it', async () => {
  const [first] = await getRecords('/datasets/days?units=ch1&from=2026-03-09&to=2026-03-09');
  expect(first).toEqual({ day: '2026-03-09', value: 2 });
  const [last] = await getRecords('/datasets/days?units=pc1&from=2026-03-10');
  expect(last?.value).toBeCloseTo((103 / 101 - 1) * 100, 12);
});

test('an end before 1970 is not earlier than a start that is not given', async () => {
  const days = await getRecords('/datasets/days?to=1960-01-01');
  expect(days).toEqual([]);
});

test('a record that is not aggregated keeps the label that was published', async () => {
  const store = removing(await createStore());
  const { example } = ivrBankingAnnualValue;
  const years = ['FY24', 'FY25'].map((year) => ({ ...example, year }));
  await store.publish(ivrBankingAnnualValue, years);
  const server = closing(await createInProcessServer(store, catalogue));
  const response = await server.get('/datasets/ivr-banking-annual-value?units=chg');
  expect(parseRecords(await response.text())).toMatchObject([
    { year: 'FY25', total: 0 },
    { year: 'FY24', total: null },
  ]);
});
