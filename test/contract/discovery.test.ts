import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';
import { revertRevision } from '../../src/publish/revert-revision.ts';
import { getStorageTable } from '../../src/schema/storage-table.ts';
import type { Store, StoreQueries } from '../../src/store/open-store.ts';
import { closeAfterEach } from '../support/close-after-each.ts';
import { readFixture } from '../support/fixtures.ts';
import { buildCorrection, getKey, type PublishOptions, publishAt } from '../support/publish-at.ts';
import { type Quote, quote } from '../support/quote-fixture.ts';
import { anyRecordVariant, buildRecord } from '../support/small-dataset.ts';
import { ENGINES } from '../support/store.ts';

const { closing, removing } = closeAfterEach();

const instant = (revision: number) => `2026-01-01T00:00:00.${String(revision).padStart(3, '0')}Z`;

for (const { name: engine, createStore, scaleRuns } of ENGINES) {
  const freshStore = async () => removing(await createStore());

  test(`${engine}: an empty store covers nothing, and has no securities and no funds`, async () => {
    const reader = closing((await freshStore()).reader());
    const nothing = { first: null, last: null, count: 0, lastRevision: null };
    for (const asOf of [undefined, 0]) {
      expect(await reader.coverage(catalogue, asOf)).toEqual({
        revision: 0,
        entries: catalogue.map((dataset) => ({ dataset, ...nothing })),
      });
      expect(await reader.securities(quotes, asOf)).toEqual({ revision: 0, entries: [] });
      expect(await reader.funds(fundAllocation, asOf)).toEqual({ revision: 0, entries: [] });
    }
  });

  describe.each(catalogue.map((dataset) => [dataset.name, dataset] as const))(
    `${engine}: what %s covers`,
    (_, dataset) => {
      const [a = {}, ...others] = readFixture(dataset);
      const other = dataset === quotes ? fundAllocation : quotes;

      test('follows what is added, corrected, retired, replaced and reverted', async () => {
        const store = await freshStore();
        const steps: PublishOptions[] = [
          { records: [a] },
          { records: others },
          { records: [buildCorrection(dataset, a)] },
          { retiredKeys: [getKey(dataset, a)] },
          { records: [a], replace: true },
          { records: [], replace: true },
        ];
        for (const [index, told] of steps.entries()) {
          await publishAt(store, instant(index + 1), dataset, told);
        }
        const publisher = closing(store.publisher());
        for (const revision of [6, 5]) {
          await revertRevision(publisher, catalogue, { revision, author: 'test' });
        }
        const counts = [0, 1, others.length + 1, others.length + 1, others.length, 1, 0, 1];
        const reader = closing(store.reader());
        for (const [asOf, count] of [...counts, others.length].entries()) {
          const [coverage] = (await reader.coverage([dataset], asOf)).entries;
          expect(coverage?.count).toBe(count);
        }
        await expectAll(store, dataset, counts.length);
      });

      test('names the last revision that changed it, and is untouched by others', async () => {
        const store = await freshStore();
        const about = { source: 'a "file".csv', sample: true };
        await publishAt(store, instant(1), dataset, { records: [a], ...about });
        await publishAt(store, instant(2), other, { records: [other.example] });
        const reader = closing(store.reader());
        const { revision, entries } = await reader.coverage([other, dataset]);
        expect(revision).toBe(2);
        expect(entries.map((coverage) => coverage.dataset)).toEqual([other, dataset]);
        const lastRevision = { revision: 1, publishedAt: instant(1), ...about };
        expect(entries[1]?.lastRevision).toEqual(lastRevision);
        expect(entries[0]?.lastRevision).toMatchObject({ revision: 2, sample: false });
        const before = await reader.coverage([other, dataset], 1);
        expect(before.entries[0]).toMatchObject({ count: 0, lastRevision: null });
        expect(before).toMatchObject({ revision: 1, entries: [{}, { lastRevision }] });
      });
    },
  );

  test(`${engine}: what a dataset covers is in any history what its records tell`, async () => {
    const touches = fc.uniqueArray(anyRecordVariant, {
      selector: ({ slot }) => slot,
      maxLength: 4,
    });
    const step = fc.record({ put: touches, retire: touches, replace: fc.boolean() });
    const steps = fc.array(step, { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...catalogue), steps, async (dataset, history) => {
        const store = await createStore();
        let revision = 0;
        for (const { put, retire, replace } of history) {
          const slots = put.map(({ slot }) => slot);
          const records = put.map((touch) => buildRecord(dataset, touch));
          const retired = retire
            .filter(({ slot }) => !slots.includes(slot))
            .map((touch) => getKey(dataset, buildRecord(dataset, touch)));
          const told = replace ? { records, replace } : { records, retired };
          if (await publishAt(store, instant(revision + 1), dataset, told)) revision++;
        }
        await expectAll(store, dataset, revision);
        await store.remove();
      }),
      { numRuns: scaleRuns(40) },
    );
  });

  describe(`${engine}: securities`, () => {
    test('are all that were ever quoted, by symbol in byte order, as of their newest quote', async () => {
      const store = await freshStore();
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
        '{"symbol":"ZED","isin":"ZZ2","type":"bond","maturityDate":"2030-01-01","firstDate":"2024-01-01","lastDate":"2024-01-02"}',
      );
    });

    test('are told apart where their symbols differ only in letter case', async () => {
      const store = await freshStore();
      const days = ['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04'];
      const spelled = ['abc', 'ABC', 'aBC', 'ABC'];
      await store.publish(
        quotes,
        days.map((date, index) => quote({ date, symbol: spelled[index] as string })),
      );
      const { entries } = await closing(store.reader()).securities(quotes);
      expect(
        entries.map(({ symbol, firstDate, lastDate }) => [symbol, firstDate, lastDate]),
      ).toEqual([
        ['ABC', '2026-01-02', '2026-01-04'],
        ['aBC', '2026-01-03', '2026-01-03'],
        ['abc', '2026-01-01', '2026-01-01'],
      ]);
    });

    test('are in any history what their quotes tell', async () => {
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
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (history) => {
          const store = await createStore();
          let revision = 0;
          for (const told of history) {
            if (await publishAt(store, instant(revision + 1), quotes, told)) revision++;
          }
          await expectAll(store, quotes, revision);
          await store.remove();
        }),
        { numRuns: scaleRuns(25) },
      );
    });
  });

  describe(`${engine}: funds`, () => {
    test('are all there are, by identifier, with their outermost periods or none', async () => {
      const store = await freshStore();
      const period = (label: string, date: string) => ({ label, date });
      const fund = (fund_id: string, ...periods: { label: string; date: string }[]) => ({
        ...fundAllocation.example,
        fund_id,
        periods,
        rows: [],
      });
      await store.publish(fundAllocation, [
        fund('b', period('March', '2026-03-31'), period('May', '2026-05-31')),
        fund('C'),
        fund('a', period('only', '2020-01-31')),
      ]);
      const reader = closing(store.reader());
      expect((await reader.funds(fundAllocation)).entries).toEqual([
        {
          fund_id: 'a',
          frequency: 'monthly',
          firstPeriod: period('only', '2020-01-31'),
          lastPeriod: period('only', '2020-01-31'),
        },
        {
          fund_id: 'b',
          frequency: 'monthly',
          firstPeriod: period('March', '2026-03-31'),
          lastPeriod: period('May', '2026-05-31'),
        },
        { fund_id: 'C', frequency: 'monthly', firstPeriod: null, lastPeriod: null },
      ]);
      const [coverage] = (await reader.coverage([fundAllocation])).entries;
      expect(coverage).toMatchObject({ first: '2020-01-31', last: '2026-05-31', count: 3 });
      await publishAt(store, Date.now(), fundAllocation, { records: [fund('C')], replace: true });
      const [without] = (await reader.coverage([fundAllocation])).entries;
      expect(without).toMatchObject({ first: null, last: null, count: 1 });
    });
  });

  test(`${engine}: what is told while the store is held is what the work has done`, async () => {
    const store = await freshStore();
    const reader = closing(store.reader());
    await closing(store.publisher()).transaction(async (transaction) => {
      const { columns } = getStorageTable(quotes);
      const row = {
        columns: columns.map(({ getValue }) => getValue(quotes.example)),
        json: JSON.stringify(quotes.example),
      };
      await transaction.publish({ dataset: quotes, rows: [[row]], source: 's', author: 'a' });
      expect((await transaction.securities(quotes)).entries).toHaveLength(1);
      expect((await transaction.coverage([quotes])).entries[0]?.count).toBe(1);
      expect((await reader.securities(quotes)).entries).toHaveLength(0);
    });
    expect((await reader.securities(quotes)).entries).toHaveLength(1);
  });
}

/** At every revision and now, everything told is what follows from the records that are walked. */
async function expectAll(store: Store, dataset: Dataset, newest: number): Promise<void> {
  const reader = store.reader();
  for (const asOf of [undefined, ...Array(newest + 1).keys()]) {
    const revision = asOf ?? newest;
    const records = await walked(reader, dataset, asOf);
    const told = await reader.coverage([dataset], asOf);
    const [{ lastRevision: _, ...coverage } = { lastRevision: null }] = told.entries;
    expect(told.revision).toBe(revision);
    expect<object>(coverage).toEqual({
      dataset,
      ...endsOf(dataset, records),
      count: records.length,
    });
    if (dataset === quotes) {
      const entries = securitiesIn(records as Quote[]);
      expect<object>(await reader.securities(dataset, asOf)).toEqual({ revision, entries });
    }
    if (dataset === fundAllocation) {
      const found = await reader.funds(dataset, asOf);
      const ids = records.map(({ fund_id }) => String(fund_id));
      expect(found.revision).toBe(revision);
      expect(found.entries.map(({ fund_id }) => fund_id)).toEqual(ids);
    }
  }
  reader.close();
}

/** The ends of a dataset's records, which come newest first where they are no funds. */
function endsOf({ shape, period }: Dataset, records: readonly AnyRecord[]) {
  const labels =
    shape === 'fund'
      ? records
          .flatMap(({ periods }) => (periods as { date: string }[]).map(({ date }) => date))
          .toSorted()
          .toReversed()
      : records.map((record) => String(record[period?.field ?? 'date']));
  return { first: labels.at(-1) ?? null, last: labels[0] ?? null };
}

/** Securities as plainly as they can be found: quotes come newest first. */
function securitiesIn(records: readonly Quote[]) {
  const symbols = [...new Set(records.map(({ symbol }) => symbol))];
  symbols.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return symbols.map((symbol) => {
    const own = records.filter((record) => record.symbol === symbol);
    const { isin, type, maturityDate, date } = own[0] as Quote;
    return { symbol, isin, type, maturityDate, firstDate: own.at(-1)?.date, lastDate: date };
  });
}

async function walked(reads: StoreQueries, dataset: Dataset, asOf?: number): Promise<AnyRecord[]> {
  const records: AnyRecord[] = [];
  for await (const batch of reads.records(dataset, asOf)) {
    records.push(...batch.map((text) => JSON.parse(text) as AnyRecord));
  }
  return records;
}
