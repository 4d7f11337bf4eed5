import { describe, expect, test } from 'bun:test';
import { Catalogue } from '../../src/catalogue/catalogues.ts';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { atmTransactionsAnnualVolume } from '../../src/catalogue/datasets/series/atm-transactions-annual-volume.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { createRevisionRoutes } from '../../src/operations/revisions/revision-routes.ts';
import { serializeRecord } from '../../src/schema/serialize-record.ts';
import { retryUntil } from '../support/eventually.ts';
import { readFixture } from '../support/fixtures.ts';
import { fetchPages, findLink } from '../support/follow-links.ts';
import { getKey, publishAt } from '../support/publish-at.ts';
import { quote } from '../support/quote-fixture.ts';
import { getRaw } from '../support/raw-http.ts';
import { createStore, type TestStore } from '../support/store.ts';
import { errorMessage, startTestServer, TOKEN } from '../support/test-server.ts';
import { issueSecret, useTestServer } from '../support/use-test-server.ts';

const one = quote({ symbol: 'AAA', lastPrice: 1 });
const two = quote({ symbol: 'BBB', lastPrice: 2 });
const better = quote({ symbol: 'AAA', lastPrice: 1.5 });
const files = [{ sha256: 'ab'.repeat(32), name: 'näme "1".csv', bytes: 7 }];
const report = { warnings: [{ rule: 'bid-above-ask', lines: [3, 4] }], note: 'seen "twice"' };
const text = (record: object) => serializeRecord(quotes, { ...record });

const REVISION_3 = {
  revision: 3,
  dataset: 'quotes',
  publishedAt: '2026-01-03T00:00:00.000Z',
  source: 'sheet',
  files: [{ name: 'näme "1".csv', bytes: 7, sha256: 'ab'.repeat(32) }],
  author: 'ann',
  sample: false,
  added: 0,
  corrected: 1,
  retired: 0,
  unchanged: 1,
  note: 'Again <from> the bank',
};

const OPTIONS = {
  mapping: { blank: 'zero' },
  options: { replace: true },
  release: { note: REVISION_3.note },
};

/** Six revisions: quotes in 1, 3, 5 and 6, a fund in 2, a series in 4. */
async function publishSix(store: TestStore): Promise<void> {
  await publishAt(store, '2026-01-01T00:00:00.125Z', quotes, { records: [one, two] });
  await publishAt(store, '2026-01-02T00:00:00Z', fundAllocation, {
    records: [fundAllocation.example],
    sample: true,
  });
  await publishAt(store, '2026-01-03T00:00:00Z', quotes, {
    records: [better, two],
    source: 'sheet',
    author: 'ann',
    files,
    options: OPTIONS,
    report,
  });
  await publishAt(store, '2026-01-04T00:00:00Z', atmTransactionsAnnualVolume, {
    records: readFixture(atmTransactionsAnnualVolume),
  });
  await publishAt(store, '2026-01-05T00:00:00Z', quotes, { retiredKeys: [getKey(quotes, two)] });
  await publishAt(store, '2026-01-06T00:00:00Z', quotes, {
    records: [one, quote({ symbol: 'CCC' }), quote({ symbol: 'DDD' })],
  });
}

describe('revisions', () => {
  const secrets: Record<string, string> = {};
  const service = useTestServer(async () => {
    const store = await createStore();
    await publishSix(store);
    for (const scope of ['quotes', 'funds', 'alternate'])
      secrets[scope] = await issueSecret(store, [scope]);
    return store;
  });

  const as = (scope: string) => ({ authorization: `Bearer ${secrets[scope]}` });
  const numbers = async (target: string, headers?: Record<string, string>) => {
    const { data } = await service.getJson(target, headers);
    return data.map(({ revision }: { revision: number }) => revision);
  };

  describe('/revisions', () => {
    test('lists every revision, newest first, with fields in the documented order', async () => {
      const response = await service.request('/revisions');
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(response.headers.get('cache-control')).toBe('private, no-cache');
      expect(response.headers.get('tenor-revision')).toBe('6');
      expect(response.headers.has('x-request-id')).toBe(true);
      const body = await response.text();
      expect(body).toStartWith('{"status":"ok","data":[{"revision":6,');
      const { data } = JSON.parse(body);
      expect(data.map(({ dataset }: { dataset: string }) => dataset)).toEqual([
        'quotes',
        'quotes',
        'atm-transactions-annual-volume',
        'quotes',
        'fund-allocation',
        'quotes',
      ]);
      expect(body).toContain(`,${JSON.stringify(REVISION_3)},`);
      expect(data[4]).toMatchObject({ revision: 2, sample: true, added: 1 });
    });

    test.each([
      ['?dataset=quotes', [6, 5, 3, 1]],
      ['?dataset=fund-allocation', [2]],
      ['?dataset=online-banking-annual-volume', []],
      ['?before=4', [3, 2, 1]],
      ['?before=1', []],
      ['?before=7', [6, 5, 4, 3, 2, 1]],
      ['?before=9007199254740991', [6, 5, 4, 3, 2, 1]],
      ['?limit=2', [6, 5]],
      ['?limit=10000', [6, 5, 4, 3, 2, 1]],
      ['?dataset=quotes&before=6&limit=2', [5, 3]],
    ])('%s lists revisions %j, from the store and from the cache', async (query, expected) => {
      for (const _ of ['store', 'cache']) {
        expect(await numbers(`/revisions${query}`)).toEqual(expected);
      }
    });

    test.each([
      ['limit=1', [[6], [5], [4], [3], [2], [1]]],
      [
        'limit=4',
        [
          [6, 5, 4, 3],
          [2, 1],
        ],
      ],
      ['limit=6', [[6, 5, 4, 3, 2, 1]]],
      ['before=5&limit=3', [[4, 3, 2], [1]]],
      ['dataset=quotes&limit=3', [[6, 5, 3], [1]]],
    ])('the next links of ?%s lead through pages %j', async (query, expected) => {
      const pages = await fetchPages(service.request, `/revisions?${query}`);
      expect(pages.map((page) => page.map(({ revision }) => revision))).toEqual(expected);
    });

    test.each([
      ['?colour=red', 'unknown parameter "colour"; allowed: dataset, before, limit, cursor'],
      ['?limit=0', 'parameter "limit" must be a whole number from 1 to 10000, in plain digits'],
      ...['0', '9007199254740992', '-1', '01'].map((text) => [
        `?before=${text}`,
        'parameter "before" must be a whole number from 1 to 9007199254740991, in plain digits',
      ]),
      [
        '?dataset=Quotes',
        `parameter "dataset" must be one of ${catalogue.map(({ name }) => name).join(', ')}`,
      ],
    ])('%s is rejected: %s', async (query = '', message = '') => {
      const authorized = `Authorization: Bearer ${TOKEN}`;
      const { status, body } = await getRaw(service.address, `/revisions${query}`, authorized);
      expect(status).toBe(400);
      expect(JSON.parse(body)).toEqual({ status: 'error', message });
    });

    test('a token sees the revisions of datasets in its scopes, also from the cache', async () => {
      for (const _ of ['store', 'cache']) {
        expect(await numbers('/revisions')).toEqual([6, 5, 4, 3, 2, 1]);
        expect(await numbers('/revisions', as('quotes'))).toEqual([6, 5, 3, 1]);
        expect(await numbers('/revisions', as('funds'))).toEqual([2]);
        expect(await numbers('/revisions', as('alternate'))).toEqual([4]);
        expect(await numbers('/revisions?limit=1', as('alternate'))).toEqual([4]);
      }
      const { headers } = await service.request('/revisions', as('funds'));
      expect(headers.get('tenor-revision')).toBe('6');
    });
  });

  describe('/revisions/{n}', () => {
    test('responds with one revision, its report, its options and its changes', async () => {
      const response = await service.request('/revisions/3');
      expect(response.status).toBe(200);
      expect(response.headers.get('tenor-revision')).toBe('6');
      const entry = { ...REVISION_3, report, options: OPTIONS };
      const changes = `[{"change":"corrected","old":${text(one)},"new":${text(better)}}]`;
      expect(await response.text()).toBe(
        `{"status":"ok","data":${JSON.stringify(entry).slice(0, -1)},"changes":${changes}}}`,
      );
    });

    test('additions have no old record, retirements no new one', async () => {
      expect((await service.getJson('/revisions/1')).data.changes).toEqual([
        { change: 'added', old: null, new: one },
        { change: 'added', old: null, new: two },
      ]);
      expect((await service.getJson('/revisions/5')).data.changes).toEqual([
        { change: 'retired', old: two, new: null },
      ]);
    });

    test('its next links lead through all changes, each once', async () => {
      const all = (await service.getJson('/revisions/6')).data;
      expect(all.changes.map(({ change }: { change: string }) => change)).toEqual([
        'corrected',
        'added',
        'added',
      ]);
      for (const limit of [1, 2, 3, 4]) {
        const changes: unknown[] = [];
        for (let target = `/revisions/6?limit=${limit}`; target !== ''; ) {
          const response = await service.request(target);
          const { data } = (await response.json()) as { data: { changes: unknown[] } };
          expect(data).toEqual({
            ...all,
            changes: all.changes.slice(changes.length).slice(0, limit),
          });
          changes.push(...data.changes);
          target = findLink(response.headers, 'next') ?? '';
        }
        expect(changes).toEqual(all.changes);
      }
    });

    test('a cursor of another revision is rejected', async () => {
      const { headers } = await service.request('/revisions/6?limit=1');
      const target = (findLink(headers, 'next') ?? '').replace('/revisions/6', '/revisions/1');
      expect(await errorMessage(await service.request(target))).toStartWith('parameter "cursor" ');
    });

    test.each(['7', '4294967297', '9007199254740991'])(
      '%s, which is the number of no revision, responds 404',
      async (n) => {
        const response = await service.request(`/revisions/${n}`);
        expect(response.status).toBe(404);
        expect(await response.json()).toEqual({ status: 'error', message: 'not_found' });
        expect((await service.request(`/revisions/${n}`, { authorization: '' })).status).toBe(401);
      },
    );

    test.each([
      '0',
      '01',
      '-1',
      '1.0',
      'x',
      '%31',
      '1%20',
      '1;a=1',
      '1/',
      '1/changes',
      '..',
      '1\\',
      '9007199254740992',
      '..?/revisions/1',
      '',
      'constructor',
    ])('/revisions/%s responds 404 with and without a token', async (n) => {
      for (const lines of [[], [`Authorization: Bearer ${TOKEN}`]]) {
        const { status, body } = await getRaw(service.address, `/revisions/${n}`, ...lines);
        expect(status).toBe(404);
        expect(body).toBe('{"status":"error","message":"not_found"}');
      }
    });

    test('checks the path before the method, the method before the token, then parameters', async () => {
      expect((await service.request('/revisions/0', {}, 'POST')).status).toBe(404);
      expect((await service.request('/revisions/1', { authorization: '' }, 'POST')).status).toBe(
        405,
      );
      expect((await service.request('/revisions/99?x=1', { authorization: '' })).status).toBe(401);
      expect((await service.request('/revisions/99?x=1')).status).toBe(400);
      expect((await service.request('/revisions/2?x=1', as('quotes'))).status).toBe(400);
      expect((await service.request('/revisions/99')).status).toBe(404);
    });

    test.each(['?before=1', '?limit=0', '?limit=1&limit=1', '?limit', '?%ff'])(
      '%s is rejected',
      async (query) => {
        const response = await service.request(`/revisions/1${query}`);
        expect(response.status).toBe(400);
        expect(await errorMessage(response)).toContain('parameter "');
      },
    );
  });

  test('/revisions ignores Accept-Datetime, and sends no Memento-Datetime', async () => {
    const past = { 'accept-datetime': 'Thu, 01 Jan 2026 12:00:00 GMT' };
    const { headers } = await service.request('/revisions', past);
    expect(headers.get('tenor-revision')).toBe('6');
    expect(headers.has('memento-datetime')).toBe(false);
    expect(headers.get('vary')).toBe('Accept-Encoding, Authorization');
  });

  test('log events name the pattern of the route, and null if the number is invalid', async () => {
    service.events.length = 0;
    await service.request('/revisions');
    await service.request('/revisions/3?limit=1');
    await service.request('/revisions/99');
    await service.request('/revisions/x');
    expect(service.events).toMatchObject([
      { route: '/revisions', status: 200, revision: 6 },
      { route: '/revisions/{n}', status: 200, revision: 6 },
      { route: '/revisions/{n}', status: 404, revision: null },
      { route: null, status: 404 },
    ]);
  });
});

test(`a running server lists a new revision within a second`, async () => {
  await using service = await startTestServer(await createStore());
  const empty = await service.request('/revisions');
  expect(empty.headers.get('tenor-revision')).toBe('0');
  expect(await empty.text()).toBe('{"status":"ok","data":[]}');
  expect((await service.request('/revisions/1')).status).toBe(404);
  await service.store.publish(quotes, [one]);
  expect((await service.request('/revisions/1')).status).toBe(200);
  await retryUntil(1_000, async () => {
    const { data } = await service.getJson('/revisions');
    expect(data).toMatchObject([{ revision: 1, added: 1 }]);
  });
});

test('the list of revisions ends with the one that its response is of', async () => {
  await using store = await createStore();
  for (const lastPrice of [1, 2, 3]) await store.publish(quotes, [quote({ lastPrice })]);
  const reader = store.reader();
  // The third is published after the view of the request is known.
  const view = { revision: 2 };
  const [list] = createRevisionRoutes(new Catalogue(catalogue));
  const query = { datasets: [quotes.name], before: Infinity, limit: 10 };
  const result = await list?.read(query as never, { reader, view } as never);
  const { revision, data } = result as { revision: number; data: string };
  expect(revision).toBe(2);
  expect(JSON.parse(data)).toMatchObject([{ revision: 2 }, { revision: 1 }]);
  reader.close();
});
