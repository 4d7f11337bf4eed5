import { describe, expect, test } from 'bun:test';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { NOT_FOUND_RESPONSE } from '../../src/http/responses/response.ts';
import { KnownDamage } from '../../src/http/scrub/known-damage.ts';
import { EventStreams } from '../../src/operations/events/event-streams.ts';
import { createEventsRoute } from '../../src/operations/events/events-route.ts';
import { retryUntil } from '../support/eventually.ts';
import { quote } from '../support/quote-fixture.ts';
import { createEventReader } from '../support/read-events.ts';
import { createTestExchange } from '../support/request-context.ts';
import { createStore, type TestStore } from '../support/store.ts';
import { errorMessage, startTestServer } from '../support/test-server.ts';
import { issueSecret, useTestServer } from '../support/use-test-server.ts';

const publishQuote = (store: TestStore, lastPrice: number) =>
  store.publish(quotes, [quote({ lastPrice })]);
const publishFund = (store: TestStore, frequency: string) =>
  store.publish(fundAllocation, [{ ...fundAllocation.example, frequency }]);

test(`each new revision is an event, with its summary, of the scopes of the token`, async () => {
  const store = await createStore();
  await publishQuote(store, 1);
  const secret = await issueSecret(store, ['funds']);
  const service = await startTestServer(store);
  const all = await service.request('/events');
  expect(all.headers.get('tenor-revision')).toBe('1');
  const funds = await service.request('/events', { authorization: `Bearer ${secret}` });
  const [everything, ofFunds] = [createEventReader(all.body), createEventReader(funds.body)];
  await publishQuote(store, 2);
  await publishFund(store, 'monthly');
  const [first, second] = [await everything.nextEvent(), await everything.nextEvent()];
  const { data: ledger } = await service.getJson('/revisions', { 'tenor-revision': '3' });
  expect(first).toEqual({ event: 'revision', id: 2, data: ledger[1] });
  expect(second).toEqual({ event: 'revision', id: 3, data: ledger[0] });
  expect((await ofFunds.nextEvent())?.id).toBe(3);
  const later = await service.request('/events', { 'last-event-id': '1' });
  const missed = createEventReader(later.body);
  expect([await missed.nextEvent(), await missed.nextEvent()]).toEqual([first, second]);
  await service.stop();
  // A server that stops ends its streams.
  expect(await everything.nextEvent()).toBeUndefined();
  expect(await missed.nextEvent()).toBeUndefined();
  const requests = service.events.filter((event) => 'route' in event && event.route === '/events');
  expect(requests).toHaveLength(3);
  expect(requests[0]).toMatchObject({ event: 'request', status: 200, bytes: expect.any(Number) });
});

describe('/events', () => {
  const service = useTestServer(async () => {
    const store = await createStore();
    await publishQuote(store, 1);
    return store;
  });

  test('is neither stored, nor compressed, nor held back by proxies', async () => {
    const controller = new AbortController();
    const response = await fetch(`${service.address}/events`, {
      headers: { authorization: 'Bearer test-token', 'accept-encoding': 'gzip, zstd' },
      signal: controller.signal,
    });
    const { headers } = response;
    expect(headers.get('content-type')).toBe('text/event-stream');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-accel-buffering')).toBe('no');
    expect(headers.get('content-encoding')).toBeNull();
    expect(headers.get('etag')).toBeNull();
    controller.abort();
  });

  test('HEAD gets the headers only, and other methods none of it', async () => {
    const head = await service.request('/events', {}, 'HEAD');
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expect(head.headers.has('content-length')).toBe(false);
    expect(await head.text()).toBe('');
    expect((await service.request('/events', {}, 'POST')).status).toBe(405);
    expect((await service.request('/events', {}, 'OPTIONS')).status).toBe(204);
  });

  test.each(['x', '-1', '1.0', '9', '99999999999'])(
    'rejects the Last-Event-ID "%s"',
    async (id) => {
      const response = await service.request('/events', { 'last-event-id': id });
      expect(response.status).toBe(400);
      expect(await errorMessage(response)).toBe(
        'header "Last-Event-ID" must be the number of a revision that there is, from 0 to 1',
      );
    },
  );

  test('waits for the revision of a Last-Event-ID that another machine has sent', async () => {
    const newest = Number((await service.request('/revisions')).headers.get('tenor-revision'));
    const waiting = service.request('/events', { 'last-event-id': String(newest + 1) });
    // A later request is answered, so that this one has arrived.
    await service.request('/revisions');
    await publishQuote(service.store, newest + 1);
    const response = await waiting;
    expect(response.status).toBe(200);
    expect(response.headers.get('tenor-revision')).toBe(String(newest + 1));
    await response.body?.cancel();
  });

  test('takes no parameters, and needs a token', async () => {
    const response = await service.request('/events?since=1');
    expect(response.status).toBe(400);
    expect(await errorMessage(response)).toBe('unknown parameter "since"; none is taken here');
    expect((await service.request('/events', { authorization: '' })).status).toBe(401);
  });

  test('ends when the token is revoked or expires', async () => {
    const tokens = service.store.tokens();
    const expiresAt = new Date(Date.now() + 2_000).toISOString();
    const expiring = await issueSecret(service.store, ['quotes'], { expiresAt });
    const revoked = await issueSecret(service.store, ['quotes']);
    const readers: ReturnType<typeof createEventReader>[] = [];
    for (const secret of [expiring, revoked]) {
      await retryUntil(3_000, async () => {
        const response = await service.request('/events', { authorization: `Bearer ${secret}` });
        expect(response.status).toBe(200);
        readers.push(createEventReader(response.body));
      });
    }
    for (const { id } of await tokens.all())
      await tokens.update(id, { revokedAt: new Date().toISOString() });
    tokens.close();
    for (const reader of readers) expect(await reader.nextEvent()).toBeUndefined();
  });

  test('has a limit for each token', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const headers = { authorization: 'Bearer test-token' };
    const connect = () => fetch(`${service.address}/events`, { headers, signal });
    const responses = await Promise.all(Array.from({ length: 101 }, connect));
    const rejected = responses.filter(({ status }) => status !== 200);
    expect(rejected.length).toBeGreaterThan(0);
    expect(rejected[0]?.status).toBe(429);
    expect(rejected[0]?.headers.get('retry-after')).toBe('10');
    controller.abort();
    // The places are free again.
    await retryUntil(3_000, async () => {
      const response = await service.request('/events');
      expect(response.status).toBe(200);
      await response.body?.cancel();
    });
  });
});

test('a request for a database that was replaced, before or while it is read, gets 503', async () => {
  const tokens = { isValid: () => true };
  const eventStreams = new EventStreams(tokens, { max: 1, maxPerToken: 1 });
  const newestRevision = { isRetired: false, advanceTo: async () => {} };
  const reader = {
    async revision() {
      newestRevision.isRetired = true;
      return 25;
    },
  };
  const request = new Request('http://localhost/events');
  const { respond } = createEventsRoute(eventStreams);
  const findRevision = () => undefined;
  const database = { reader, findRevision, newestRevision, damage: new KnownDamage() };
  const exchange = createTestExchange(database, request);
  const response = await respond(exchange, async () => NOT_FOUND_RESPONSE);
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  expect(eventStreams.count).toBe(0);
});
