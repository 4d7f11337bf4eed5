import { describe, expect, test } from 'bun:test';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { AnyRecord } from '../../src/catalogue/model/dataset.ts';
import { serializeRecord } from '../../src/schema/serialize-record.ts';
import type { CorrectionFilter, DatasetChange, StoreReader } from '../../src/store/open-store.ts';
import { closeAfterEach } from '../support/close-after-each.ts';
import { getKey, type PublishOptions, publishAt } from '../support/publish-at.ts';
import { type Quote, quote } from '../support/quote-fixture.ts';
import { buildRecord } from '../support/small-dataset.ts';
import { ENGINES } from '../support/store.ts';

const { closing, removing } = closeAfterEach();

const instant = (revision: number) => `2026-01-0${revision}T00:00:00.000Z`;

for (const { name: engine, createStore } of ENGINES) {
  const freshStore = async () => removing(await createStore());

  describe.each(catalogue.map((dataset) => [dataset.name, dataset] as const))(
    `${engine}: corrections of %s`,
    (_, dataset) => {
      // Of the small world, a later period comes first, and a fund with an earlier name.
      const [one, two] = dataset.shape === 'fund' ? [0, 1] : [1, 0];
      const [a1, a2, a3] = [0, 1, 2].map((variant) => buildRecord(dataset, { slot: one, variant }));
      const [b1, b2] = [0, 1].map((variant) => buildRecord(dataset, { slot: two, variant }));
      const [other = dataset] = catalogue.filter(({ name }) => name !== dataset.name);

      const history = [
        [dataset, { records: [a1, b1] }],
        [dataset, { records: [a2, b2] }],
        [other, { records: [other.example] }],
        [dataset, { retiredKeys: [getKey(dataset, a1 as AnyRecord)] }],
        [dataset, { records: [a3] }],
        [dataset, { records: [a1], retiredKeys: [getKey(dataset, b1 as AnyRecord)] }],
      ] as [typeof dataset, PublishOptions][];

      const told = (revision: number, old?: AnyRecord, replacement?: AnyRecord) => ({
        revision,
        publishedAt: instant(revision),
        change: replacement ? ('corrected' as const) : ('retired' as const),
        old: serializeRecord(dataset, old as AnyRecord),
        new: replacement ? serializeRecord(dataset, replacement) : null,
      });
      const whole = [told(6, a3, a1), told(6, b2), told(4, a2), told(2, a1, a2), told(2, b1, b2)];

      const reading = async () => {
        const store = await freshStore();
        for (const [index, [each, change]] of history.entries()) {
          await publishAt(store, instant(index + 1), each, change);
        }
        return closing(store.reader());
      };
      const asking = (reader: StoreReader, which: Partial<CorrectionFilter> = {}, asOf?: number) =>
        reader.corrections(dataset, { limit: 100, ...which }, asOf);

      test('are all told, newest revision first, then by key, and additions never', async () => {
        const reader = await reading();
        expect(await asking(reader)).toEqual({ revision: 6, entries: whole });
        expect(await reader.corrections(other, { limit: 9 })).toEqual({ revision: 6, entries: [] });
      });

      test('are those of their time, as of any revision', async () => {
        const reader = await reading();
        for (const asOf of [0, 1, 2, 3, 4, 5, 6]) {
          const entries = whole.filter(({ revision }) => revision <= asOf);
          expect(await asking(reader, {}, asOf)).toEqual({ revision: asOf, entries });
        }
        // A revision that is not there yet is never claimed.
        expect(await asking(reader, {}, 99)).toEqual({ revision: 6, entries: whole });
      });

      test('a page holds the corrections before a revision and after a position, up to a limit', async () => {
        const reader = await reading();
        const entries = async (which: Partial<CorrectionFilter>, asOf?: number) =>
          (await asking(reader, which, asOf)).entries;
        for (const before of [1, 2, 3, 5, 7, 4_000_000_000]) {
          const older = whole.filter(({ revision }) => revision < before);
          for (const [index, { revision, old }] of whole.entries()) {
            const key = getKey(dataset, JSON.parse(old));
            for (const limit of [1, 2, 9]) {
              const expected = whole.slice(index + 1).filter((each) => older.includes(each));
              const page = await entries({ before, after: { revision, key }, limit });
              expect(page).toEqual(expected.slice(0, limit));
            }
          }
        }
        expect(await entries({ before: 6 }, 3)).toEqual(whole.slice(3));
        expect(await entries({ before: 2 }, 3)).toEqual([]);
      });
    },
  );

  describe(`${engine}: corrections of quotes`, () => {
    const storeWith = async (...publications: (readonly Quote[])[]) => {
      const store = await freshStore();
      for (const [index, records] of publications.entries()) {
        await publishAt(store, instant(index + 1), quotes, { records, replace: true });
      }
      return closing(store.reader());
    };
    const parts = async (reader: StoreReader, which: Partial<CorrectionFilter>, asOf?: number) => {
      const { entries } = await reader.corrections(quotes, { limit: 100, ...which }, asOf);
      return entries.map(({ revision, old }) => {
        const { symbol, date } = JSON.parse(old) as Quote;
        return `${revision} ${symbol} ${date}`;
      });
    };
    const [early, late] = ['2026-06-01', '2026-06-02'];
    const both = (symbol: string, isin: string, lastPrice: number) =>
      [early, late].map((date) => quote({ date, symbol, isin, lastPrice }));

    test('are found by symbol and by ISIN, in any letters', async () => {
      const first = [...both('abc', 'ZZ1', 1), ...both('ABCD', 'ZZ2', 1)];
      const reader = await storeWith(first, [...both('abc', 'ZZ1', 2), ...both('ABCD', 'ZZ2', 2)]);
      const abc = [`2 abc ${late}`, `2 abc ${early}`];
      for (const security of ['abc', 'ABC', 'aBc', 'ZZ1', 'zz1']) {
        expect(await parts(reader, { security })).toEqual(abc);
      }
      expect(await parts(reader, { security: 'zz2' })).toEqual(
        abc.map((text) => text.replace('abc', 'ABCD')),
      );
      expect(await parts(reader, { security: 'ab' })).toEqual([]);
    });

    test('are of records between days, both ends included', async () => {
      const reader = await storeWith(both('A', 'ZZ1', 1), both('A', 'ZZ1', 2));
      for (const security of [{}, { security: 'A' }, { security: 'ZZ1' }]) {
        const days = (which: object) => parts(reader, { ...security, ...which });
        expect(await days({ from: late })).toEqual([`2 A ${late}`]);
        expect(await days({ to: early })).toEqual([`2 A ${early}`]);
        expect(await days({ from: early, to: late })).toHaveLength(2);
        expect(await days({ from: '2026-06-03' })).toEqual([]);
      }
    });

    test('a symbol that there ever was wins over an ISIN, from its first record on', async () => {
      const named = both('ZZ1', 'ZZ9', 1);
      const reader = await storeWith(
        both('A', 'ZZ1', 1),
        both('A', 'ZZ1', 2),
        both('A', 'ZZ1', 3),
        [...both('A', 'ZZ1', 4), ...named],
        both('A', 'ZZ1', 5),
      );
      const asA = [`2 A ${late}`, `2 A ${early}`];
      expect(await parts(reader, { security: 'ZZ1' }, 2)).toEqual(asA);
      expect(await parts(reader, { security: 'ZZ1', before: 3 })).toEqual(asA);
      expect(await parts(reader, { security: 'ZZ1' }, 4)).toEqual([]);
      // Its records have been retired since, and their history stays its own.
      expect(await parts(reader, { security: 'ZZ1' })).toEqual([`5 ZZ1 ${late}`, `5 ZZ1 ${early}`]);
    });

    test('an ISIN is that of the record that stood', async () => {
      const wrong = quote({ date: early, symbol: 'A', isin: 'ZZ1' });
      const reader = await storeWith([wrong], [{ ...wrong, isin: 'ZZ2' }]);
      expect(await parts(reader, { security: 'ZZ1' })).toEqual([`2 A ${early}`]);
      expect(await parts(reader, { security: 'ZZ2' })).toEqual([]);
    });

    test('are seen by who holds the store as soon as they are made', async () => {
      const store = await freshStore();
      await publishAt(store, instant(1), quotes, { records: both('A', 'ZZ1', 1) });
      const retired: DatasetChange['retiredKeys'] = [
        getKey(quotes, quote({ date: early, symbol: 'A' })),
      ];
      await closing(store.publisher()).transaction(async (transaction) => {
        await transaction.publish({
          dataset: quotes,
          retiredKeys: retired,
          source: 'test',
          author: 'test',
        });
        const { revision, entries } = await transaction.corrections(quotes, { limit: 9 });
        expect([revision, entries.length, entries[0]?.change]).toEqual([2, 1, 'retired']);
      });
    });
  });

  test(`${engine}: corrections of funds are found by identifier, in any letters`, async () => {
    const store = await freshStore();
    const fund = (fund_id: string, frequency: string) => ({
      ...fundAllocation.example,
      fund_id,
      frequency,
    });
    for (const [index, frequency] of ['monthly', 'quarterly'].entries()) {
      const records = [fund('One', frequency), fund('Two', frequency)];
      await publishAt(store, instant(index + 1), fundAllocation, { records });
    }
    const reader = closing(store.reader());
    const found = async (id: string) => {
      const which = { fund: id, limit: 9 };
      const { entries } = await reader.corrections(fundAllocation, which);
      return entries.map(({ old }) => JSON.parse(old).fund_id);
    };
    expect(await found('oNE')).toEqual(['One']);
    expect(await found('two')).toEqual(['Two']);
    expect(await found('on')).toEqual([]);
  });
}
