import { afterEach, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { createDeclaredDataset } from '../../src/catalogue/model/create-dataset.ts';
import type { OperationRequest } from '../../src/http/pipeline/route.ts';
import { RequestTarget } from '../../src/http/request/parse-query.ts';
import { createAnalyticsRoute } from '../../src/operations/analytics/analytics-route.ts';
import { createDatasetRoutes } from '../../src/operations/records/record-routes.ts';
import { countMatches } from '../../src/operations/searched-records.ts';
import type { Selection, StoreReader } from '../../src/store/open-store.ts';
import { QUOTE_FILTERS } from '../../src/store/sql/quote-filters.ts';
import { KIBOR } from '../support/declared-rates.ts';

const bank = { field: 'bank', title: 'Bank' };
const [{ parse, cost } = {} as never] = createDatasetRoutes(
  createDeclaredDataset({ ...KIBOR, dimensions: [...(KIBOR.dimensions ?? []), bank] }),
);

test.each([
  ['', 1],
  ['tenor=6M&bank=A', 1],
  ['tenor=6M', 10],
  ['bank=A,B', 10],
  [`tenor=1M&bank=${'A,'.repeat(49)}B`, 1],
  [`tenor=1M,6M&bank=${'A,'.repeat(25)}B`, 10],
  [`tenor=1M,6M&bank=${'A,'.repeat(49)}B`, 10],
])('a request for %p costs %p until it is known what it found', (query, expected) => {
  const request = {
    target: new RequestTarget(`/datasets/kibor?${query}`),
    includesTotal: false,
  };
  const planned = parse(request as unknown as OperationRequest);
  expect(cost({ ...planned, available: 50 } as never)).toBe(expected);
  // By its limit, if it is not known how many records there are.
  expect(cost(planned as never)).toBe(100);
});

afterEach(() => void Object.assign(QUOTE_FILTERS.type, { isIndexed: true }));

test.each([
  ['/2.0/bnb/quotes', createDatasetRoutes(quotes)[0]],
  ['/2.0/bnb/analytics', createAnalyticsRoute()],
])(
  'a request for %s by a filter without an index may cost all quotes until it is known what it found',
  (path, route) => {
    const target = new RequestTarget(`${path}?type=bond&from=2026-06-01&to=2026-06-02&limit=1`);
    const plan = () =>
      route?.parse({ target, includesTotal: false } as unknown as OperationRequest);
    const getCost = (available: number) => route?.cost({ ...plan(), available } as never) ?? 0;
    expect(plan()).not.toHaveProperty('isBounded');
    const usual = getCost(10);
    expect(getCost(40_000)).toBe(usual);
    Object.assign(QUOTE_FILTERS.type, { isIndexed: false });
    // Otherwise nobody asks how many there are.
    expect(plan()).toMatchObject({ isBounded: true });
    expect(getCost(40_000)).toBe(usual + 20);
  },
);

test('the matches of a selection are counted once, whatever page, limit or format is asked for', async () => {
  let reads = 0;
  const reader = { read: async () => ({ total: ++reads }) } as unknown as StoreReader;
  const selection = {
    kind: 'quotes',
    dataset: quotes,
    type: 'bond',
    asOf: 3,
    limit: 3,
  } as Selection;
  const count = (changes: object) =>
    countMatches(reader, { ...selection, ...changes } as Selection);
  for (const changes of [{}, { after: ['2026-06-01', 'A'] }, { limit: 7 }, { asNdjson: true }])
    expect(await count(changes)).toBe(1);
  for (const changes of [{ asOf: 2 }, { type: 'tbill' }, { dataset: { ...quotes, name: 'other' } }])
    expect(await count(changes)).toBe(reads);
  expect(reads).toBe(4);
});
