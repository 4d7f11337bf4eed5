import { describe, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { fetchRaw } from '../support/fetch-raw.ts';
import { readFixture } from '../support/fixtures.ts';
import { fetchPages, findLink } from '../support/follow-links.ts';
import { listOperationTargets } from '../support/operation-targets.ts';
import { getRaw } from '../support/raw-http.ts';
import { createFilledStore, FILLED_DATASETS, type TestStore } from '../support/store.ts';
import { errorMessage, TOKEN } from '../support/test-server.ts';
import { issueSecret, useTestServer } from '../support/use-test-server.ts';

const SCOPES = [...new Set(catalogue.map(({ scope }) => scope))];
const operations = listOperationTargets().map((each) => [each.target, each] as const);
const answered = operations.filter(([, { isEventStream }]) => !isEventStream);
const guarded = answered.filter(([, { isOpen }]) => !isOpen);

// The errors of a fund come before all others (funds.test.ts).
const withParameters = operations.filter(
  ([, { parameters }]) => Object.keys(parameters).length > 0 && !('fund_id' in parameters),
);

const ofDatasets = operations.filter(([, { path }]) => path.includes('{dataset}'));

const secrets = new Map<string, string>();
const service = useTestServer(async () => {
  const store = await createFilledStore();
  for (const scope of SCOPES)
    secrets.set(
      scope,
      await issueSecret(
        store,
        SCOPES.filter((other) => other !== scope),
      ),
    );
  return store;
});

describe('every operation', () => {
  test.each(operations)('has no other methods: %s', async (target) => {
    const response = await service.request(target, {}, 'POST');
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect(await errorMessage(response)).toBe('invalid_method');
  });

  test.each(operations)('needs a token, unless it is open: %s', async (target, { isOpen }) => {
    if (isOpen) return expect((await service.request(target, { authorization: '' })).ok).toBe(true);
    const response = await service.request(target, { authorization: '' });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      ...([401, 'Bearer realm="tenor"'] as const),
    ]);
    expect(await response.json()).toEqual({ status: 'error', message: 'unauthorized_request' });
  });

  test.each(operations.filter(([, { scope }]) => scope !== undefined))(
    'needs its scope, also of a response that is cached: %s',
    async (target, { scope = '' }) => {
      expect((await service.request(target)).status).toBe(200);
      const authorization = `Bearer ${secrets.get(scope)}`;
      const response = await service.request(target, { authorization });
      expect([response.status, await errorMessage(response)]).toEqual([403, 'forbidden']);
    },
  );

  test.each(guarded)(
    'has a revision, a tag of its own, and private caching: %s',
    async (target) => {
      const { status, headers, text } = await fetchRaw(service, target);
      expect([status, headers.get('tenor-revision')]).toEqual([
        200,
        String(FILLED_DATASETS.length),
      ]);
      expect(headers.get('cache-control')).toStartWith('private, ');
      const etag = headers.get('etag') ?? '';
      const unchanged = await fetchRaw(service, target, { 'if-none-match': etag });
      expect([unchanged.status, unchanged.text]).toEqual([304, '']);
      const changed = await fetchRaw(service, target, {
        'if-none-match': `${etag.slice(0, -1)}x"`,
      });
      expect([changed.status, changed.text]).toEqual([200, text]);
    },
  );

  test.each(answered)('answers HEAD with the headers of GET: %s', async (target) => {
    const [get, head] = [
      await fetchRaw(service, target),
      await fetchRaw(service, target, {}, 'HEAD'),
    ];
    for (const headers of [get.headers, head.headers])
      for (const name of ['date', 'x-request-id', 'ratelimit', 'content-length'])
        headers.delete(name);
    expect([head.status, head.text]).toEqual([get.status, '']);
    expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(get.headers));
  });

  test.each(operations)('refuses a parameter that it does not have: %s', async (target) => {
    const response = await service.request(`${target}&bogus=1`);
    expect(response.status).toBe(400);
    expect(await errorMessage(response)).toContain('"bogus"');
  });

  test.each(withParameters)(
    'refuses a parameter that is empty, repeated or no text: %s',
    async (target, { parameters }) => {
      for (const name of Object.keys(parameters)) {
        if (target.includes(`${name}=`)) continue;
        const { example } = parameters[name] ?? {};
        for (const values of [[''], [example, example], ['%zz']]) {
          const query = values.map((value) => `&${name}=${value}`).join('');
          const response = await service.request(`${target}${query}`);
          expect([query, response.status]).toEqual([query, 400]);
          expect(await errorMessage(response)).toMatch(new RegExp(`"${name}"|query`));
        }
      }
    },
  );

  test.each(ofDatasets)('is found by the exact name of a dataset: %s', async (target) => {
    for (const name of [
      '',
      'nothing',
      'Quotes',
      'quotes/',
      'quotes.csv',
      '%71uotes',
      'constructor',
    ])
      for (const lines of [[], [`Authorization: Bearer ${TOKEN}`]]) {
        const path = target.replace('quotes', name);
        const { status, body } = await getRaw(service.address, path, ...lines);
        const notFound = '{"status":"error","message":"not_found"}';
        expect([path, status, body]).toEqual([path, 404, notFound]);
      }
  });
});

/** A curve has pages of dates only. */
const paged = operations
  .filter(([, { parameters }]) => 'cursor' in parameters)
  .map(([target, { parameters }]) => {
    const start = target.includes('/curve?') ? `${target}from=2026-01-01` : target;
    return [`${start}&limit=1`.replace('?&', '?'), parameters] as const;
  });

describe('every operation with pages', () => {
  let store: TestStore;
  const service = useTestServer(async () => {
    store = await createFilledStore();
    await correctQuotes(store, 2);
    return store;
  });
  const findNext = async (target: string) =>
    findLink((await service.request(target)).headers, 'next') ?? '';

  test.each(paged)('sends the whole, in any format: %s', async (target, parameters) => {
    const [whole = []] = await fetchPages(service.request, target.replace(/&?limit=1/, ''));
    const pages = await fetchPages(service.request, target);
    if (Array.isArray(whole)) {
      expect(pages.map((page) => page.length)).toEqual(whole.map(() => 1));
      expect(pages.flat()).toEqual(whole);
    }
    if ('format' in parameters)
      expect(await findNext(`${target}&format=csv`)).toStartWith(`${target}&format=csv&cursor=`);
  });

  test.each(paged)('takes a cursor for the same request alone: %s', async (target, parameters) => {
    const next = await findNext(target);
    const past = { 'accept-datetime': '2000-01-01T00:00:00Z' };
    const rejected = [
      [next.replace('limit=1', 'limit=2'), {}, 'belongs to a request with other parameters'],
      [`${next}A`, {}, 'is not one that this service gave out'],
      ...('as_of' in parameters ? [[next, past, 'is of a later revision'] as const] : []),
    ] as const;
    for (const [changed, headers, message] of rejected) {
      const response = await service.request(changed, headers);
      expect([changed, response.status]).toEqual([changed, 400]);
      expect(await errorMessage(response)).toStartWith(`parameter "cursor" ${message}`);
    }
  });

  test.each(paged)('takes a limit in plain digits: %s', async (target) => {
    for (const limit of ['0', '99999', '1e2', '-1', '01']) {
      const response = await service.request(target.replace('limit=1', `limit=${limit}`));
      expect([limit, response.status]).toEqual([limit, 400]);
      expect(await errorMessage(response)).toStartWith('parameter "limit" must be a whole number');
    }
  });

  test('stays with the revision of the first page, whatever is published meanwhile', async () => {
    const followed = paged.filter(([target]) => !target.startsWith('/revisions'));
    const links = await Promise.all(followed.map(([target]) => findNext(target)));
    const { headers } = await service.request('/catalogue');
    const before = headers.get('tenor-revision');
    await correctQuotes(store, 3);
    for (const next of links) {
      const { status, headers } = await service.request(next);
      expect([next, status, headers.get('tenor-revision')]).toEqual([next, 200, before]);
    }
  });
});

/** Gives quotes another volume. */
async function correctQuotes(store: TestStore, volume: number): Promise<void> {
  await store.publish(
    quotes,
    readFixture(quotes).map((record) => ({ ...record, volume })),
  );
}
