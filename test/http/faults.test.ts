import { describe, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { LogEvent } from '../../src/event-log.ts';
import { EventStreams } from '../../src/http/events/event-streams.ts';
import { handleRequest } from '../../src/http/handle-request.ts';
import { RequestMetrics } from '../../src/http/monitoring/request-metrics.ts';
import { createFailedAuthLimiter } from '../../src/http/rate-limiting/failed-auth-limiter.ts';
import { createRoutes } from '../../src/http/routes.ts';
import { NO_SCRUB } from '../../src/http/scrub/scrub-status.ts';
import { createServerContext } from '../../src/http/server-context.ts';
import { type StoreReader, StoreUnavailableError } from '../../src/store/open-store.ts';
import { SERVER_SETTINGS } from '../support/test-server.ts';

const route = { path: '/2.0/bnb/quote', dataset: quotes };
const findRoute = (path: string) => createRoutes(catalogue).find((each) => each.path === path);
const principal = {
  id: 't',
  scopes: new Set(['quotes']),
  rate: null,
  expiresAtMs: Infinity,
  lastUsedAtMs: 0,
};

async function createFailingContext(query: () => never, authenticate = () => principal) {
  const events: LogEvent[] = [];
  const context = await createServerContext(createFailingReader(query), {
    catalogue,
    reportAllocatedBytes() {},
    tokens: {
      authenticate,
      authenticateLink: () => undefined,
      isValid: () => true,
      reload: async () => {},
      flushLastUsed: async () => {},
    },
    eventStreams: new EventStreams([], { isValid: () => true }, { max: 0, maxPerToken: 0 }),
    rateLimiter: () => null,
    requestMetrics: new RequestMetrics(),
    scrub: NO_SCRUB,
    failedAuthLimiter: createFailedAuthLimiter(),
    emit: (event) => events.push(event),
    settings: SERVER_SETTINGS,
  });
  return { context, events };
}

function createFailingReader(query: () => never): StoreReader {
  const fail = async () => query();
  return {
    revision: fail,
    revisionAt: fail,
    read: fail,
    async *records() {
      yield query();
    },
    revisions: fail,
    ledgerEntry: fail,
    origins: fail,
    changes: fail,
    netChanges: fail,
    corrections: fail,
    coverage: fail,
    securities: fail,
    funds: fail,
    securityTerms: fail,
    secret: async () => new Uint8Array(32),
    newestSeen: () => 0,
    servers: () => [],
    isCurrent: () => true,
    observeRevision() {},
    lostRevision: () => 0,
    close() {},
  };
}

function throwSecretCause(): never {
  throw new Error('secret cause');
}

const request = (headers: Record<string, string> = {}, path = '/2.0/bnb/quote') =>
  new Request(`http://x${path}`, {
    headers: { authorization: 'Bearer a', 'x-request-id': 'r1', ...headers },
  });

describe('a server', () => {
  test.each([
    ['reading fails', undefined],
    ['looking up the token fails', throwSecretCause],
  ])('responds 500 when %s, and logs the cause with the request id', async (_, authenticate) => {
    const { context, events } = await createFailingContext(throwSecretCause, authenticate);
    const response = await handleRequest(context, request(), route);
    expect(response.status).toBe(500);
    expect(await response.text()).toBe('{"status":"error","message":"internal_error"}');
    expect(response.headers.get('x-request-id')).toBe('r1');
    const [event] = events;
    expect(event).toMatchObject({ event: 'request.failed', requestId: 'r1' });
    expect(JSON.stringify(event)).toContain('secret cause');
  });

  test.each([
    ['current quotes', request(), route],
    ['quotes as of an instant', request({ 'accept-datetime': '2026-01-01T00:00:00Z' }), route],
    ['/revisions', request({}, '/revisions'), findRoute('/revisions')],
    ['/revisions/1', request({}, '/revisions/1'), findRoute('/revisions/{n}')],
  ])('responds 503 with Retry-After for %s while the store is unreachable', async (_, sent, to) => {
    const { context, events } = await createFailingContext(() => {
      throw new StoreUnavailableError('disk gone');
    });
    const response = await handleRequest(context, sent, to);
    expect(response.status).toBe(503);
    expect(await response.text()).toBe('{"status":"error","message":"temporarily_unavailable"}');
    expect(response.headers.get('retry-after')).toBe('1');
    expect(events[0]).toEqual({ event: 'store.unavailable', requestId: 'r1', cause: 'disk gone' });
  });

  test('rejects an invalid request even while the store is unreachable', async () => {
    const { context } = await createFailingContext(throwSecretCause);
    for (const [sent, to] of [
      [request({ 'accept-datetime': 'never' }), route],
      [request({}, '/revisions?x=1'), findRoute('/revisions')],
      [request({}, '/revisions/1?x=1'), findRoute('/revisions/{n}')],
    ] as const) {
      expect((await handleRequest(context, sent, to)).status).toBe(400);
    }
  });
});
