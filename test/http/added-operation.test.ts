import { afterAll, beforeAll, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { schema } from '../../src/catalogue/model/json-schema.ts';
import type { Operation } from '../../src/catalogue/model/operation.ts';
import { parameter } from '../../src/catalogue/model/parameter.ts';
import { createDataRoutes } from '../../src/http/server/routes.ts';
import { startServer } from '../../src/http/server/start-server.ts';
import { createOperationRoute } from '../../src/operations/operation-route.ts';
import { type CreateRoutes, OPERATIONS } from '../../src/operations/operations.ts';
import { quote } from '../support/quote-fixture.ts';
import { startThreadInProcess } from '../support/start-thread-in-process.ts';
import { createStore, type TestStore } from '../support/store.ts';
import { SERVER_SETTINGS, TOKEN } from '../support/test-server.ts';

/** The declaration of an operation, as its folder would have it. */
const latestDayOperation = {
  name: 'latest-day',
  title: 'Newest day',
  description: 'The newest days with quotes.',
  scope: quotes.scope,
  supportsAsOf: true,
  path: '/2.0/bnb/latest-day',
  parameters: { cost: parameter.integer('What it costs'), limit: parameter.integer('How many') },
  dataSchema: schema.array('Days since 1970', { type: 'integer' }),
  example: [20_634],
} satisfies Operation;

const readOn: string[] = [];

/** Its route. */
const createLatestDayRoute: CreateRoutes = () =>
  createOperationRoute(latestDayOperation, {
    parse: ({ filters: { cost = 1, limit = 1 } }) => ({ datasets: [quotes.name], cost, limit }),
    cost: ({ cost }) => cost,
    async read({ limit }, { view: { catalogue, revision }, reader }) {
      readOn.push(threadReaders.has(reader) ? 'background thread' : 'calling thread');
      const days = await reader.periods(catalogue.get(quotes.name), { limit }, revision);
      return { revision, data: JSON.stringify(days) };
    },
  });

const threadReaders = new WeakSet<object>();
const operations = [...OPERATIONS, createLatestDayRoute];

let store: TestStore;
let server: Awaited<ReturnType<typeof startServer>>;
beforeAll(async () => {
  store = await createStore();
  await store.publish(quotes, [quote({ date: '2026-06-29' }), quote({ date: '2026-06-30' })]);
  const openReader = () => {
    const reader = store.reader();
    threadReaders.add(reader);
    return reader;
  };
  const startThread = () =>
    startThreadInProcess(openReader, catalogue, createDataRoutes(operations));
  const settings = SERVER_SETTINGS;
  server = await startServer({ store, catalogue, settings, emit() {}, operations, startThread });
});
afterAll(async () => {
  await server.stop();
  await store.remove();
});

const get = (target: string) =>
  fetch(`${server.address}${target}`, { headers: { authorization: `Bearer ${TOKEN}` } });

test.each([
  ['', [20_634], 'calling thread'],
  ['?limit=2&cost=20', [20_634, 20_633], 'background thread'],
])(
  'an operation that is one more line of the list responds to %p on its thread',
  async (query, data, thread) => {
    readOn.length = 0;
    const response = await get(`${latestDayOperation.path}${query}`);
    expect(await response.json()).toEqual({ status: 'ok', data });
    expect(response.headers.get('tenor-revision')).toBe('1');
    expect(readOn).toEqual([thread]);
    const invalid = await get(`${latestDayOperation.path}?limit=0`);
    expect(invalid.status).toBe(400);
  },
);

test('the OpenAPI document describes an operation that is one more line of the list', async () => {
  const { paths } = (await (await get('/openapi.json')).json()) as { paths: object };
  expect(paths).toMatchObject({
    [latestDayOperation.path]: { get: { operationId: 'latest-day', summary: 'Newest day' } },
  });
});
