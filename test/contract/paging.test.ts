import { describe, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { serializeRecord } from '../../src/schema/serialize-record.ts';
import type { QuoteSelection, ReadResult, RecordKey } from '../../src/store/open-store.ts';
import { closeAfterEach } from '../support/close-after-each.ts';
import { readFixture } from '../support/fixtures.ts';
import { generateQuotes } from '../support/generate-quotes.ts';
import { getKey, publishAt } from '../support/publish-at.ts';
import { type Quote, quote } from '../support/quote-fixture.ts';
import { ENGINES } from '../support/store.ts';

const { closing, removing } = closeAfterEach();
const days = ['2026-06-01', '2026-06-02'];
const ALL = ['0001-01-01', '9999-12-31'] as const;
const toTexts = (records: readonly Quote[]) =>
  records.map((record) => serializeRecord(quotes, record));

for (const { name: engine, createStore, datasets } of ENGINES) {
  const storeWith = async (...publications: (readonly Quote[])[]) => {
    const store = removing(await createStore());
    for (const [index, records] of publications.entries()) {
      await publishAt(store, Date.UTC(2026, 6, 1 + index), quotes, { records });
    }
    return { store, reader: closing(store.reader()) };
  };
  const select = (selection: Partial<QuoteSelection>): QuoteSelection => ({
    kind: 'quotes',
    dataset: quotes,
    limit: 10_000,
    ...selection,
  });
  /** In the order of responses: newest day first, then by symbol. */
  const first = generateQuotes(days.toReversed(), 5);
  /** After it, records of the first revision are in both the current and the history table. */
  const second = [
    ...generateQuotes(['2026-06-03'], 3),
    ...first.filter((_, index) => index % 2 === 0).map((record) => ({ ...record, lastPrice: 1 })),
  ];

  describe(`${engine}: a page of quotes`, () => {
    test('has the last key exactly where more records match than the limit', async () => {
      const { reader } = await storeWith(first);
      const { reader: later } = await storeWith(first, second);
      for (const limit of [1, 4, 5, 6, 9, 10, 11, 10_000]) {
        const result = await reader.read(select({ dateRange: ALL, limit }));
        expect(await later.read(select({ dateRange: ALL, limit, asOf: 1 }))).toEqual(result);
        const { date = '', symbol = '' } = first[limit - 1] ?? {};
        expect(result).toEqual({
          revision: 1,
          count: Math.min(limit, first.length),
          records: toTexts(first.slice(0, limit)).join(),
          ...(limit < first.length && { lastKey: [date, symbol] }),
        });
      }
    });

    test('has the column by which a security was found in its last key', async () => {
      const { reader } = await storeWith(first);
      const findColumn = async (selection: Partial<QuoteSelection>) =>
        (await reader.read(select({ dateRange: ALL, limit: 1, ...selection }))).lastKey?.[2];
      expect(await findColumn({ security: 's02' })).toBe('symbol_key');
      expect(await findColumn({ security: 'zz1' })).toBe('isin_key');
      expect(await findColumn({ type: 'bond' })).toBeUndefined();
    });

    test('starts after any key, even one without a record', async () => {
      const { reader } = await storeWith(first);
      const { reader: later } = await storeWith(first, second);
      const keys = [
        ...first.map(({ date, symbol }) => [date, symbol] as const),
        ...(['', 'S02x', 'Z'] as const).map((symbol) => ['2026-06-02', symbol] as const),
        ['2026-06-01', 'Z'] as const,
        ['2026-06-03', 'A'] as const,
      ];
      for (const after of keys) {
        const [date, symbol] = after;
        const following = first.filter(
          (record) => record.date < date || (record.date === date && record.symbol > symbol),
        );
        for (const limit of [1, 3, 10_000]) {
          const past = await later.read(select({ dateRange: ALL, limit, after, asOf: 1 }));
          const result = await reader.read(select({ dateRange: ALL, limit, after }));
          expect(past).toEqual(result);
          expect(result.records).toBe(toTexts(following.slice(0, limit)).join());
          expect(result.lastKey !== undefined).toBe(following.length > limit);
        }
      }
    });

    test('orders symbols by their bytes, across pages too', async () => {
      const symbols = ['B', 'a', 'é', '\uffee', '\u{1f600}'];
      const records = symbols.map((symbol) => quote({ date: '2026-06-01', symbol }));
      const { reader } = await storeWith(records);
      const read: string[] = [];
      let last: RecordKey | undefined = ['2026-06-01', ''];
      while (last) {
        const result: ReadResult = await reader.read(
          select({ dateRange: ALL, limit: 1, after: last }),
        );
        read.push((JSON.parse(result.records) as Quote).symbol);
        last = result.lastKey;
      }
      expect(read).toEqual(symbols);
    });

    test('counts all matches, whatever the limit and the position', async () => {
      const { store, reader } = await storeWith(first);
      await publishAt(store, Date.UTC(2026, 7, 1), quotes, {
        records: generateQuotes(['2026-06-03'], 3),
        retiredKeys: [getKey(quotes, first[0] as Quote)],
      });
      const totals = async (selection: Partial<QuoteSelection>) => {
        const options = select({ limit: 1, includeTotal: true, ...selection });
        const results = [undefined, 1, 0].map((asOf) =>
          reader.read(asOf === undefined ? options : { ...options, asOf }),
        );
        return (await Promise.all(results)).map(({ total }) => total);
      };
      expect(await totals({})).toEqual([3, 5, 0]);
      expect(await totals({ type: 'bond' })).toEqual([1, 2, 0]);
      expect(await totals({ dateRange: ALL })).toEqual([12, 10, 0]);
      expect(await totals({ dateRange: ['2026-06-02', '2026-06-02'] })).toEqual([4, 5, 0]);
      expect(await totals({ security: 'S00' })).toEqual([1, 1, 0]);
      expect(await totals({ security: 'zz0', dateRange: ALL })).toEqual([5, 4, 0]);
      expect(await totals({ security: 'nobody', dateRange: ALL })).toEqual([0, 0, 0]);
      const after = ['2026-06-02', 'S03'];
      expect(await totals({ dateRange: ALL, after })).toEqual([12, 10, 0]);
    });

    test('is of the newest revision when a later one is requested', async () => {
      const { reader } = await storeWith(first, second);
      for (const selection of [{}, { dateRange: ALL, after: ['2026-06-02', 'S02'] }]) {
        const newest = await reader.read(select(selection));
        expect(newest.revision).toBe(2);
        expect(await reader.read(select({ ...selection, asOf: 99 }))).toEqual(newest);
      }
    });

    test('ends at a record boundary, even if a record contains the text of one', async () => {
      const isin = '"},{"date":"2026-06-01","symbol":"X';
      const records = ['A', 'B', 'C'].map((symbol) => quote({ date: '2026-06-01', symbol, isin }));
      const { reader } = await storeWith(records);
      for (const asNdjson of [false, true]) {
        const result = await reader.read(select({ dateRange: ALL, limit: 2, asNdjson }));
        expect(result.records).toBe(toTexts(records.slice(0, 2)).join(asNdjson ? '\n' : ','));
        expect(result.lastKey).toEqual(['2026-06-01', 'B']);
      }
    });
  });

  test(`${engine}: quotes of an ISIN are none of those that its symbols had under another`, async () => {
    const [old, renewed, odd] = ['ZZ0000000016', 'ZZ0000000024', 'ODD'];
    const { reader } = await storeWith([
      quote({ date: '2026-06-01', symbol: 'A', isin: old }),
      quote({ date: '2026-06-02', symbol: 'A', isin: renewed }),
      quote({ date: '2026-06-02', symbol: old, isin: odd }),
      quote({ date: '2026-06-02', symbol: 'B', isin: odd }),
    ]);
    const find = async (selection: Partial<QuoteSelection>) => {
      const { records } = await reader.read(select({ dateRange: ALL, ...selection }));
      const found = JSON.parse(`[${records}]`) as Quote[];
      return found.map(({ date, symbol }) => `${date.slice(-2)} ${symbol}`);
    };
    expect(await find({ security: renewed })).toEqual(['02 A']);
    // A text with the form of an ISIN may be a symbol, and one without it an ISIN.
    expect(await find({ security: old })).toEqual([`02 ${old}`]);
    expect(await find({ security: odd })).toEqual(['02 B', `02 ${old}`]);
    expect(await find({ securities: [old, odd] })).toEqual(['02 B', `02 ${old}`]);
    expect(await find({ securities: [renewed, odd] })).toEqual(['02 A', '02 B', `02 ${old}`]);
  });

  test.each(datasets.map((dataset) => [dataset.name, dataset] as const))(
    `${engine}: %s can be read as NDJSON, with a total`,
    async (_, dataset) => {
      const store = removing(await createStore());
      await store.publish(dataset, readFixture(dataset));
      const reader = closing(store.reader());
      const id = String(readFixture(dataset)[0]?.fund_id);
      const selection = {
        series: { kind: 'records', dataset },
        fund: { kind: 'records', dataset, identifiers: [id] },
        reference: { kind: 'records', dataset },
        quotes: select({ dateRange: ALL }),
      }[dataset.shape] as QuoteSelection;
      const plain = await reader.read(selection);
      expect(plain.total).toBeUndefined();
      const texts = (JSON.parse(`[${plain.records}]`) as object[]).map((record) =>
        JSON.stringify(record),
      );
      for (const past of [{}, { asOf: 1 }]) {
        const result = await reader.read({
          ...selection,
          ...past,
          asNdjson: true,
          includeTotal: true,
        });
        expect(result.records.split('\n')).toEqual(texts);
        expect(result.total).toBe(plain.count);
      }
    },
  );
}
