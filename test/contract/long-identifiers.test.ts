import { describe, expect, test } from 'bun:test';
import { type Quote, quotes } from '../../src/catalogue/datasets/quotes.ts';
import { serializeRecord } from '../../src/schema/serialize-record.ts';
import type { QuoteSelection } from '../../src/store/open-store.ts';
import { closeAfterEach } from '../support/close-after-each.ts';
import { quote } from '../support/quote-fixture.ts';
import { ENGINES } from '../support/store.ts';

const { closing, removing } = closeAfterEach();

/** Characters of four bytes that do not repeat, so that nothing compresses them. */
function createIdentifier(length: number, seed: number): string {
  const codes = Array.from({ length }, (_, index) => 0x20000 + ((index * 7_919 + seed) % 40_000));
  return String.fromCodePoint(...codes);
}

const LENGTHS = [24, 25, 26, 100, 200];
const dates = ['2026-06-30', '2026-06-29'] as const;
const records = LENGTHS.flatMap((length) =>
  dates.map((date) =>
    quote({ date, symbol: createIdentifier(length, 1), isin: createIdentifier(length, 777) }),
  ),
);
const toText = (record: Quote) => serializeRecord(quotes, record);

describe.each(ENGINES)('$name: quotes with long symbols and ISINs', ({ createStore }) => {
  const openFilledStore = async () => {
    const store = removing(await createStore());
    await store.publish(quotes, records);
    return store;
  };

  test('are found by either, as of each revision', async () => {
    const store = await openFilledStore();
    const corrected = records.map((record) => ({ ...record, volume: 7 }));
    await store.publish(quotes, corrected);
    const reader = closing(store.reader());
    const select = (security: string, asOf: number): QuoteSelection => ({
      kind: 'quotes',
      dataset: quotes,
      dateRange: ['0001-01-01', '9999-12-31'],
      limit: 10,
      includeTotal: true,
      security,
      asOf,
    });
    for (const [index, published] of [records, corrected].entries()) {
      for (const { symbol, isin } of published) {
        const texts = published.filter((record) => record.symbol === symbol).map(toText);
        const revision = index + 1;
        const expected = { revision, count: 2, total: 2, records: texts.join(',') };
        expect(await reader.read(select(symbol, revision))).toMatchObject(expected);
        expect(await reader.read(select(isin, revision))).toMatchObject(expected);
      }
    }
  });

  test('are listed, and their corrections are found', async () => {
    const store = await openFilledStore();
    const [first] = records.slice(-1) as [Quote];
    await store.publish(quotes, [{ ...first, volume: 7 }]);
    const reader = closing(store.reader());
    const { entries } = await reader.securities(quotes);
    const symbols = LENGTHS.map((length) => createIdentifier(length, 1));
    expect(entries.map(({ symbol }) => symbol)).toEqual(symbols);
    for (const { firstDate, lastDate } of entries)
      expect([lastDate, firstDate]).toEqual([...dates]);
    for (const security of [first.symbol, first.isin]) {
      const corrections = await reader.corrections(quotes, {
        securities: [security],
        limit: 10,
      });
      expect(corrections.entries.map(({ old }) => old)).toEqual([toText(first)]);
    }
  });
});
