import { describe, expect, test } from 'bun:test';
import type { JobScheduler } from '../../src/http/background/job-scheduler.ts';
import { StoreHealth } from '../../src/http/freshness/store-health.ts';
import { findReadiness, type ReadinessSources } from '../../src/http/monitoring/readiness.ts';
import { HEALTH_OPERATIONS } from '../../src/operations/health/health-operations.ts';
import { readyResponse } from '../../src/operations/health/health-routes.ts';
import type { ServerStatus } from '../../src/store/open-store.ts';
import { createDocumentReader, escapePointer } from '../support/openapi-document.ts';
import { createFilledStore } from '../support/store.ts';
import { useTestServer } from '../support/use-test-server.ts';

/** Where nothing is scrubbed. */
const NO_SCRUB = {
  status: () => ({ finishedAtMs: null, faults: 0, damaged: [], checkedRecords: 0 }),
};

const service = useTestServer(createFilledStore, { rateLimit: { count: 1, windowMs: 60_000 } });
const noToken = { authorization: '' };

describe('/live and /ready', () => {
  test('answer 200 with one line of JSON, without a token, and by HEAD', async () => {
    const live = await service.request('/live', noToken);
    expect([live.status, await live.text()]).toEqual([200, '{"status":"live"}']);
    const ready = await service.request('/ready', noToken);
    expect([ready.status, await ready.text()]).toEqual([200, '{"status":"ready","revision":16}']);
    for (const { headers } of [live, ready]) {
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-request-id')).toMatch(/./);
    }
    const head = await service.request('/ready', noToken, 'HEAD');
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  test('reject other methods as every path does, and ignore a query as documents do', async () => {
    for (const path of ['/live', '/ready']) {
      const posted = await service.request(path, noToken, 'POST');
      expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
      expect((await service.request(`${path}?x=1`, noToken)).status).toBe(200);
      expect((await service.request(`${path}/`, noToken)).status).toBe(404);
    }
  });

  test('count against no rate, with a token and without one', async () => {
    for (let request = 0; request < 20; request++) {
      const { status, headers } = await service.request('/ready');
      expect([status, headers.get('ratelimit')]).toEqual([200, null]);
    }
    expect((await service.request('/catalogue')).status).toBe(200);
    expect((await service.request('/catalogue')).status).toBe(429);
  });

  test('leave no line in the log if they succeed', async () => {
    const before = service.events.length;
    for (const path of ['/live', '/ready']) await service.request(path, noToken);
    await service.request('/ready', noToken, 'POST');
    const logged = service.events.slice(before).filter(({ event }) => event === 'request');
    expect(logged).toMatchObject([{ route: '/ready', status: 405 }]);
  });

  test('have the bodies that the OpenAPI document describes, and need no token there', async () => {
    const document = await service.getJson('/openapi.json');
    const { isValid } = createDocumentReader(document);
    for (const { path, responses } of HEALTH_OPERATIONS) {
      expect(document.paths[path].get.security).toEqual([]);
      for (const [status, { example }] of Object.entries(responses)) {
        const pointer = `/paths/${escapePointer(path)}/get/responses/${status}/content/application~1json/schema`;
        expect(isValid(pointer, example)).toBe(true);
        expect(isValid(pointer, { status: 'other' })).toBe(false);
        if (status === '200') expect(isValid(pointer, await service.getJson(path))).toBe(true);
      }
    }
  });
});

describe('readiness', () => {
  const createState = () => ({
    storeHealth: new StoreHealth(() => {}),
    keepAlive: { isDraining: false, isEnding: false, lastRequestMs: 0 },
    database: {
      responseCache: { revision: 7 },
      scheduler: {},
      reader: { servers: (): readonly ServerStatus[] => [] },
    } as ReadinessSources['database'],
    scrub: NO_SCRUB,
  });

  test('is lost while the store is unreachable, and comes back with it', () => {
    const state = createState();
    expect(findReadiness(state)).toEqual({ reasons: [], revision: 7 });
    state.storeHealth.markUnreachable('host db.example.com does not answer');
    expect(findReadiness(state).reasons).toEqual(['store_unreachable']);
    state.storeHealth.markReachable();
    expect(findReadiness(state).reasons).toEqual([]);
  });

  test('is lost while a scrub has found faults', () => {
    const scrub = { status: () => ({ ...NO_SCRUB.status(), faults: 2 }) };
    expect(findReadiness({ ...createState(), scrub }).reasons).toEqual(['data_damaged']);
  });

  test('is lost while a dataset is suspected to be damaged, which it names', () => {
    const scrub = { status: () => ({ ...NO_SCRUB.status(), damaged: ['quotes'] }) };
    expect(findReadiness({ ...createState(), scrub })).toMatchObject({
      reasons: ['data_damaged'],
      damaged: ['quotes'],
    });
  });

  test.each([
    [false, false, undefined],
    [true, false, ['reserve_missing']],
    [false, true, ['worker_lost']],
    [true, true, ['reserve_missing', 'worker_lost']],
  ])(
    'stays if a token may not be revoked on a full disk (%p) or a worker of the cluster is lost (%p), which the response and its schema say',
    async (lacksReserve, isLost, warnings) => {
      const state = createState();
      const servers = (): ServerStatus[] => [
        { server: 'db/tenor', role: 'primary', health: 'healthy', lag: 0 },
        // Others answer for a replica.
        { server: 'replica/tenor', role: 'replica', health: 'unreachable', lag: undefined },
        { server: 'one', role: 'worker', health: 'healthy', lag: undefined },
        {
          server: 'two',
          role: 'worker',
          health: isLost ? 'unreachable' : 'healthy',
          lag: undefined,
        },
      ];
      const reader = { servers } as ReadinessSources['database']['reader'];
      const database = { ...state.database, reader };
      const store = { lacksReserve: () => lacksReserve };
      const { status, body } = readyResponse(findReadiness({ ...state, database, store }));
      const expected = { status: 'ready', revision: 7, ...(warnings && { warnings }) };
      expect([status, body]).toEqual([200, JSON.stringify(expected)]);
      const { isValid } = createDocumentReader(await service.getJson('/openapi.json'));
      const pointer = '/paths/~1ready/get/responses/200/content/application~1json/schema';
      expect(isValid(pointer, expected)).toBe(true);
      expect(isValid(pointer, { ...expected, warnings: ['other'] })).toBe(false);
    },
  );

  test('is lost while background threads hang and none is started any more', () => {
    const state = createState();
    const scheduler = { background: { isStuck: true } } as JobScheduler;
    const database = { ...state.database, scheduler };
    expect(findReadiness({ ...state, database }).reasons).toEqual(['threads_hung']);
  });

  test('says following once what was applied is served', () => {
    const applied = { state: 'following', revision: 8, sourceRevision: 8 } as const;
    const follow = { ...applied, source: 'https://tenor.example', comparedAtMs: 0 };
    const state = createState();
    const early = readyResponse(findReadiness({ ...state, follow }));
    expect(JSON.parse(String(early.body))).toEqual({
      status: 'ready',
      revision: 7,
      follow: { state: 'behind', sourceRevision: 8 },
    });
    const responseCache = { revision: 8 };
    const database = { ...state.database, responseCache } as ReadinessSources['database'];
    expect(findReadiness({ ...state, database, follow }).follow).toEqual(follow);
    const stopped = { ...follow, state: 'stopped' } as const;
    expect(findReadiness({ ...state, follow: stopped }).follow).toEqual(stopped);
  });

  test('is lost for good when the server stops, and the 503 has every reason', () => {
    const state = createState();
    state.keepAlive.isDraining = true;
    state.storeHealth.markUnreachable('gone');
    const { status, body, headers } = readyResponse(findReadiness(state));
    expect(status).toBe(503);
    expect(body).toBe('{"status":"unavailable","reasons":["stopping","store_unreachable"]}');
    expect(headers.get('retry-after')).toBe('1');
  });
});
