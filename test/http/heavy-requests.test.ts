import { describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { SCOPES } from '../../src/catalogue/model/dataset.ts';
import { RESPONSE_FORMATS } from '../../src/catalogue/model/response-format.ts';
import { startThread } from '../../src/http/server/thread/start-thread.ts';
import { retryUntil } from '../support/eventually.ts';
import { quote } from '../support/quote-fixture.ts';
import { createStore } from '../support/store.ts';
import { TOKEN } from '../support/test-server.ts';
import { issueSecret, useTestServer } from '../support/use-test-server.ts';

const QUOTES = '/2.0/bnb/quote';
const XLSX = RESPONSE_FORMATS.xlsx.contentType;
const RECORDS = 3_000;
/** Of all records, so that counting them takes long. */
const ISIN = 'ZZ0000000017';

let otherToken: string;
const service = useTestServer(
  async () => {
    const store = await createStore();
    otherToken = await issueSecret(store, SCOPES);
    const records = Array.from({ length: RECORDS }, (_, index) =>
      quote({ symbol: `ZZ${index}`, isin: ISIN }),
    );
    await store.publish(quotes, records);
    return store;
  },
  { startThread },
);

/** A workbook that no other request has asked for. */
let workbooks = 0;
const createWorkbookTarget = () => `${QUOTES}?limit=10000&from=2000-01-01&to=${nextDay()}`;
const nextDay = () => new Date(Date.UTC(2027, 0, ++workbooks)).toISOString().slice(0, 10);
const requestWorkbook = () => service.request(createWorkbookTarget(), { accept: XLSX });

/** Sends requests by the operator's token over connections that the caller closes. */
function openConnections(count: number, createTarget: () => string, header: string) {
  const { hostname, port } = new URL(service.address);
  return Array.from({ length: count }, () => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    const lines = [`GET ${createTarget()} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${TOKEN}`];
    socket.write(`${[...lines, header].join('\r\n')}\r\n\r\n`);
    return socket;
  });
}

const countLogged = (status: number) =>
  service.events.filter(
    (event) => event.event === 'request' && event.token !== null && event.status === status,
  ).length;

describe('heavy requests of one token', () => {
  test('let small and large responses of another token through', async () => {
    const headers = { authorization: `Bearer ${otherToken}` };
    let finished = 0;
    const heavy = Array.from({ length: 12 }, () => requestWorkbook().finally(() => finished++));
    // A later request is answered, so that these have arrived.
    await service.request('/live');
    const small = await service.request(`${QUOTES}?limit=3`, { ...headers, accept: 'text/csv' });
    expect((await small.text()).trim().split('\n')).toHaveLength(4);
    const page = await service.request(`${QUOTES}?limit=10000`, headers);
    expect(((await page.json()) as { data: unknown[] }).data).toHaveLength(RECORDS);
    expect(finished).toBeLessThan(12);
    for (const response of await Promise.all(heavy)) expect(response.status).toBe(200);
  });

  test.each([
    ['workbooks', 60, createWorkbookTarget, `Accept: ${XLSX}`],
    ['JSON', 60, createWorkbookTarget, 'Accept: application/json'],
    [
      'counts',
      60,
      () => `${QUOTES}?limit=1&symbol=${ISIN}&from=2000-01-01&to=${nextDay()}`,
      'Prefer: count=exact',
    ],
  ])('end when their clients have gone: %s', async (_, count, createTarget, header) => {
    service.events.length = 0;
    const sockets = openConnections(count, createTarget, header);
    // Some are being created, and all others wait.
    await retryUntil(30_000, async () => expect(countLogged(200)).toBeGreaterThan(0));
    // By the second response, every request that was sent before the first one is read.
    for (let round = 0; round < 2; round++) await service.request('/openapi.json');
    for (const socket of sockets) socket.destroy();
    await retryUntil(30_000, async () => expect(countLogged(200) + countLogged(499)).toBe(count));
    expect(countLogged(499)).toBeGreaterThan(0);
  });

  test('respond 503 with Retry-After if too many wait, and later again 200', async () => {
    const refused = Promise.withResolvers<string>();
    const sockets = openConnections(110, createWorkbookTarget, `Accept: ${XLSX}`);
    for (const socket of sockets)
      socket.on('data', (bytes: Buffer) => {
        if (bytes.toString().startsWith('HTTP/1.1 503')) refused.resolve(bytes.toString());
      });
    const response = await refused.promise;
    expect(response).toMatch(/\r\nRetry-After: [1-9]/i);
    expect(response).toEndWith('{"status":"error","message":"temporarily_unavailable"}');
    for (const socket of sockets) socket.destroy();
    await retryUntil(30_000, async () => expect((await requestWorkbook()).status).toBe(200));
  });
});

describe('the cost of a request', () => {
  const limited = useTestServer(
    async () => {
      const store = await createStore();
      const records = Array.from({ length: 1_000 }, (_, index) => quote({ symbol: `ZZ${index}` }));
      await store.publish(quotes, records);
      return store;
    },
    { rateLimit: { count: 1_000, windowMs: 24 * 3_600_000 } },
  );
  const readRemaining = (response: Response) =>
    Number(/r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1]);

  test.each([
    ['a quote', '?symbol=ZZ1', {}, 1],
    ['100 records', '?limit=100', {}, 1],
    ['1,000 records', '?limit=1000', {}, 10],
    ['1,000 records again, from the cache', '?limit=1000', {}, 1],
    ['no record where 10,000 might have come', '?date=2000-01-01&limit=10000', {}, 1],
    ['1,000 records as CSV', '?limit=1000', { accept: 'text/csv' }, 20],
    ['a workbook of 1,000 records', '?limit=1000', { accept: XLSX }, 100],
  ])(
    'is subtracted from the remaining requests in RateLimit: %s',
    async (_, query, headers, cost) => {
      const before = readRemaining(await limited.request('/2.0/bnb/quote?symbol=none'));
      const after = readRemaining(await limited.request(`/2.0/bnb/quote${query}`, headers));
      expect(before - after).toBe(cost);
    },
  );
});
