import { describe, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { AnyRecord } from '../../src/catalogue/model/dataset.ts';
import { serializeRecord } from '../../src/schema/serialize-record.ts';
import type { CorrectionFilter, StoreReader } from '../../src/store/open-store.ts';
import { closeAfterEach, shareStore } from '../support/close-after-each.ts';
import { getKey, type PublishOptions, publishAt } from '../support/publish-at.ts';
import { type Quote, quote } from '../support/quote-fixture.ts';
import { buildRecord } from '../support/small-dataset.ts';
import { ENGINES } from '../support/store.ts';

const { closing, removing } = closeAfterEach();

const instant = (revision: number) => `2026-01-0${revision}T00:00:00.000Z`;

for (const { name: engine, createStore, datasets } of ENGINES) {
  const openStore = async () => removing(await createStore());

  describe.each(datasets.map((dataset) => [dataset.name, dataset] as const))(
    `${engine}: corrections of %s`,
    (_, dataset) => {
      // A later period comes first, or a fund or security with an earlier name.
      const [slotA, slotB] = ['fund', 'reference'].includes(dataset.shape) ? [0, 1] : [1, 0];
      const build = (slot: number, variant: number) => buildRecord(dataset, { slot, variant });
      const [a1, a2, a3] = [build(slotA, 0), build(slotA, 1), build(slotA, 2)];
      const [b1, b2] = [build(slotB, 0), build(slotB, 1)];
      const [other = dataset] = catalogue.filter(({ name }) => name !== dataset.name);

      const history = [
        [dataset, { records: [a1, b1] }],
        [dataset, { records: [a2, b2] }],
        [other, { records: [other.example] }],
        [dataset, { retiredKeys: [getKey(dataset, a1 as AnyRecord)] }],
        [dataset, { records: [a3] }],
        [dataset, { records: [a1], retiredKeys: [getKey(dataset, b1 as AnyRecord)] }],
      ] as [typeof dataset, PublishOptions][];

      const expected = (revision: number, old?: AnyRecord, replacement?: AnyRecord) => ({
        revision,
        publishedAt: instant(revision),
        change: replacement ? ('corrected' as const) : ('retired' as const),
        old: serializeRecord(dataset, old as AnyRecord),
        new: replacement ? serializeRecord(dataset, replacement) : null,
      });
      const all = [
        expected(6, a3, a1),
        expected(6, b2),
        expected(4, a2),
        expected(2, a1, a2),
        expected(2, b1, b2),
      ];

      const store = shareStore(async () => {
        const store = await createStore();
        for (const [index, [published, change]] of history.entries()) {
          await publishAt(store, instant(index + 1), published, change);
        }
        return store;
      });
      const openReader = () => closing(store().reader());
      const find = (reader: StoreReader, filter: Partial<CorrectionFilter> = {}, asOf?: number) =>
        reader.corrections(dataset, { limit: 100, ...filter }, asOf);

      test('are listed newest revision first, then by key, without additions', async () => {
        const reader = openReader();
        expect(await find(reader)).toEqual({ revision: 6, entries: all });
        expect(await reader.corrections(other, { limit: 9 })).toEqual({ revision: 6, entries: [] });
      });

      test('are listed as of any revision', async () => {
        const reader = openReader();
        for (const asOf of [0, 1, 2, 3, 4, 5, 6]) {
          const entries = all.filter(({ revision }) => revision <= asOf);
          expect(await find(reader, {}, asOf)).toEqual({ revision: asOf, entries });
        }
        // A revision that does not exist yet is never claimed.
        expect(await find(reader, {}, 99)).toEqual({ revision: 6, entries: all });
      });

      test('a page holds the corrections before a revision and after a position, up to a limit', async () => {
        const reader = openReader();
        const entries = async (filter: Partial<CorrectionFilter>, asOf?: number) =>
          (await find(reader, filter, asOf)).entries;
        for (const before of [1, 2, 3, 5, 7, 4_000_000_000]) {
          for (const [index, { revision, old }] of all.entries()) {
            const key = getKey(dataset, JSON.parse(old));
            for (const limit of [1, 2, 9]) {
              const expected = all.slice(index + 1).filter((entry) => entry.revision < before);
              const page = await entries({ before, after: { revision, key }, limit });
              expect(page).toEqual(expected.slice(0, limit));
            }
          }
        }
        expect(await entries({ before: 6 }, 3)).toEqual(all.slice(3));
        expect(await entries({ before: 2 }, 3)).toEqual([]);
      });
    },
  );

  describe(`${engine}: corrections of quotes`, () => {
    const storeWith = async (...publications: (readonly Quote[])[]) => {
      const store = await openStore();
      for (const [index, records] of publications.entries()) {
        await publishAt(store, instant(index + 1), quotes, { records, replace: true });
      }
      return closing(store.reader());
    };
    const list = async (reader: StoreReader, filter: Partial<CorrectionFilter>, asOf?: number) => {
      const { entries } = await reader.corrections(quotes, { limit: 100, ...filter }, asOf);
      return entries.map(({ revision, old }) => {
        const { symbol, date } = JSON.parse(old) as Quote;
        return `${revision} ${symbol} ${date}`;
      });
    };
    const [early, late] = ['2026-06-01', '2026-06-02'];
    const quoteBothDays = (symbol: string, isin: string, lastPrice: number) =>
      [early, late].map((date) => quote({ date, symbol, isin, lastPrice }));

    test('are of a symbol that ever existed rather than of an ISIN', async () => {
      const named = quoteBothDays('ZZ1', 'ZZ9', 1);
      const reader = await storeWith(
        quoteBothDays('A', 'ZZ1', 1),
        quoteBothDays('A', 'ZZ1', 2),
        quoteBothDays('A', 'ZZ1', 3),
        [...quoteBothDays('A', 'ZZ1', 4), ...named],
        quoteBothDays('A', 'ZZ1', 5),
      );
      const asA = [`2 A ${late}`, `2 A ${early}`];
      expect(await list(reader, { securities: ['ZZ1'] }, 2)).toEqual(asA);
      expect(await list(reader, { securities: ['ZZ1'], before: 3 })).toEqual(asA);
      expect(await list(reader, { securities: ['ZZ1'] }, 4)).toEqual([]);
      // Its records have been retired, and remain in its history.
      expect(await list(reader, { securities: ['ZZ1'] })).toEqual([
        `5 ZZ1 ${late}`,
        `5 ZZ1 ${early}`,
      ]);
    });

    test('are found by the ISIN of the superseded record', async () => {
      const wrong = quote({ date: early, symbol: 'A', isin: 'ZZ1' });
      const reader = await storeWith([wrong], [{ ...wrong, isin: 'ZZ2' }]);
      expect(await list(reader, { securities: ['ZZ1'] })).toEqual([`2 A ${early}`]);
      expect(await list(reader, { securities: ['ZZ2'] })).toEqual([]);
    });

    test('are read by a transaction before they are committed', async () => {
      const store = await openStore();
      await publishAt(store, instant(1), quotes, { records: quoteBothDays('A', 'ZZ1', 1) });
      await closing(store.publisher()).transaction(async (transaction) => {
        await transaction.publish({
          dataset: quotes,
          retiredKeys: [getKey(quotes, quote({ date: early, symbol: 'A' }))],
          source: 'test',
          author: 'test',
        });
        const { revision, entries } = await transaction.corrections(quotes, { limit: 9 });
        expect([revision, entries.length, entries[0]?.change]).toEqual([2, 1, 'retired']);
      });
    });
  });
}
