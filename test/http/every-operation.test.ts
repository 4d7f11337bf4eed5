import { describe, expect, test } from 'bun:test';
import { catalogue } from '../../src/catalogue/index.ts';
import { fetchRaw } from '../support/fetch-raw.ts';
import { listOperationTargets } from '../support/operation-targets.ts';
import { createFilledStore, FILLED_DATASETS } from '../support/store.ts';
import { errorMessage } from '../support/test-server.ts';
import { issueSecret, useTestServer } from '../support/use-test-server.ts';

const SCOPES = [...new Set(catalogue.map(({ scope }) => scope))];
const operations = listOperationTargets().map((each) => [each.target, each] as const);
const answered = operations.filter(([, { isEventStream }]) => !isEventStream);
const guarded = answered.filter(([, { isOpen }]) => !isOpen);

// The errors of a fund come before all others (funds.test.ts).
const withParameters = operations.filter(
  ([, { parameters }]) => Object.keys(parameters).length > 0 && !('fund_id' in parameters),
);

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
});
