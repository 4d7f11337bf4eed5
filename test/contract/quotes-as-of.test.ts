import { describe, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import type { QuoteSelection, StoreReader } from '../../src/store/open-store.ts';
import { closeAfterEach } from '../support/close-after-each.ts';
import { getKey, publishAt } from '../support/publish-at.ts';
import { quote } from '../support/quote-fixture.ts';
import { ENGINES } from '../support/store.ts';

const { closing, removing } = closeAfterEach();
const [MONDAY, TUESDAY] = ['2026-04-06', '2026-04-07'] as const;

/** Quotes as lines: the day, the symbol and the volume, which tells one version from another. */
const read = async (reader: StoreReader, asOf: number, filters: Partial<QuoteSelection>) => {
  const selection = { kind: 'quotes', dataset: quotes, limit: 10, asOf, ...filters } as const;
  const { records, count } = await reader.read(selection);
  const found = JSON.parse(`[${records}]`) as ReturnType<typeof quote>[];
  expect(count).toBe(found.length);
  return found.map(({ date, symbol, volume }) => `${date.slice(-2)} ${symbol} ${volume}`);
};

describe.each(ENGINES)('$name: quotes as of a revision', ({ createStore }) => {
  const open = async () => {
    const store = removing(await createStore());
    let revision = 0;
    return {
      publish: async (...records: Parameters<typeof quote>[0][]) => {
        await publishAt(store, Date.UTC(2026, 4, 1, 0, ++revision), quotes, {
          records: records.map((record) => quote({ volume: revision, ...record })),
        });
      },
      retire: (date: string, symbol: string) =>
        publishAt(store, Date.UTC(2026, 4, 1, 0, ++revision), quotes, {
          retiredKeys: [getKey(quotes, quote({ date, symbol }))],
        }),
      reader: closing(store.reader()),
    };
  };

  test('have one version of each record, by day, range, type and security', async () => {
    const { publish, retire, reader } = await open();
    const [a, b] = [
      { date: MONDAY, symbol: 'A', type: 'bond' },
      { date: MONDAY, symbol: 'B', type: 'tbill' },
    ] as const;
    await publish(a, b);
    await publish(a);
    await publish(a, b);
    await retire(MONDAY, 'A');
    await publish({ date: TUESDAY, symbol: 'B', type: 'tbill' });
    const states = [[], ['A 1', 'B 1'], ['A 2', 'B 1'], ['A 3', 'B 3'], ['B 3']];
    for (const [asOf, versions] of states.entries()) {
      const expected = versions.map((version) => `06 ${version}`);
      const [ofA, ofB] = ['A', 'B'].map((symbol) =>
        expected.filter((line) => line.includes(` ${symbol} `)),
      ) as [string[], string[]];
      for (const dateRange of [
        [MONDAY, MONDAY],
        ['2026-04-01', TUESDAY],
        ['2026-04-01', '2026-04-30'],
      ] as const) {
        expect(await read(reader, asOf, { dateRange })).toEqual(expected);
        expect(await read(reader, asOf, { dateRange, type: 'bond' })).toEqual(ofA);
        expect(await read(reader, asOf, { dateRange, type: 'tbill' })).toEqual(ofB);
        expect(await read(reader, asOf, { dateRange, security: 'b' })).toEqual(ofB);
        expect(await read(reader, asOf, { dateRange, securities: ['A', 'B'] })).toEqual(expected);
      }
      expect(await read(reader, asOf, {})).toEqual(expected);
    }
  });

  test('of the newest day are, of a type or a security, those of its own last day', async () => {
    const { publish, reader } = await open();
    await publish(
      { date: MONDAY, symbol: 'A', type: 'bond' },
      { date: MONDAY, symbol: 'B', type: 'tbill' },
    );
    await publish({ date: TUESDAY, symbol: 'B', type: 'tbill' });
    await publish({ date: '2026-04-08', symbol: 'A', type: 'bond' });
    expect(await read(reader, 2, {})).toEqual(['07 B 2']);
    expect(await read(reader, 2, { type: 'tbill' })).toEqual(['07 B 2']);
    expect(await read(reader, 2, { type: 'bond' })).toEqual(['06 A 1']);
    expect(await read(reader, 2, { security: 'A' })).toEqual(['06 A 1']);
    expect(await read(reader, 2, { securities: ['A'] })).toEqual(['06 A 1']);
    expect(await read(reader, 2, { security: 'A', type: 'tbill' })).toEqual([]);
  });

  test('of no type are on no day', async () => {
    const { publish, reader } = await open();
    await publish({ date: MONDAY, symbol: 'A', type: 'bond' });
    expect(await reader.periods(quotes, { types: ['bond'] })).toHaveLength(1);
    expect(await reader.periods(quotes, { types: [] })).toEqual([]);
  });

  test('stay the same for a reader that is open while they are corrected and retired', async () => {
    const { publish, retire, reader } = await open();
    await publish({ date: MONDAY, symbol: 'A' }, { date: MONDAY, symbol: 'B' });
    await publish({ date: TUESDAY, symbol: 'A' });
    // Nothing is superseded yet.
    const dateRange = [MONDAY, TUESDAY] as const;
    const expected = ['06 A 1', '06 B 1'];
    const expectSame = async () => {
      expect(await read(reader, 1, { dateRange })).toEqual(expected);
      expect(await read(reader, 1, {})).toEqual(expected);
      expect(await read(reader, 2, { dateRange })).toEqual(['07 A 2', ...expected]);
    };
    await expectSame();
    await publish({ date: MONDAY, symbol: 'A' });
    await expectSame();
    await retire(MONDAY, 'B');
    await expectSame();
    await publish({ date: MONDAY, symbol: 'A' }, { date: MONDAY, symbol: 'B' });
    await expectSame();
    expect(await read(reader, 4, { dateRange })).toEqual(['07 A 2', '06 A 3']);
  });
});
