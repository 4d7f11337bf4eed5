import { afterEach, describe, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { createDeclaredDataset } from '../../src/catalogue/model/create-dataset.ts';
import type { QuoteFilters } from '../../src/store/open-store.ts';
import { QUOTE_FILTERS } from '../../src/store/sql/quote-filters.ts';
import { declareIn, KIBOR } from '../support/declared-rates.ts';
import { generateQuotes } from '../support/generate-quotes.ts';
import { ENGINES } from '../support/store.ts';
import { useTestServer } from '../support/use-test-server.ts';

const RATES = {
  ...KIBOR,
  dimensions: [
    { field: 'tenor', title: 'Tenor' },
    { field: 'bank', title: 'Bank' },
  ],
};
const [MANY_DAY, FEW_DAY] = ['2026-06-01', '2026-06-02'];
const MANY = 4_100;

/** A request that has each filter of quotes; 2,000 records that are looked at cost one request. */
const BY_FILTER: Readonly<Record<Exclude<keyof QuoteFilters, 'types'>, string>> = {
  security: 'symbol=S0001',
  securities: 'symbol=S0001,S0002',
  type: 'type=bond',
};
const FILTERS = Object.keys(BY_FILTER) as (keyof typeof BY_FILTER)[];
const OPERATIONS = ['/2.0/bnb/quote', '/2.0/bnb/quotes', '/vintages/quotes', '/2.0/bnb/analytics'];

const setIndexed = (name: keyof QuoteFilters, isIndexed: boolean) =>
  Object.assign(QUOTE_FILTERS[name], { isIndexed });

afterEach(() => {
  for (const name of FILTERS) setIndexed(name, true);
});

describe.each([...ENGINES])('on $name, a request', ({ createStore }) => {
  const service = useTestServer(
    async () => {
      const store = await createStore();
      await store.publish(quotes, [
        ...generateQuotes([MANY_DAY], MANY),
        ...generateQuotes([FEW_DAY], 10),
      ]);
      await declareIn(store, RATES);
      const dataset = createDeclaredDataset(RATES);
      await store.publish(
        dataset,
        Array.from({ length: MANY }, (_, index) => ({
          ...{ date: MANY_DAY, tenor: '1M', bank: `B${index}`, bid: index, offer: null },
        })),
      );
      return store;
    },
    { rateLimit: { count: 10_000, windowMs: 10 ** 12 } },
  );

  const readLeft = async (target: string) => {
    const response = await service.request(target);
    expect([target, response.status]).toEqual([target, 200]);
    await response.text();
    return Number(/r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1]);
  };
  /** What a request costs whose response is not cached; a small one, which is, costs one. */
  const measure = async (target: string) => {
    const small = '/2.0/bnb/quote?symbol=S0001&limit=1';
    await readLeft(small);
    const before = await readLeft(small);
    return before - (await readLeft(target));
  };

  test('takes the filters of quotes by an index, and costs what it finds', () => {
    for (const { isIndexed } of Object.values(QUOTE_FILTERS)) expect(isIndexed).toBe(true);
  });

  test.each(OPERATIONS.flatMap((path) => FILTERS.map((name) => [path, name] as const)))(
    'for %s by %s costs what may be read if no index has it, however little it finds',
    async (path, name) => {
      const costs: number[] = [];
      for (const [isIndexed, days] of [
        [true, `date=${FEW_DAY}&limit=1`],
        [false, `date=${FEW_DAY}&limit=1&sort=desc`],
        [true, `from=${MANY_DAY}&to=${MANY_DAY}&limit=1`],
        [false, `from=${MANY_DAY}&to=${MANY_DAY}&limit=1&sort=desc`],
      ] as const) {
        setIndexed(name, isIndexed);
        costs.push(await measure(`${path}?${BY_FILTER[name]}&${days}`));
      }
      const [few = 0, fewSearched, many = 0, manySearched] = costs;
      expect([fewSearched, manySearched]).toEqual([few, many + Math.floor(MANY / 2_000)]);
    },
  );

  test.each([
    ['/datasets/kibor?bank=B7&limit=1', 3],
    ['/datasets/kibor?bank=B7&limit=2&from=2026-07-01', 1],
    ['/datasets/kibor?bank=nobody', 3],
    ['/datasets/kibor?tenor=1M&limit=3', 3],
    ['/datasets/kibor?bank=B7&frequency=month', 3],
    ['/datasets/kibor?bank=B7&frequency=month&from=2026-06&to=2026-06', 3],
    ['/datasets/kibor?bank=B7&limit=1&as_of=2', 1],
    ['/vintages/kibor?bank=B7&limit=1&as_of=2', 1],
    ['/vintages/kibor?bank=B7&limit=1', 3],
    ['/vintages/kibor?bank=B7&release=first', 3],
    ['/datasets/kibor?bank=B7&tenor=1M', 1],
    ['/vintages/kibor?bank=B7&tenor=1M', 1],
    ['/datasets/kibor?limit=4', 1],
  ])(
    'for dimensions of a declared dataset that no index has costs all of it: %s costs %p',
    async (target, cost) => {
      expect(await measure(target)).toBe(cost);
    },
  );
});
