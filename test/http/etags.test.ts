import { afterEach, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { onlineBankingAnnualVolume as series } from '../../src/catalogue/datasets/series/online-banking-annual-volume.ts';
import { RESPONSE_FORMATS } from '../../src/catalogue/model/response-format.ts';
import { retryUntil } from '../support/eventually.ts';
import { fetchRaw, pickLastingHeaders } from '../support/fetch-raw.ts';
import { DESCRIBED_BY } from '../support/follow-links.ts';
import { generateQuotes } from '../support/generate-quotes.ts';
import { quote } from '../support/quote-fixture.ts';
import { createFilledStore, createStore, type TestStore } from '../support/store.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { issueSecret } from '../support/use-test-server.ts';

const QUOTES = '/2.0/bnb/quotes';
const forms = Object.values(RESPONSE_FORMATS).map(({ mediaType }) => mediaType);
const encodings = ['identity', 'zstd', 'br', 'gzip'];

let stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.toReversed()) await stop();
  stops = [];
});

async function serving(store: TestStore): Promise<TestServer> {
  const service = await startTestServer(store);
  stops.push(service.stop);
  return service;
}

/** Another server on the same store, which the first one removes. */
function another(store: TestStore): Promise<TestServer> {
  return serving({ ...store, remove: async () => {} });
}

async function tagOf(service: TestServer, target: string, headers = {}): Promise<string> {
  return (await fetchRaw(service, target, headers)).headers.get('etag') ?? '';
}

/** The tag once the server has seen a revision. */
async function tagAt(service: TestServer, target: string, revision: number): Promise<string> {
  let tag = '';
  await retryUntil(3_000, async () => {
    const { headers } = await fetchRaw(service, target);
    expect(headers.get('tenor-revision')).toBe(String(revision));
    tag = headers.get('etag') ?? '';
  });
  return tag;
}

test('ETags are strong and differ between formats and encodings', async () => {
  const service = await serving(await createStore());
  await service.store.publish(quotes, generateQuotes(['2026-06-01'], 60));
  const tags: string[] = [];
  for (const accept of forms) {
    for (const encoding of encodings) {
      const requestHeaders = { accept, 'accept-encoding': encoding };
      const { headers } = await fetchRaw(service, QUOTES, requestHeaders);
      const sent = headers.get('content-encoding') ?? 'identity';
      if (sent === encoding) tags.push(headers.get('etag') ?? '');
    }
  }
  for (const tag of tags) expect(tag).toMatch(/^"[!#-~]+"$/);
  // Two of the six forms are small as they are.
  expect(tags.length).toBe(4 * 4 + 2);
  expect(new Set(tags).size).toBe(tags.length);
});

test('no response has headers of another one of the same dataset and revision', async () => {
  const service = await serving(await createStore());
  await service.store.publish(quotes, generateQuotes(['2026-06-01'], 3));
  const targets = ['', '?limit=1', '?symbol=S01', '?limit=2'].map((query) => QUOTES + query);
  const fetchHeaders = async (target: string, prefer = '') =>
    pickLastingHeaders((await fetchRaw(service, target, { prefer })).headers);
  const cold = await Promise.all(targets.map((target) => fetchHeaders(target)));
  await fetchHeaders(`${QUOTES}?symbol=S02`, 'count=exact');
  expect(await Promise.all(targets.map((target) => fetchHeaders(target)))).toEqual(cold);
  expect(new Set(cold.map(({ etag }) => etag)).size).toBe(targets.length);
  expect(cold.map(({ link }) => link !== DESCRIBED_BY)).toEqual([false, true, false, true]);
  expect(cold.map((headers) => headers['tenor-total-count'])).toEqual(targets.map(() => undefined));
});

test('the same ETag has the same bytes on another server and for another token', async () => {
  const store = await createFilledStore();
  const secret = await issueSecret(store, ['quotes', 'alternate']);
  const one = await serving(store);
  const two = await another(store);
  const bearer = { authorization: `Bearer ${secret}` };
  for (const target of [`${QUOTES}?limit=1`, `${QUOTES}?from=2020-01-01`, series.paths[0]]) {
    for (const accept of forms) {
      const here = await fetchRaw(one, target, { accept });
      const there = await fetchRaw(two, target, { accept, ...bearer });
      expect(there.headers.get('etag')).toBe(here.headers.get('etag'));
      expect(there.bytes).toEqual(here.bytes);
    }
  }
});

test('an ETag outlives revisions that do not change its response', async () => {
  const service = await serving(await createStore());
  const { store } = service;
  await store.publish(quotes, generateQuotes(['2026-06-01', '2026-06-02'], 3));
  const latest = await tagAt(service, QUOTES, 1);
  const older = await tagOf(service, `${QUOTES}?date=2026-06-01`);
  await store.publish(series, [series.example]);
  expect(await tagAt(service, QUOTES, 2)).toBe(latest);
  await store.publish(quotes, [quote({ date: '2026-06-02', symbol: 'S01', lastPrice: 1 })]);
  expect(await tagAt(service, QUOTES, 3)).not.toBe(latest);
  expect(await tagAt(service, `${QUOTES}?date=2026-06-01`, 3)).toBe(older);
});

test('the ETag of a page changes with whether more records match, and with the revision', async () => {
  const service = await serving(await createStore());
  const { store } = service;
  await store.publish(quotes, generateQuotes(['2026-06-01'], 3));
  const target = `${QUOTES}?limit=3`;
  const full = await tagAt(service, target, 1);
  await store.publish(quotes, [quote({ date: '2026-06-01', symbol: 'T' })]);
  const cut = await tagAt(service, target, 2);
  expect(cut).not.toBe(full);
  expect((await fetchRaw(service, target, { 'if-none-match': full })).status).toBe(200);
  await store.publish(series, [series.example]);
  expect(await tagAt(service, target, 3)).toBe(cut);
  // A client that reused the response would follow its link into an older revision.
  await store.publish(quotes, [quote({ date: '2026-06-01', symbol: 'T', lastPrice: 1 })]);
  expect(await tagAt(service, target, 4)).not.toBe(cut);
});

test('the ETag of a page of revisions changes with the link to the next one', async () => {
  const service = await serving(await createStore());
  const { store } = service;
  for (const lastPrice of [1, 2]) await store.publish(quotes, [quote({ lastPrice })]);
  const [all, cut] = ['/revisions?dataset=quotes', '/revisions?dataset=quotes&limit=1'];
  const tags = [await tagAt(service, all, 2), await tagAt(service, cut, 2)];
  await store.publish(series, [series.example]);
  expect(await tagAt(service, all, 3)).toBe(tags[0] ?? '');
  expect(await tagAt(service, cut, 3)).not.toBe(tags[1] ?? '');
});

test('If-None-Match gives 304 until the response changes', async () => {
  const service = await serving(await createStore());
  const { store } = service;
  await store.publish(quotes, generateQuotes(['2026-06-01'], 3));
  const conditions = { 'if-none-match': await tagAt(service, QUOTES, 1) };
  await store.publish(series, [series.example]);
  await tagAt(service, QUOTES, 2);
  const unchanged = await fetchRaw(service, QUOTES, conditions);
  expect([unchanged.status, unchanged.headers.get('tenor-revision')]).toEqual([304, '2']);
  await store.publish(quotes, [quote({ date: '2026-06-01', symbol: 'S01', lastPrice: 1 })]);
  await tagAt(service, QUOTES, 3);
  expect((await fetchRaw(service, QUOTES, conditions)).status).toBe(200);
});

test('ETags of the ledger differ between scopes', async () => {
  const store = await createFilledStore();
  const secret = await issueSecret(store, ['quotes']);
  const service = await serving(store);
  const all = await tagOf(service, '/revisions');
  const some = await tagOf(service, '/revisions', { authorization: `Bearer ${secret}` });
  expect(some).not.toBe(all);
  expect(await tagOf(await another(store), '/revisions')).toBe(all);
});
