import { afterEach, beforeEach, expect, test } from 'bun:test';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { onlineBankingAnnualVolume } from '../../src/catalogue/datasets/series/online-banking-annual-volume.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { createDeclaredDataset } from '../../src/catalogue/model/create-dataset.ts';
import { PublishError } from '../../src/publish/errors.ts';
import { publishRecords } from '../../src/publish/publish-records.ts';
import { retireQuotes, retireRecords } from '../../src/publish/retire-records.ts';
import { revertRevision } from '../../src/publish/revert-revision.ts';
import type { Publisher } from '../../src/store/open-store.ts';
import { declareIn, KIBOR, KIBOR_RECORDS } from '../support/declared-rates.ts';
import { quote } from '../support/quote-fixture.ts';
import { createStore, type TestStore } from '../support/store.ts';

let store: TestStore;
let publisher: Publisher;
beforeEach(async () => {
  store = await createStore();
  await store.publish(quotes, [quote({ symbol: 'a/b' }), quote({ symbol: 'A/B' })]);
  await store.publish(fundAllocation, [{ ...fundAllocation.example, fund_id: 'fund-a' }]);
  const { example } = onlineBankingAnnualVolume;
  await store.publish(onlineBankingAnnualVolume, [{ ...example, year: '2023-24' }]);
  publisher = store.publisher();
});
afterEach(async () => {
  publisher.close();
  await store.remove();
});

const { date } = quotes.example;

test('a record that is named twice, in one or two spellings, is retired once', async () => {
  for (const [dataset, keys] of [
    [quotes, [`${date}/a/b`, `${date}/a/b`]],
    [fundAllocation, ['fund-a', 'FUND-A']],
    [onlineBankingAnnualVolume, ['2023-24', '2023-2024']],
  ] as const) {
    expect(await retireRecords(publisher, { dataset, keys, author: 'test' })).toMatchObject({
      retired: 1,
    });
  }
});

test.each(['2024', 'FY24'])(
  'a year is not retired by %s, a label of another kind, and the label of the record is named',
  async (label) => {
    const options = { dataset: onlineBankingAnnualVolume, keys: ['2023-24', label] };
    const retiring = retireRecords(publisher, { ...options, author: 'test' });
    await expect(retiring).rejects.toThrow(
      `online-banking-annual-volume has no record ${label}, but 2023-24; nothing was retired`,
    );
  },
);

test('a key without a record is named, and nothing is retired', async () => {
  const keys = [`${date}/a/b`, `${date}/nobody`];
  const retiring = retireRecords(publisher, { dataset: quotes, keys, author: 'test' });
  await expect(retiring).rejects.toThrow(PublishError);
  await expect(retiring).rejects.toThrow(`no record ${date}/nobody`);
  expect(await publisher.revisions()).toHaveLength(3);
});

test('a dry run reports what would be retired, and retires nothing', async () => {
  const keys = [`${date}/A/B`];
  const request = { dataset: quotes, keys, author: 'test', isDryRun: true };
  expect(await retireRecords(publisher, request)).toMatchObject({ retired: 1 });
  expect(await publisher.revisions()).toHaveLength(3);
});

test('the quotes of a symbol are retired by it, on all days or some', async () => {
  const days = ['2026-01-01', '2026-01-02', '2026-01-03'];
  await store.publish(
    quotes,
    days.flatMap((day) => [quote({ date: day, symbol: 'X' }), quote({ date: day, symbol: 'x' })]),
  );
  const author = 'test';
  const some = { symbol: 'X', from: '2026-01-02', to: '2026-01-02', author };
  expect(await retireQuotes(publisher, { ...some, isDryRun: true })).toMatchObject({ retired: 1 });
  expect(await retireQuotes(publisher, some)).toMatchObject({
    retired: 1,
    source: 'retired by symbol: X from 2026-01-02 to 2026-01-02',
  });
  expect(await retireQuotes(publisher, { symbol: 'X', author })).toMatchObject({ retired: 2 });
  const { records } = await publisher.transaction(async (transaction) =>
    transaction.read({
      kind: 'quotes',
      dataset: quotes,
      security: 'X',
      limit: 9,
      dateRange: ['2026-01-01', '2026-01-03'],
    }),
  );
  expect(JSON.parse(`[${records}]`).map(({ symbol }: { symbol: string }) => symbol)).toEqual([
    'x',
    'x',
    'x',
  ]);
  await expect(
    retireQuotes(publisher, { symbol: 'X', from: '2026-01-01', author }),
  ).rejects.toThrow(
    new PublishError('quotes has none of the symbol X from 2026-01-01; nothing was retired'),
  );
  await expect(retireQuotes(publisher, { symbol: quotes.example.isin, author })).rejects.toThrow(
    'none',
  );
  // In pages of two.
  const paged = {
    ...publisher,
    transaction: ((callback) =>
      publisher.transaction((transaction) =>
        callback({
          ...transaction,
          read: (selection) => transaction.read({ ...selection, limit: 2 } as typeof selection),
        }),
      )) as Publisher['transaction'],
  };
  expect(await retireQuotes(paged, { symbol: 'x', author })).toMatchObject({ retired: 3 });
});

test('what reverts sample data is sample data', async () => {
  const sample = { dataset: quotes, records: [quote({ symbol: 'S' })], sample: true };
  await publisher.transaction((transaction) =>
    publishRecords(transaction, { ...sample, source: 'sample', author: 'test' }),
  );
  for (const [revision, isSample] of [
    [4, true],
    [1, false],
  ] as const) {
    const reverted = await revertRevision(publisher, catalogue, { revision, author: 'test' });
    expect(reverted.revision).toMatchObject({
      sample: isSample,
      source: `revert of revision ${revision}`,
    });
  }
});

test('a record with dimensions is retired by its period and values, which may have slashes', async () => {
  const dimensions = ['tenor', 'side'].map((field) => ({ field, title: field }));
  const dataset = createDeclaredDataset({ ...KIBOR, dimensions });
  const values = [
    ['1M', 'a'],
    ['1M/x', 'y'],
    ['1M', 'x/y'],
    ['6M', '%/%2F'],
  ];
  await declareIn(store, { ...KIBOR, dimensions });
  await store.publish(
    dataset,
    values.map(([tenor, side]) => ({ ...KIBOR_RECORDS[0], tenor, side })),
  );
  const retire = async (...keys: readonly string[]) =>
    retireRecords(publisher, { dataset, keys, author: 'test' });
  expect(await retire('2026-06-03/1M/a', '2026-06-03/6M/%/%2F')).toMatchObject({ retired: 2 });
  await expect(retire('2026-06-03/1M/x/y')).rejects.toThrow('is the key of 2 records');
  await expect(retire('2026-06-03/1M/a')).rejects.toThrow('no record 2026-06-03/1M/a');
  await expect(retire('2026-06-03')).rejects.toThrow(
    'no key of kibor: it must be date/tenor/side, such as 2026-06-30/A/A',
  );
});
