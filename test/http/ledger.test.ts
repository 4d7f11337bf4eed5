import { describe, expect, test } from 'bun:test';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { securities } from '../../src/catalogue/datasets/securities.ts';
import { onlineBankingAnnualVolume as online } from '../../src/catalogue/datasets/series/index.ts';
import { createDeclaredDataset } from '../../src/catalogue/model/create-dataset.ts';
import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';
import type { Declaration } from '../../src/catalogue/model/declaration.ts';
import { handleRequest } from '../../src/http/pipeline/handle-request.ts';
import { openNote, parseVerifierKey } from '../../src/ledger/note.ts';
import { type Hash, hashLeaf, hashNode, hashSubtree } from '../../src/ledger/tree.ts';
import { retireDataset } from '../../src/publish/declare-dataset.ts';
import { StoreMigratedError } from '../../src/store/open-store.ts';
import { declareIn, KIBOR, kibor } from '../support/declared-rates.ts';
import { readFixture } from '../support/fixtures.ts';
import { computeProvenRoots, readCheckpoint, readEntry } from '../support/ledger-client.ts';
import { encodeRow } from '../support/publish-at.ts';
import { quote } from '../support/quote-fixture.ts';
import { createTestContext, createTestRoutes } from '../support/request-context.ts';
import { createStore, type TestStore } from '../support/store.ts';
import { errorMessage } from '../support/test-server.ts';
import { issueSecret, useTestServer } from '../support/use-test-server.ts';

const ORIGIN = { source: 'sécret source', author: 'secret author' };
const FIRST_KIBOR: Declaration = { ...KIBOR, measures: KIBOR.measures.slice(0, 1), chart: ['bid'] };
const firstKibor = createDeclaredDataset(FIRST_KIBOR);
const rate = { date: '2026-06-01', tenor: '1M', bid: 11 };
const [security = {}] = readFixture(securities);
const plainSecurity = { ...security, settlementDays: null, calendar: null };
const fund = (fund_id: string) => ({ ...fundAllocation.example, fund_id });

/** Records from before fields were added to their datasets, and a dataset that is no more. */
async function publishLedger(store: TestStore): Promise<TestStore> {
  const publisher = store.publisher();
  const publish = async (dataset: Dataset, ...records: AnyRecord[]) => {
    const rows = [records.map((record) => encodeRow(dataset, record, STATUSES[dataset.name]))];
    await publisher.publish({ dataset, rows, ...ORIGIN });
  };
  await publish(securities, plainSecurity);
  await declareIn(store, FIRST_KIBOR);
  await publish(firstKibor, rate, { ...rate, tenor: '6M' });
  await declareIn(store, KIBOR);
  await publish(kibor, { ...rate, bid: 12, offer: 13 });
  await publish(quotes, quote({ symbol: 'SECRETBILL' }), quote({ symbol: 'B' }));
  await publish(fundAllocation, fund('a'));
  await publish(fundAllocation, fund('A'));
  await publish(online, online.example);
  await retireDataset(publisher, { name: kibor.name, withRecords: true, ...ORIGIN });
  publisher.close();
  return store;
}
const STATUSES: Readonly<Record<string, 'P'>> = { [online.name]: 'P' };
const REVISIONS = Array.from({ length: 11 }, (_, index) => index + 1);
const QUOTES_AT = 6;

const OPEN_TARGETS = [
  '/ledger/checkpoint',
  '/ledger/tile/0/000.p/11',
  '/ledger/tile/entries/000.p/11',
  '/ledger/proof/6?from=3',
  '/ledger/keys',
];

describe('the log of the ledger', () => {
  const secrets: Record<string, string> = {};
  const service = useTestServer(async () => {
    const store = await publishLedger(await createStore());
    for (const scope of ['quotes', 'funds']) secrets[scope] = await issueSecret(store, [scope]);
    return store;
  });
  const open = (target: string, headers: Record<string, string> = {}, method = 'GET') =>
    service.request(target, { authorization: '', ...headers }, method);
  const readBytes = async (target: string) => Buffer.from(await (await open(target)).bytes());

  test('has a checkpoint that its key has signed, with a tag and the revision', async () => {
    const response = await open('/ledger/checkpoint');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-cache',
      'tenor-revision': '11',
      'access-control-allow-origin': '*',
    });
    const { data } = await service.getJson('/ledger/keys', { authorization: '' });
    const key = await parseVerifierKey(data.key);
    expect(data).toEqual({
      origin: key?.name,
      key: data.key,
      keys: [{ key: data.key, size: 0, note: null }],
    });
    const text = key && (await openNote(await response.text(), key));
    expect(text).toStartWith(`${data.origin}\n11\n`);
    const etag = response.headers.get('etag') ?? '';
    expect((await open('/ledger/checkpoint', { 'if-none-match': etag })).status).toBe(304);
  });

  test('has the checkpoints of all earlier sizes, with the instants of their revisions', async () => {
    const { data } = await service.getJson('/revisions?limit=11');
    const key = await parseVerifierKey((await service.getJson('/ledger/keys')).data.key);
    for (const { revision, publishedAt } of data) {
      const response = await open(`/ledger/checkpoint?size=${revision}`);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'tenor-revision': String(revision),
        'tenor-published-at': publishedAt,
      });
      const text = key && (await openNote(await response.text(), key));
      expect(text).toStartWith(`${key?.name}\n${revision}\n`);
    }
    const tooLarge = await open('/ledger/checkpoint?size=12');
    expect(tooLarge.status).toBe(400);
    expect(await tooLarge.text()).toContain('a size that the log has had, from 1 to 11');
  });

  test('proves every revision, and that every earlier log is a part of it', async () => {
    const { size, root } = await readCheckpoint(open);
    expect(size).toBe(REVISIONS.length);
    const tile = await readBytes('/ledger/tile/0/000.p/11');
    const readHash = async (level: number, position: number): Promise<Hash> =>
      level === 0
        ? new Uint8Array(tile.subarray(32 * position, 32 * (position + 1)))
        : hashNode(
            await readHash(level - 1, 2 * position),
            await readHash(level - 1, 2 * position + 1),
          );
    const entries = await readBytes('/ledger/tile/entries/000.p/11');
    for (const revision of REVISIONS) {
      const { entry, digest, changes } = await readEntry(service.request, revision, 1);
      expect([entry.revision, entry.changes]).toEqual([revision, changes]);
      expect(await hashLeaf(digest)).toEqual(await readHash(0, revision - 1));
      expect(entries.subarray(34 * (revision - 1), 34 * revision)).toEqual(
        Buffer.concat([Buffer.of(0, 32), digest]),
      );
      const earlier = { size: revision, root: await hashSubtree(0, revision, readHash) };
      expect(await computeProvenRoots(open, revision, earlier)).toEqual([root, earlier.root, root]);
    }
  });

  test('has lines of changes as they were stored, and others with all fields', async () => {
    const read = async (query: string) => (await service.request(`/changes/${query}`)).text();
    const stored = await read('securities?since=0&until=1&as_stored=true');
    expect(stored).not.toContain('calendar');
    expect(await read('securities?since=0&until=1')).toContain('"calendar":null');
    const lines = await read('kibor?since=2&until=3&as_of=5&as_stored=true&format=ndjson');
    expect(lines).toBe(
      ['1M', '6M']
        .map((tenor) => `{"change":"added","record":${JSON.stringify({ ...rate, tenor })}}\n`)
        .join(''),
    );
    expect(await read('kibor?since=0&as_of=5&as_stored=true')).toContain('"tenor":"6M","bid":11}');
    expect(await read('kibor?since=0&as_of=5&as_stored=false')).toContain('"offer":null');
    for (const query of ['format=csv', 'format=ndjson&fields=symbol'])
      expect(
        await errorMessage(
          await service.request(`/changes/quotes?since=0&as_stored=true&${query}`),
        ),
      ).toBe(
        'parameter "as_stored" can be used only as JSON or NDJSON with all fields; give "format" as one of json, ndjson, and leave "fields" out',
      );
  });

  test('gives entries to tokens with the scope alone, and digests of all to everybody', async () => {
    const get = (revision: number, secret = secrets.quotes) =>
      service.request(`/ledger/entries/${revision}`, { authorization: `Bearer ${secret}` });
    const own = await get(QUOTES_AT);
    expect(own.headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
    expect(own.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await own.text()).toStartWith('{"revision":6,"dataset":"quotes","publishedAt":"');
    for (const _ of ['store', 'cache']) {
      expect((await get(QUOTES_AT, secrets.funds)).status).toBe(403);
      expect((await get(QUOTES_AT)).status).toBe(200);
    }
    expect((await get(12)).status).toBe(404);
    expect((await open(`/ledger/entries/${QUOTES_AT}`)).status).toBe(401);
    for (const target of OPEN_TARGETS) {
      const response = await open(target);
      expect([target, response.status]).toEqual([target, 200]);
      expect(await response.text()).not.toMatch(/secret|kibor|quotes|test/i);
    }
  });

  test.each([
    '/ledger/proof/12',
    '/ledger/proof/0',
    '/ledger/proof/01',
    '/ledger/tile/0/000',
    '/ledger/tile/0/000.p/12',
    '/ledger/tile/0/001.p/1',
    '/ledger/tile/1/000.p/1',
    '/ledger/tile/entries/000',
    '/ledger/tile/63/x999/x999/x999/x999/999.p/255',
    '/ledger/tile/',
    '/ledger/tile',
  ])('answers 404 to %s, which is not there', async (target) => {
    const response = await open(target);
    expect([response.status, await response.json()]).toEqual([
      404,
      { status: 'error', message: 'not_found' },
    ]);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test('rejects an earlier size that the log never had', async () => {
    const response = await open('/ledger/proof/1?from=12');
    expect([response.status, await errorMessage(response)]).toEqual([
      400,
      'parameter "from" must be a size that the log has had, from 1 to 11',
    ]);
    expect((await open('/ledger/proof/1?from=0')).status).toBe(400);
  });

  test.each(OPEN_TARGETS)('answers HEAD, OPTIONS and other methods at %s', async (target) => {
    const [full, head] = [await open(target), await open(target, {}, 'HEAD')];
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
      200,
      String((await full.bytes()).length),
      '',
    ]);
    expect((await open(target, {}, 'OPTIONS')).headers.get('access-control-allow-methods')).toBe(
      'GET, HEAD, OPTIONS',
    );
    expect((await open(target, {}, 'POST')).status).toBe(405);
    expect((await open(`${target}${target.includes('?') ? '&' : '?'}x=1`)).status).toBe(400);
    if (target.includes('tile'))
      expect(full.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const event = service.events.findLast(({ event }) => event === 'request');
    expect(event).toMatchObject({ token: null, route: expect.stringMatching(/^\/ledger\//) });
  });

  test('has a new checkpoint as soon as its key is replaced, without a new revision', async () => {
    const before = await readCheckpoint(open);
    const publisher = service.store.publisher();
    const replaced = await publisher.replaceLedgerKey({});
    publisher.close();
    const after = await readCheckpoint(open);
    expect([after.size, after.root]).toEqual([before.size, before.root]);
    const { data } = await service.getJson('/ledger/keys');
    expect([data.keys.length, data.key]).toEqual([2, replaced.key]);
    const key = await parseVerifierKey(replaced.key);
    expect(key && (await openNote(after.note, key))).toBeDefined();
  });

  test('has each revision as soon as it is published, and data of it from then on', async () => {
    const readRevision = async () =>
      Number((await service.request('/2.0/bnb/quote')).headers.get('tenor-revision'));
    // The first response that is stored is the second.
    for (let time = 0; time < 3; time++) expect(await readRevision()).toBe(REVISIONS.length);
    await service.store.publish(quotes, [quote({ symbol: 'C' })]);
    expect((await readCheckpoint(open)).size).toBe(REVISIONS.length + 1);
    expect(await readRevision()).toBe(REVISIONS.length + 1);
  });
});

describe('a database to which nothing was published', () => {
  const service = useTestServer(createStore);

  test.each(['checkpoint', 'keys', 'proof/1'])(
    'has no log, and says when it gets one: /ledger/%s',
    async (name) => {
      const response = await service.request(`/ledger/${name}`);
      expect([response.status, await errorMessage(response)]).toEqual([
        404,
        'the ledger has no log yet; the first publication creates it',
      ]);
      expect((await service.request('/ledger/tile/0/000.p/1')).status).toBe(404);
    },
  );
});

test('a server whose database was migrated gives nothing of the log', async () => {
  await using store = await createStore();
  await store.publish(quotes, [quotes.example]);
  const reader = store.reader();
  const context = await createTestContext(reader);
  const route = createTestRoutes().find(({ path }) => path === '/ledger/checkpoint');
  const get = async () =>
    (await handleRequest(context, new Request('http://x/ledger/checkpoint'), route)).status;
  expect(await get()).toBe(200);
  context.database.damage.add(['quotes', 'ledger']);
  expect(await get()).toBe(200);
  context.storeHealth.markMigrated(new StoreMigratedError(1, 2));
  expect(await get()).toBe(503);
  reader.close();
});
