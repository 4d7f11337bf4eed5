import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { SCOPES } from '../../src/catalogue/model/dataset.ts';
import { Exchange } from '../../src/http/pipeline/exchange.ts';
import { respondToTarget as respond } from '../../src/http/pipeline/respond.ts';
import type { RoutedServer } from '../../src/http/pipeline/route.ts';
import {
  createInProcessServer,
  type InProcessServer,
} from '../../src/http/server/in-process-server.ts';
import { createPrincipal } from '../../src/tokens/principal.ts';
import { createScopes } from '../../src/tokens/scopes.ts';
import { quote } from '../support/quote-fixture.ts';
import { createTestContext } from '../support/request-context.ts';
import { createStore, fillStore, type TestStore } from '../support/store.ts';

const BILL = { symbol: 'ZZ03TB010126', isin: 'ZZ0000000016', type: 'tbill' } as const;
let store: TestStore;
let server: InProcessServer;
let testServer: RoutedServer;

beforeAll(async () => {
  store = await fillStore(await createStore());
  const days = Array.from(
    { length: 30 },
    (_, index) => `2025-06-${String(index + 1).padStart(2, '0')}`,
  );
  await store.publish(
    quotes,
    days.map((date) => quote({ ...BILL, date })),
  );
  server = await createInProcessServer(store, catalogue);
  testServer = await createTestContext(store.reader());
});
afterAll(async () => {
  server.close();
  testServer.database.reader.close();
  await store.remove();
});

function createClient(scopes: readonly string[] = SCOPES) {
  const charges: number[] = [];
  const exchange = new Exchange(testServer, new Request('http://localhost/mcp'), undefined);
  exchange.principal = createPrincipal('t', { scopes: createScopes(scopes) });
  exchange.charge = (requests) => void charges.push(requests);
  return { exchange, charges };
}

const respondToTarget = (
  { exchange }: ReturnType<typeof createClient>,
  ...[target, options]: Parameters<Exchange['forTarget']>
) => respond(testServer, exchange, target, options);

describe('responding to a target inside the server', () => {
  test.each([
    ['/2.0/bnb/quote?limit=2', {}],
    ['/2.0/bnb/quote?limit=2', { Accept: 'text/csv' }],
    ['/2.0/bnb/securities?format=csv', {}],
    ['/3.0/funds/allocation', {}],
    ['/2.0/bnb/quote?limit=x', {}],
    ['/2.0/bnb/quote?limit=1', { 'Accept-Datetime': 'Thu, 01 Jan 2150 00:00:00 GMT' }],
    ['/revisions/1', {}],
    ['/corrections/quotes', {}],
    ['/corrections/quotes', { Accept: 'text/csv' }],
    ['/catalogue?format=csv', {}],
    ['/changes/quotes?since=0', {}],
    ['/unknown', {}],
  ])('gives for %s with %p what a request for it gets', async (target, headers) => {
    const response = await respondToTarget(createClient(), target, {
      headers: new Headers(headers),
    });
    const requested = await server.get(target, headers);
    expect(response.status).toBe(requested.status);
    expect(await new Response(response.body).text()).toBe(await requested.text());
    for (const name of ['ETag', 'Link', 'Content-Type', 'Memento-Datetime', 'Tenor-Revision'])
      expect([name, response.headers.get(name)]).toEqual([name, requested.headers.get(name)]);
  });

  test('rejects what the scopes of the client do not allow', async () => {
    const client = createClient(['funds']);
    for (const target of ['/2.0/bnb/quote', '/exports/quotes.csv', '/corrections/quotes'])
      expect((await respondToTarget(client, target)).status).toBe(403);
    expect((await respondToTarget(client, '/3.0/funds')).status).toBe(200);
  });

  test('knows neither documents nor event streams', async () => {
    for (const target of ['/', '/openapi.json', '/live', '/events', 'x', ''])
      expect((await respondToTarget(createClient(), target)).status).toBe(404);
  });

  test('charges the client what the response costs beyond one request', async () => {
    const client = createClient();
    const target = '/2.0/bnb/quote?symbol=ZZ03TB010126&from=2020-01-01';
    await respondToTarget(client, target);
    await respondToTarget(client, `${target}&format=xlsx`);
    expect(client.charges).toEqual([0, 2]);
  });

  test('gives no body of a file for HEAD', async () => {
    const response = await respondToTarget(createClient(), '/exports/quotes.csv', {
      method: 'HEAD',
    });
    expect([response.status, response.body, response.stream]).toEqual([200, null, undefined]);
  });
});
