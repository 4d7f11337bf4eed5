import { describe, expect, test } from 'bun:test';
import { Catalogues, NONE_DECLARED } from '../../src/catalogue/catalogues.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { LogEvent } from '../../src/event-log.ts';
import { handleRequest } from '../../src/http/pipeline/handle-request.ts';
import {
  NOTHING_SEEN,
  type StoreReader,
  StoreUnavailableError,
} from '../../src/store/open-store.ts';
import { createTestContext, createTestRoutes } from '../support/request-context.ts';
import { createFilledStore } from '../support/store.ts';

const findRoute = (path: string) => createTestRoutes().find((route) => route.path === path);
const route = findRoute('/2.0/bnb/quote');
const principal = {
  id: 't',
  scopes: new Set(['quotes']),
  rate: null,
  expiresAtMs: Infinity,
  lastUsedAtMs: 0,
};

async function createFailingContext(query: () => never, authenticate = () => principal) {
  const events: LogEvent[] = [];
  const context = await createTestContext(createFailingReader(query), {
    authenticate,
    emit: (event) => events.push(event),
    catalogues: new Catalogues(catalogue, { declarations: () => NONE_DECLARED }),
  });
  return { context, events };
}

function createFailingReader(query: () => never): StoreReader {
  const fail = async () => query();
  return {
    revision: fail,
    declarations: fail,
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
    missingSeries: fail,
    vintages: fail,
    coverage: fail,
    securities: fail,
    funds: fail,
    securityTerms: fail,
    periods: fail,
    dimensionValues: fail,
    dayVersions: fail,
    checkpoint: fail,
    treeHashes: fail,
    ledgerKeys: fail,
    logEntry: fail,
    findBySalt: fail,
    secret: async () => new Uint8Array(32),
    confirmRevision: (seen) => seen,
    newestSeen: () => NOTHING_SEEN,
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

  test('logs the message of a failure whose stack does not have it', async () => {
    const throwCloneError = () => structuredClone(throwSecretCause) as never;
    const { context, events } = await createFailingContext(throwCloneError);
    expect((await handleRequest(context, request(), route)).status).toBe(500);
    expect(events[0]).toMatchObject({ event: 'request.failed', requestId: 'r1' });
    expect(JSON.stringify(events[0])).toContain('"DataCloneError: ');
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

  test('marks what it sends while the store is unreachable, and no longer once that is back', async () => {
    await using store = await createFilledStore();
    const reader = store.reader();
    const context = await createTestContext(reader, { authenticate: () => principal });
    const readMark = async () =>
      (await handleRequest(context, request(), route)).headers.get('tenor-unconfirmed-since');
    // The first response that is stored is the second.
    for (let time = 0; time < 3; time++) expect(await readMark()).toBeNull();
    context.storeHealth.markUnreachable('no server answers');
    expect(await readMark()).toMatch(/ GMT$/);
    context.storeHealth.markReachable();
    expect(await readMark()).toBeNull();
    reader.close();
  });

  test('sends no response of a dataset that is damaged, not even one that is stored', async () => {
    await using store = await createFilledStore();
    const reader = store.reader();
    const context = await createTestContext(reader, { authenticate: () => principal });
    const readStatus = async () => (await handleRequest(context, request(), route)).status;
    // The first response that is stored is the second.
    for (let time = 0; time < 3; time++) expect(await readStatus()).toBe(200);
    context.database.damage.add(['funds']);
    expect(await readStatus()).toBe(200);
    context.database.damage.add(['quotes']);
    expect(await readStatus()).toBe(503);
    reader.close();
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
