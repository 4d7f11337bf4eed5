import { describe, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { LogEvent } from '../../src/event-log.ts';
import { handleRequest } from '../../src/http/handle-request.ts';
import { createFailedAuthLimiter } from '../../src/http/rate-limiting/failed-auth-limiter.ts';
import { createCursorCodec } from '../../src/http/request/cursor-codec.ts';
import { createLastChangeLookup } from '../../src/http/responses/last-change.ts';
import { createResponseCache } from '../../src/http/responses/response-cache.ts';
import { createRevisionAtLookup } from '../../src/http/responses/revision-at.ts';
import { createTotalCounter } from '../../src/http/responses/total-count.ts';
import { createRoutes } from '../../src/http/routes.ts';
import { createStoreHealth } from '../../src/http/runtime/store-health.ts';
import { createTaskQueue } from '../../src/http/runtime/task-queue.ts';
import type { ServerContext } from '../../src/http/server-context.ts';
import type { StoreReader } from '../../src/store/open-store.ts';
import { StoreUnavailableError } from '../../src/store/open-store.ts';

const route = { path: '/2.0/bnb/quote', dataset: quotes };
const routeOf = (path: string) => createRoutes(catalogue).find((found) => found.path === path);
const holder = {
  id: 't',
  scopes: new Set(['quotes']),
  rate: null,
  expiresAtMs: Infinity,
  lastUsedAtMs: 0,
};

/** A service whose reader or keyring fails. */
function failing(part: Partial<ServerContext>): { service: ServerContext; events: LogEvent[] } {
  const events: LogEvent[] = [];
  const { reader = readerThat(async () => fail()) } = part;
  const emit = (event: LogEvent) => events.push(event);
  const context: ServerContext = {
    reader,
    storeHealth: createStoreHealth(emit),
    tokens: { authenticate: () => holder, reload: async () => {}, flushLastUsed: async () => {} },
    rateLimiter: () => null,
    failedAuthLimiter: createFailedAuthLimiter(),
    encodingQueue: createTaskQueue(1),
    countTotal: createTotalCounter(reader),
    cursors: createCursorCodec(new Uint8Array(32)),
    responseCache: createResponseCache(1_000),
    findRevisionAt: createRevisionAtLookup(reader),
    findLastChange: createLastChangeLookup(reader),
    reportAllocatedBytes: () => {},
    emit,
    ...part,
  };
  return { service: context, events };
}

/** A reader that only knows how to do that, whatever it is asked. */
function readerThat(does: () => Promise<never>): StoreReader {
  const walks = async function* () {
    yield await does();
  };
  return {
    revision: does,
    revisionAt: does,
    read: does,
    records: walks,
    revisions: does,
    ledgerEntry: does,
    changes: does,
    corrections: does,
    coverage: does,
    securities: does,
    funds: does,
    secret: does,
    close() {},
  };
}

function fail(): never {
  throw new Error('secret cause');
}

const request = (headers: Record<string, string> = {}, path = '/2.0/bnb/quote') =>
  new Request(`http://x${path}`, {
    headers: { authorization: 'Bearer a', 'x-request-id': 'r1', ...headers },
  });

describe('when something breaks', () => {
  test.each([
    ['reading', {}],
    [
      'a look-up of the token',
      { tokens: { authenticate: fail, reload: async () => {}, flushLastUsed: async () => {} } },
    ],
  ])('%s gives 500; the cause is logged with the request id, never sent', async (_, part) => {
    const { service: context, events } = failing(part);
    const response = await handleRequest(context, request(), route);
    expect(response.status).toBe(500);
    expect(await response.text()).toBe('{"status":"error","message":"internal_error"}');
    expect(response.headers.get('x-request-id')).toBe('r1');
    const [logged] = events;
    expect(logged).toMatchObject({ event: 'request.failed', requestId: 'r1' });
    expect(JSON.stringify(logged)).toContain('secret cause');
  });

  test.each([
    ['the present', request(), route],
    ['the past', request({ 'accept-datetime': '2026-01-01T00:00:00Z' }), route],
    ['revisions', request({}, '/revisions'), routeOf('/revisions')],
    ['one revision', request({}, '/revisions/1'), routeOf('/revisions/{n}')],
  ])('a store out of reach gives 503 with Retry-After: %s', async (_, asked, to) => {
    const reader = readerThat(async () => {
      throw new StoreUnavailableError('disk gone');
    });
    const { service, events } = failing({ reader });
    const response = await handleRequest(service, asked, to);
    expect(response.status).toBe(503);
    expect(await response.text()).toBe('{"status":"error","message":"temporarily_unavailable"}');
    expect(response.headers.get('retry-after')).toBe('1');
    expect(events[0]).toEqual({ event: 'store.unavailable', requestId: 'r1', cause: 'disk gone' });
  });

  test('what is wrong with a request is told even where the store is out of reach', async () => {
    const { service } = failing({});
    for (const [asked, to] of [
      [request({ 'accept-datetime': 'never' }), route],
      [request({}, '/revisions?x=1'), routeOf('/revisions')],
      [request({}, '/revisions/1?x=1'), routeOf('/revisions/{n}')],
    ] as const) {
      expect((await handleRequest(service, asked, to)).status).toBe(400);
    }
  });
});
