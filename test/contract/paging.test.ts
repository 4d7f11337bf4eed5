import { describe, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { serializeRecord } from '../../src/schema/serialize-record.ts';
import type { CursorPosition, QuoteSelection, ReadResult } from '../../src/store/open-store.ts';
import { closeAfterEach } from '../support/close-after-each.ts';
import { readFixture } from '../support/fixtures.ts';
import { generateQuotes } from '../support/generate-quotes.ts';
import { getKey, publishAt } from '../support/publish-at.ts';
import { type Quote, quote } from '../support/quote-fixture.ts';
import { ENGINES } from '../support/store.ts';

const { closing, removing } = closeAfterEach();
const days = ['2026-06-01', '2026-06-02'];
const ALL = ['0001-01-01', '9999-12-31'] as const;
const textsOf = (records: readonly Quote[]) =>
  records.map((record) => serializeRecord(quotes, record));

for (const { name: engine, createStore } of ENGINES) {
  const storeWith = async (...publications: (readonly Quote[])[]) => {
    const store = removing(await createStore());
    for (const [index, records] of publications.entries()) {
      await publishAt(store, Date.UTC(2026, 6, 1 + index), quotes, { records });
    }
    return { store, reader: closing(store.reader()) };
  };
  const asking = (rest: Partial<QuoteSelection>): QuoteSelection => ({
    kind: 'quotes',
    dataset: quotes,
    limit: 10_000,
    ...rest,
  });
  /** In the order of answers: newest day first, then by symbol. */
  const first = generateQuotes(days.toReversed(), 5);
  /** After it, what stood is to be found among what stands and what has ended. */
  const second = [
    ...generateQuotes(['2026-06-03'], 3),
    ...first.filter((_, index) => index % 2 === 0).map((each) => ({ ...each, lastPrice: 1 })),
  ];

  describe(`${engine}: reading in parts`, () => {
    test('tells the last place exactly where more match than the limit lets through', async () => {
      const { reader } = await storeWith(first);
      const { reader: later } = await storeWith(first, second);
      for (const limit of [1, 4, 5, 6, 9, 10, 11, 10_000]) {
        const result = await reader.read(asking({ dateRange: ALL, limit }));
        expect(await later.read(asking({ dateRange: ALL, limit, asOf: 1 }))).toEqual(result);
        const { date = '', symbol = '' } = first[limit - 1] ?? {};
        expect(result).toEqual({
          revision: 1,
          count: Math.min(limit, first.length),
          records: textsOf(first.slice(0, limit)).join(),
          ...(limit < first.length && { lastPosition: { date, symbol } }),
        });
      }
    });

    test('a place says what the security was found by, where one was asked for', async () => {
      const { reader } = await storeWith(first);
      const by = async (rest: Partial<QuoteSelection>) =>
        (await reader.read(asking({ dateRange: ALL, limit: 1, ...rest }))).lastPosition?.matchedBy;
      expect(await by({ security: 's02' })).toBe('symbol_key');
      expect(await by({ security: 'zz1' })).toBe('isin_key');
      expect(await by({ type: 'bond' })).toBeUndefined();
    });

    test('goes on behind any place, one that holds no record too', async () => {
      const { reader } = await storeWith(first);
      const { reader: later } = await storeWith(first, second);
      const places: CursorPosition[] = [
        ...first,
        { date: '2026-06-02', symbol: '' },
        { date: '2026-06-02', symbol: 'S02x' },
        { date: '2026-06-02', symbol: 'Z' },
        { date: '2026-06-01', symbol: 'Z' },
        { date: '2026-06-03', symbol: 'A' },
      ];
      for (const after of places) {
        const { date, symbol } = after;
        const behind = first.filter(
          (each) => each.date < date || (each.date === date && each.symbol > symbol),
        );
        for (const limit of [1, 3, 10_000]) {
          const past = await later.read(asking({ dateRange: ALL, limit, after, asOf: 1 }));
          const reading = await reader.read(asking({ dateRange: ALL, limit, after }));
          expect(past).toEqual(reading);
          expect(reading.records).toBe(textsOf(behind.slice(0, limit)).join());
          expect(reading.lastPosition !== undefined).toBe(behind.length > limit);
        }
      }
    });

    test('stays between its days, with its type and its security', async () => {
      const { reader } = await storeWith(first);
      const after = { date: '2026-06-02', symbol: 'S01' };
      const symbols = async (rest: Partial<QuoteSelection>) => {
        const { records } = await reader.read(asking({ dateRange: ALL, after, ...rest }));
        return (JSON.parse(`[${records}]`) as Quote[]).map(
          ({ date, symbol }) => date.slice(8) + symbol,
        );
      };
      expect(await symbols({ dateRange: ['2026-06-02', '2026-06-02'] })).toEqual([
        '02S02',
        '02S03',
        '02S04',
      ]);
      expect(await symbols({ type: 'tbill' })).toEqual(['02S03', '01S00', '01S03']);
      expect(
        await symbols({ security: 's03', after: { ...after, matchedBy: 'symbol_key' } }),
      ).toEqual(['02S03', '01S03']);
      expect(
        await symbols({ security: 'ZZ1', after: { ...after, matchedBy: 'isin_key' } }),
      ).toEqual(['02S02', '02S03', '01S02', '01S03']);
      expect(
        await symbols({
          security: 'ZZ1',
          type: 'tbill',
          after: { ...after, matchedBy: 'isin_key' },
        }),
      ).toEqual(['02S03', '01S03']);
    });

    test('orders symbols by their bytes, from place to place too', async () => {
      const symbols = ['B', 'a', 'é', '\uffee', '\u{1f600}'];
      const records = symbols.map((symbol) => quote({ date: '2026-06-01', symbol }));
      const { reader } = await storeWith(records);
      const found: string[] = [];
      let last: CursorPosition | undefined = { date: '2026-06-01', symbol: '' };
      while (last) {
        const reading: ReadResult = await reader.read(
          asking({ dateRange: ALL, limit: 1, after: last }),
        );
        found.push((JSON.parse(reading.records) as Quote).symbol);
        last = reading.lastPosition;
      }
      expect(found).toEqual(symbols);
    });

    test('counts all that match, whatever the limit and the place', async () => {
      const { store, reader } = await storeWith(first);
      await publishAt(store, Date.UTC(2026, 7, 1), quotes, {
        records: generateQuotes(['2026-06-03'], 3),
        retiredKeys: [getKey(quotes, first[0] as Quote)],
      });
      const totals = async (rest: Partial<QuoteSelection>) => {
        const selection = asking({ limit: 1, includeTotal: true, ...rest });
        const now = await reader.read(selection);
        const then = await reader.read({ ...selection, asOf: 1 });
        const none = await reader.read({ ...selection, asOf: 0 });
        return [now.total, then.total, none.total];
      };
      expect(await totals({})).toEqual([3, 5, 0]);
      expect(await totals({ type: 'bond' })).toEqual([1, 2, 0]);
      expect(await totals({ dateRange: ALL })).toEqual([12, 10, 0]);
      expect(await totals({ dateRange: ['2026-06-02', '2026-06-02'] })).toEqual([4, 5, 0]);
      expect(await totals({ security: 'S00' })).toEqual([1, 1, 0]);
      expect(await totals({ security: 'zz0', dateRange: ALL })).toEqual([5, 4, 0]);
      expect(await totals({ security: 'nobody', dateRange: ALL })).toEqual([0, 0, 0]);
      const after = { date: '2026-06-02', symbol: 'S03' };
      expect(await totals({ dateRange: ALL, after })).toEqual([12, 10, 0]);
    });

    test('a revision that is not there is answered by the newest, which is told', async () => {
      const { reader } = await storeWith(first, second);
      for (const rest of [{}, { dateRange: ALL, after: first[2] as CursorPosition }]) {
        const newest = await reader.read(asking(rest));
        expect(newest.revision).toBe(2);
        expect(await reader.read(asking({ ...rest, asOf: 99 }))).toEqual(newest);
      }
    });

    test('a record that speaks of records is cut where it ends', async () => {
      const isin = '"},{"date":"2026-06-01","symbol":"X';
      const records = ['A', 'B', 'C'].map((symbol) => quote({ date: '2026-06-01', symbol, isin }));
      const { reader } = await storeWith(records);
      for (const lines of [false, true]) {
        const reading = await reader.read(asking({ dateRange: ALL, limit: 2, asNdjson: lines }));
        expect(reading.records).toBe(textsOf(records.slice(0, 2)).join(lines ? '\n' : ','));
        expect(reading.lastPosition).toEqual({ date: '2026-06-01', symbol: 'B' });
      }
    });
  });

  test.each(catalogue.map((dataset) => [dataset.name, dataset] as const))(
    `${engine}: %s comes with a record on each line, and counted, if so asked`,
    async (_, dataset) => {
      const store = removing(await createStore());
      await store.publish(dataset, readFixture(dataset));
      const reader = closing(store.reader());
      const id = String(readFixture(dataset)[0]?.fund_id);
      const selection = {
        series: { kind: 'series', dataset },
        fund: { kind: 'fund', dataset, id },
        quotes: asking({ dateRange: ALL }),
      }[dataset.shape] as QuoteSelection;
      const plain = await reader.read(selection);
      expect(plain.total).toBeUndefined();
      const texts = (JSON.parse(`[${plain.records}]`) as object[]).map((each) =>
        JSON.stringify(each),
      );
      for (const past of [{}, { asOf: 1 }]) {
        const lined = await reader.read({
          ...selection,
          ...past,
          asNdjson: true,
          includeTotal: true,
        });
        expect(lined.records.split('\n')).toEqual(texts);
        expect(lined.total).toBe(plain.count);
      }
    },
  );
}
