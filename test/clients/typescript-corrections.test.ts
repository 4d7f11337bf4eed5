import { expect, test } from 'bun:test';
import type { Correction, DatasetName } from '../../clients/typescript/src/index.ts';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { paymentsMarketPlayers } from '../../src/catalogue/datasets/series/index.ts';
import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import { buildCorrection, getKey, publishAt } from '../support/publish-at.ts';
import { type Quote, quote } from '../support/quote-fixture.ts';
import { createStore } from '../support/store.ts';
import { useTestServer } from '../support/use-test-server.ts';
import { catchError, createClient } from './typescript-support.ts';

const day = (index: number) => `2026-03-${10 + index}`;
/** Six quotes, and the same with another price. */
const [first, second] = [1, 2].map((lastPrice) =>
  Array.from({ length: 6 }, (_, index) =>
    quote({ date: day(index), symbol: index < 4 ? 'A' : 'B', isin: 'ZZ1', lastPrice }),
  ),
) as [Quote[], Quote[]];
const retiredQuote = first[0] as Quote;

const service = useTestServer(async () => {
  const store = await createStore();
  const publish = (revision: number, dataset: Dataset, change: Parameters<typeof publishAt>[3]) =>
    publishAt(store, `2026-01-0${revision}T00:00:00Z`, dataset, change);
  await publish(1, quotes, { records: first });
  await publish(2, quotes, { records: second });
  await publish(3, quotes, { retiredKeys: [getKey(quotes, retiredQuote)] });
  for (const [index, dataset] of [fundAllocation, paymentsMarketPlayers].entries()) {
    await publish(4 + 2 * index, dataset, { records: [dataset.example] });
    await publish(5 + 2 * index, dataset, { records: [buildCorrection(dataset, dataset.example)] });
  }
  return store;
});

test('corrections are typed like the records of their dataset', async () => {
  const tenor = createClient(service);
  const { data, meta } = await tenor.corrections('quotes');
  expect(data).toEqual((await service.getJson('/corrections/quotes')).data);
  expect(meta).toMatchObject({ revision: 7, next: undefined });
  const [retired, ...rest] = data;
  expect(retired).toMatchObject({ revision: 3, change: 'retired', new: null });
  const prices: number[] = rest.flatMap(({ old, new: current }) => [
    old.lastPrice,
    current?.lastPrice ?? 0,
  ]);
  expect(prices).toEqual(Array.from({ length: 6 }, () => [1, 2]).flat());

  const { data: funds } = await tenor.corrections('fund-allocation', {
    fund_id: fundAllocation.example.fund_id.toUpperCase(),
  });
  expect(funds.map(({ old }) => old.periods.length)).toEqual([
    fundAllocation.example.periods.length,
  ]);
  const { data: players } = await tenor.corrections('payments-market-players');
  expect(players.map(({ old }) => old.total)).toEqual([paymentsMarketPlayers.example.total]);
});

test('corrections and the catalogue can be downloaded in every format', async () => {
  const tenor = createClient(service);
  const corrections = await tenor.download('corrections', 'csv', { dataset: 'quotes', limit: 1 });
  expect(await corrections.text()).toStartWith('revision,publishedAt,change,version,date,');
  const datasets = await tenor.download('catalogue', 'csv', { fields: ['name', 'title'] });
  expect(await datasets.text()).toStartWith('name,title\r\nquotes,');
});

test('corrections.all returns every correction once and in order for any page size', async () => {
  const { corrections } = createClient(service);
  const complete = (await corrections('quotes')).data;
  for (const limit of [1, 2, 3, 7, 8]) {
    const all: Correction<'quotes'>[] = await corrections.all('quotes', { limit }).toArray();
    expect(all).toEqual([...complete]);
    const sizes: number[] = [];
    for await (const { data } of corrections.pages('quotes', { limit })) sizes.push(data.length);
    expect(sizes).toHaveLength(Math.ceil(7 / limit));
  }
});

test('asOf(…).corrections returns the corrections up to then', async () => {
  const { data, meta } = await createClient(service).asOf('2026-01-02').corrections('quotes');
  expect(data.map(({ revision }) => revision)).toEqual([2, 2, 2, 2, 2, 2]);
  expect(meta.memento?.toISOString()).toBe('2026-01-02T00:00:00.000Z');
});

test('corrections rejects with the error of the service', async () => {
  const tenor = createClient(service);
  const error = await catchError(tenor.corrections('fund-allocation', { symbol: 'A' }));
  expect(error).toMatchObject({ kind: 'bad_request', status: 400 });
  expect(error.message).toContain('unknown parameter "symbol"');
  const unknown = catchError(tenor.corrections.all('none' as DatasetName).toArray());
  expect(await unknown).toMatchObject({ kind: 'not_found' });
});
