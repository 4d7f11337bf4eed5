import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { type Quote, quote } from '../support/quote-fixture.ts';
import { createStore } from '../support/store.ts';
import { startTestServer } from '../support/test-server.ts';

const symbols = ['AAA', 'aaa', 'BBB', 'ZZ1', 'ZZ2', 'b'];
const isins = ['ZZ1', 'ZZ2', 'ZZ3', 'zz3', 'BBB'];
const days = ['2025-12-30', '2025-12-31', '2026-01-01', '2026-01-02', '2026-02-28'];
const types = ['tbill', 'bond', 'corporate'] as const;

const anyQuote = fc
  .record({
    date: fc.constantFrom(...days),
    symbol: fc.constantFrom(...symbols),
    isin: fc.constantFrom(...isins),
    type: fc.constantFrom(...types),
    lastPrice: fc.integer({ min: 1, max: 200 }),
  })
  .map(quote);

const anyMarket = fc.uniqueArray(anyQuote, {
  selector: ({ date, symbol }) => `${date} ${symbol}`,
  maxLength: 30,
});

interface Query {
  symbol?: string | undefined;
  date?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  type?: string | undefined;
  limit?: number | undefined;
}

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const anyQuery: fc.Arbitrary<Query> = fc.record({
  symbol: maybe(fc.constantFrom(...symbols, ...isins, 'nobody')),
  date: maybe(fc.constantFrom(...days)),
  from: maybe(fc.constantFrom(...days, '1999-01-01')),
  to: maybe(fc.constantFrom(...days, '2099-01-01')),
  type: maybe(fc.constantFrom(...types, 'all')),
  limit: maybe(fc.integer({ min: 1, max: 12 })),
});

/** The contract's rules for quotes, as plainly as they can be written: undefined means 400. */
function expected(market: readonly Quote[], query: Query): Quote[] | undefined {
  const { symbol, date, from, to, type, limit = 100 } = query;
  if (date && (from || to)) return undefined;
  if (from && to && from > to) return undefined;
  let found = [...market];
  if (symbol) {
    const is = (text: string) => text.toUpperCase() === symbol.toUpperCase();
    const bySymbol = found.filter((record) => is(record.symbol));
    found = bySymbol.length > 0 ? bySymbol : found.filter((record) => is(record.isin));
  }
  if (type && type !== 'all') found = found.filter((record) => record.type === type);
  if (date) found = found.filter((record) => record.date === date);
  if (from) found = found.filter((record) => record.date >= from);
  if (to) found = found.filter((record) => record.date <= to);
  if (!date && !from && !to) {
    const newest = found
      .map((record) => record.date)
      .toSorted()
      .at(-1);
    found = found.filter((record) => record.date === newest);
  }
  const order = (a: Quote, b: Quote) =>
    a.date === b.date ? (a.symbol < b.symbol ? -1 : 1) : a.date < b.date ? 1 : -1;
  return found.toSorted(order).slice(0, limit);
}

test('every query on any quotes gets what the contract says, in the same order each time', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyMarket,
      fc.array(anyQuery, { minLength: 10, maxLength: 20 }),
      async (market, queries) => {
        const store = await createStore();
        await store.publish(quotes, market);
        const service = await startTestServer(store);
        for (const query of queries) {
          const given = Object.entries(query).filter(([, value]) => value !== undefined);
          const search = new URLSearchParams(
            given.map(([name, value]): [string, string] => [name, String(value)]),
          );
          const response = await service.request(`/2.0/bnb/quote?${search}`);
          const model = expected(market, query);
          expect([search.toString(), response.status]).toEqual([
            search.toString(),
            model ? 200 : 400,
          ]);
          if (model) expect(await response.json()).toEqual({ status: 'ok', data: model });
        }
        await service.stop();
      },
    ),
    { numRuns: 40 },
  );
});
