import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { securities } from '../../src/catalogue/datasets/securities.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';
import type { Store, StoreReader } from '../../src/store/open-store.ts';
import { closeAfterEach } from '../support/close-after-each.ts';
import { readFixture } from '../support/fixtures.ts';
import { encodeRow, getKey, type PublishOptions, publishAt } from '../support/publish-at.ts';
import { type Quote, quote } from '../support/quote-fixture.ts';
import { anyRecordVariant, buildRecord } from '../support/small-dataset.ts';
import { ENGINES, type Engine } from '../support/store.ts';
import { UNKNOWN_TERMS } from '../support/unknown-terms.ts';

const { closing, removing } = closeAfterEach();

const instant = (revision: number) => `2026-01-01T00:00:00.${String(revision).padStart(3, '0')}Z`;

for (const { name: engine, createStore, datasets, scaleRuns } of ENGINES) {
  const openStore = async () => removing(await createStore());

  test(`${engine}: an empty store has no coverage, securities or funds`, async () => {
    const reader = closing((await openStore()).reader());
    const noCoverage = { first: null, last: null, count: 0, lastRevision: null };
    for (const asOf of [undefined, 0]) {
      expect(await reader.coverage(catalogue, asOf)).toEqual({
        revision: 0,
        entries: catalogue.map((dataset) => ({ dataset, ...noCoverage })),
      });
      expect(await reader.securities(quotes, asOf)).toEqual({ revision: 0, entries: [] });
      expect(await reader.funds(fundAllocation, asOf)).toEqual({ revision: 0, entries: [] });
    }
  });

  describe.each(datasets.map((dataset) => [dataset.name, dataset] as const))(
    `${engine}: the coverage of %s`,
    (_, dataset) => {
      const [a = {}] = readFixture(dataset);
      const other = dataset === quotes ? fundAllocation : quotes;

      test('has the last revision of the dataset, not of others', async () => {
        const store = await openStore();
        const metadata = { source: 'a "file".csv', sample: true };
        await publishAt(store, instant(1), dataset, { records: [a], ...metadata });
        await publishAt(store, instant(2), other, { records: [other.example] });
        const reader = closing(store.reader());
        const { revision, entries } = await reader.coverage([other, dataset]);
        expect(revision).toBe(2);
        expect(entries.map((coverage) => coverage.dataset)).toEqual([other, dataset]);
        const lastRevision = { revision: 1, publishedAt: instant(1), ...metadata };
        expect(entries[1]?.lastRevision).toEqual(lastRevision);
        expect(entries[0]?.lastRevision).toMatchObject({ revision: 2, sample: false });
        const before = await reader.coverage([other, dataset], 1);
        expect(before.entries[0]).toMatchObject({ count: 0, lastRevision: null });
        expect(before).toMatchObject({ revision: 1, entries: [{}, { lastRevision }] });
      });
    },
  );

  test(`${engine}: the coverage of a dataset agrees with its records in any history`, async () => {
    const variants = fc.uniqueArray(anyRecordVariant, {
      selector: ({ slot }) => slot,
      maxLength: 4,
    });
    const step = fc.record({ put: variants, retire: variants, replace: fc.boolean() });
    const steps = fc.array(step, { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...catalogue), steps, async (dataset, history) => {
        const changes = history.map(({ put, retire, replace }): PublishOptions => {
          const slots = put.map(({ slot }) => slot);
          const records = put.map((variant) => buildRecord(dataset, variant));
          const retiredKeys = retire
            .filter(({ slot }) => !slots.includes(slot))
            .map((variant) => getKey(dataset, buildRecord(dataset, variant)));
          return replace ? { records, replace } : { records, retiredKeys };
        });
        await expectAllAfter(createStore, dataset, changes);
      }),
      { numRuns: scaleRuns(20) },
    );
  });

  describe(`${engine}: securities`, () => {
    test('are listed by symbol in byte order, matured ones included, with their newest quote', async () => {
      const store = await openStore();
      const first = quote({ symbol: 'ZED', date: '2024-01-01', isin: 'ZZ1', type: 'bond' });
      await store.publish(quotes, [
        { ...first, date: '2024-01-02', isin: 'ZZ2', maturityDate: '2030-01-01' },
        first,
        quote({ symbol: 'aaa', date: '2024-01-02' }),
        quote({ symbol: 'É', date: '2024-01-02' }),
        quote({ symbol: 'MATURED', date: '2019-01-01', maturityDate: '2019-06-30' }),
      ]);
      const { revision, entries } = await closing(store.reader()).securities(quotes);
      expect(revision).toBe(1);
      expect(entries.map(({ symbol }) => symbol)).toEqual(['MATURED', 'ZED', 'aaa', 'É']);
      expect(entries[0]).toMatchObject({ firstDate: '2019-01-01', lastDate: '2019-01-01' });
      expect(JSON.stringify(entries[1])).toBe(
        '{"symbol":"ZED","isin":"ZZ2","type":"bond","maturityDate":"2030-01-01","firstDate":"2024-01-01","lastDate":"2024-01-02","name":null,"issuer":null,"issueDate":null,"couponRate":null,"couponFrequency":null,"pricing":null,"floating":null,"dayCount":null,"exDividendDays":null,"settlementDays":null,"calendar":null,"firstCouponDate":null,"lastCouponDate":null,"endOfMonth":null,"lastPeriodYield":null,"firstPeriodYield":null,"accrual":null}',
      );
    });

    test('have the reference data of their symbol, else of their ISIN, each of which is listed once', async () => {
      const store = await openStore();
      const [one, two] = ['ZZ0000000016', 'ZZ0000000024'];
      await store.publish(quotes, [
        quote({ symbol: 'A', isin: one }),
        quote({ symbol: 'B', isin: two }),
        quote({ symbol: 'C', isin: 'none' }),
      ]);
      const empty = Object.fromEntries(Object.keys(securities.fields).map((name) => [name, null]));
      await store.publish(
        securities,
        ['a', one, two.toLowerCase(), 'none', 'unquoted'].map((symbol) => ({
          ...empty,
          symbol,
          name: `of ${symbol}`,
        })),
      );
      const { entries } = await closing(store.reader()).securities(quotes);
      expect(entries.map(({ symbol, name }) => [symbol, name])).toEqual([
        ['A', 'of a'],
        ['B', 'of zz0000000024'],
        ['C', null],
        ['none', 'of none'],
        ['unquoted', 'of unquoted'],
      ]);
    });

    test('include one that has no quotes, in its place', async () => {
      const store = await openStore();
      await store.publish(quotes, [quote({ symbol: 'B', isin: 'ZZ2' })]);
      await store.publish(securities, [{ ...securities.example, symbol: 'A', isin: 'ZZ1' }]);
      const { entries } = await closing(store.reader()).securities(quotes);
      expect(entries.map(({ symbol }) => symbol)).toEqual(['A', 'B']);
    });

    test('that a change publishes are listed when it is staged', async () => {
      const store = await openStore();
      await store.publish(quotes, readFixture(quotes));
      const publisher = closing(store.publisher());
      const symbols = await publisher.transaction(async (transaction) => {
        const rows = [[encodeRow(quotes, quote({ symbol: 'OWN' }))]];
        await transaction.stage({ dataset: quotes, source: 'test', author: 'test', rows });
        const { entries } = await transaction.securities(quotes);
        transaction.abandon();
        return entries.map(({ symbol }) => symbol);
      });
      expect(symbols).toContain('OWN');
    });

    test('agree with their quotes in any history', async () => {
      const anyQuote = fc
        .record({
          symbol: fc.constantFrom('AB', 'ab', 'aB', 'C', 'd', 'É'),
          date: fc.constantFrom('2025-12-31', '2026-01-01', '2026-02-28'),
          isin: fc.constantFrom('ZZ1', 'ZZ2'),
          type: fc.constantFrom('bond', 'tbill'),
        })
        .map((parts) => quote(parts as Partial<Quote>));
      const selector = ({ date, symbol }: Quote) => date + symbol;
      const several = fc.uniqueArray(anyQuote, { selector, maxLength: 8 });
      const step = fc.record({ records: several, replace: fc.boolean() });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), (history) =>
          expectAllAfter(createStore, quotes, history),
        ),
        { numRuns: scaleRuns(15) },
      );
    });
  });

  describe(`${engine}: funds`, () => {
    test('are listed by identifier with their first and last period', async () => {
      const store = await openStore();
      const period = (label: string, date: string) => ({ label, date });
      const fund = (fund_id: string, ...periods: { label: string; date: string }[]) => ({
        ...fundAllocation.example,
        fund_id,
        periods,
        rows: [{ label: 'Cash', values: periods.map(() => 1) }],
      });
      await store.publish(fundAllocation, [
        fund('b', period('March', '2026-03-31'), period('May', '2026-05-31')),
        fund('C'),
        fund('a', period('only', '2026-06-30')),
      ]);
      const reader = closing(store.reader());
      expect((await reader.funds(fundAllocation)).entries).toEqual([
        {
          fund_id: 'a',
          frequency: 'monthly',
          firstPeriod: period('only', '2026-06-30'),
          lastPeriod: period('only', '2026-06-30'),
          ...NO_NAMES,
        },
        {
          fund_id: 'b',
          frequency: 'monthly',
          firstPeriod: period('March', '2026-03-31'),
          lastPeriod: period('May', '2026-05-31'),
          ...NO_NAMES,
        },
        { fund_id: 'C', frequency: 'monthly', firstPeriod: null, lastPeriod: null, ...NO_NAMES },
      ]);
      const [coverage] = (await reader.coverage([fundAllocation])).entries;
      expect(coverage).toMatchObject({ first: '2026-03-31', last: '2026-06-30', count: 3 });
      expect(coverage?.lastByFrequency).toEqual([{ frequency: 'monthly', date: '2026-06-30' }]);
      await publishAt(store, Date.now(), fundAllocation, { records: [fund('C')], replace: true });
      const [without] = (await reader.coverage([fundAllocation])).entries;
      expect(without).toMatchObject({ first: null, last: null, count: 1 });
    });
  });

  test(`${engine}: a transaction discovers its own uncommitted records`, async () => {
    const store = await openStore();
    const reader = closing(store.reader());
    await closing(store.publisher()).transaction(async (transaction) => {
      const rows = [[encodeRow(quotes, quotes.example)]];
      await transaction.publish({ dataset: quotes, rows, source: 's', author: 'a' });
      expect((await transaction.securities(quotes)).entries).toHaveLength(1);
      expect((await transaction.coverage([quotes])).entries[0]?.count).toBe(1);
      expect((await reader.securities(quotes)).entries).toHaveLength(0);
    });
    expect((await reader.securities(quotes)).entries).toHaveLength(1);
  });
}

/** Publishes changes of a dataset to a new store, and expects discovery to agree with them. */
async function expectAllAfter(
  createStore: Engine['createStore'],
  dataset: Dataset,
  changes: readonly PublishOptions[],
): Promise<void> {
  await using store = await createStore();
  let revision = 0;
  for (const change of changes) {
    if (await publishAt(store, instant(revision + 1), dataset, change)) revision++;
  }
  await expectAll(store, dataset, revision);
}

/** Expects coverage, securities and funds to agree with the records, at every revision. */
async function expectAll(store: Store, dataset: Dataset, newest: number): Promise<void> {
  const reader = store.reader();
  for (const asOf of [undefined, ...Array(newest + 1).keys()]) {
    const revision = asOf ?? newest;
    const records = await readRecords(reader, dataset, asOf);
    const result = await reader.coverage([dataset], asOf);
    const [{ lastRevision: _, lastByFrequency: __, ...coverage } = { lastRevision: null }] =
      result.entries;
    expect(result.revision).toBe(revision);
    expect<object>(coverage).toEqual({
      dataset,
      ...findBounds(dataset, records),
      count: records.length,
    });
    if (dataset === quotes) {
      const entries = summarizeSecurities(records as Quote[]);
      expect<object>(await reader.securities(dataset, asOf)).toEqual({ revision, entries });
    }
    if (dataset === fundAllocation) {
      const funds = await reader.funds(dataset, asOf);
      const ids = records.map(({ fund_id }) => String(fund_id));
      expect(funds.revision).toBe(revision);
      expect(funds.entries.map(({ fund_id }) => fund_id)).toEqual(ids);
    }
  }
  reader.close();
}

/** The reference data of a fund that has none. */
const NO_NAMES = { name: null, category: null, manager: null };

/** The first and last date or label of records, which are sorted newest first, except funds. */
function findBounds({ shape, period }: Dataset, records: readonly AnyRecord[]) {
  if (shape === 'reference') return { first: null, last: null };
  const labels =
    shape === 'fund'
      ? records
          .flatMap(({ periods }) => (periods as { date: string }[]).map(({ date }) => date))
          .toSorted()
          .toReversed()
      : records.map((record) => String(record[period?.field ?? 'date']));
  return { first: labels.at(-1) ?? null, last: labels[0] ?? null };
}

/** The securities of quotes, which are sorted newest first. */
function summarizeSecurities(records: readonly Quote[]) {
  const symbols = [...new Set(records.map(({ symbol }) => symbol))];
  symbols.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return symbols.map((symbol) => {
    const history = records.filter((record) => record.symbol === symbol);
    const { isin, type, maturityDate, date: lastDate } = history[0] as Quote;
    const firstDate = history.at(-1)?.date;
    return { symbol, isin, type, maturityDate, firstDate, lastDate, ...UNKNOWN_TERMS };
  });
}

async function readRecords(reader: StoreReader, dataset: Dataset, asOf?: number) {
  const texts = (await Array.fromAsync(reader.records(dataset, asOf))).flat();
  return texts.map((text) => JSON.parse(text) as AnyRecord);
}
