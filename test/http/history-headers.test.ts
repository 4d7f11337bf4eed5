import { expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { publishAt } from '../support/publish-at.ts';
import { quote } from '../support/quote-fixture.ts';
import { createStore } from '../support/store.ts';
import { useTestServer } from '../support/use-test-server.ts';

const [FIRST, SECOND] = ['2026-03-01T10:00:00.250Z', '2026-03-02T00:00:00.125Z'];

const service = useTestServer(async () => {
  const store = await createStore();
  const records = [quote({ symbol: 'AAA' }), quote({ symbol: 'BBB' })];
  await publishAt(store, FIRST, quotes, { records });
  await publishAt(store, SECOND, quotes, { records: [quote({ symbol: 'AAA', lastPrice: 1 })] });
  return store;
});

const readInstants = async (target: string, headers: Record<string, string> = {}) => {
  const response = await service.request(target, headers);
  await response.body?.cancel();
  const names = ['tenor-revision', 'tenor-published-at', 'tenor-since-published-at'];
  return names.map((name) => response.headers.get(name));
};

test.each([
  ['/2.0/bnb/quote', {}],
  ['/2.0/bnb/quote?limit=1&from=2020-01-01', {}],
  ['/2.0/bnb/quote?format=csv', {}],
  ['/2.0/bnb/quote', { 'if-none-match': '*' }],
  ['/3.0/funds/allocation?fund_id=unknown', {}],
  ['/catalogue', {}],
  ['/revisions', {}],
  ['/revisions/1', {}],
  ['/exports/quotes.csv', {}],
  ['/exports/quotes.csv', { 'if-none-match': '*' }],
  ['/events', {}],
  ['/changes/quotes?since=0', {}],
])('%s %j tells when its revision was published', async (target, headers) => {
  expect(await readInstants(target, headers)).toEqual(['2', SECOND, null]);
  // From the cache.
  expect(await readInstants(target, headers)).toEqual(['2', SECOND, null]);
});

test.each([
  ['/2.0/bnb/quote?as_of=1', {}],
  ['/2.0/bnb/quote', { 'accept-datetime': 'Sun, 01 Mar 2026 12:00:00 GMT' }],
  ['/exports/quotes.csv?as_of=1', {}],
  ['/changes/quotes?since=0&until=1', {}],
])('%s %j tells it of the revision that it is of', async (target, headers) => {
  expect(await readInstants(target, headers)).toEqual(['1', FIRST, null]);
});

test('there is none before the first revision', async () => {
  expect(await readInstants('/2.0/bnb/quote?as_of=2020-01-01T00:00:00Z')).toEqual([
    '0',
    null,
    null,
  ]);
});

test('changes and events tell when the revision was published that they lead on from', async () => {
  const expected = ['2', SECOND, FIRST];
  expect(await readInstants('/changes/quotes?since=1')).toEqual(expected);
  expect(await readInstants('/events', { 'last-event-id': '1' })).toEqual(expected);
});
