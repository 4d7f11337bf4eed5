import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { onlineBankingAnnualVolume as online } from '../../src/catalogue/datasets/series/index.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { RESPONSE_FORMATS } from '../../src/catalogue/model/response-format.ts';
import { buildOpenApiDocument, listOperations } from '../../src/openapi/document.ts';
import { RESPONSE_HEADERS } from '../../src/openapi/headers.ts';
import { HEALTH_OPERATIONS } from '../../src/operations/health/health-operations.ts';
import { type StoreReader, StoreUnavailableError } from '../../src/store/open-store.ts';
import { issueLink } from '../../src/tokens/issue-token.ts';
import { retryUntil } from '../support/eventually.ts';
import { readFixture } from '../support/fixtures.ts';
import { createDocumentReader, escapePointer } from '../support/openapi-document.ts';
import { buildCorrection, encodeRow } from '../support/publish-at.ts';
import { createFilledStore, type TestStore } from '../support/store.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { issueSecret } from '../support/use-test-server.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document is read as what it is
const document: any = JSON.parse(JSON.stringify(buildOpenApiDocument(catalogue, '1.2.3')));
const { resolveReference, isValid } = createDocumentReader(document);

const [fund = {}] = readFixture(fundAllocation);
/** A text that no cell of a workbook can hold. */
const LONG_FUND = { ...fund, fund_id: 'long', frequency: 'x'.repeat(40_000) };

let service: TestServer;
let limited: TestServer;
let failing: TestServer;
let failure: Error | undefined;
const secrets = { quotes: '', funds: '' };
beforeAll(async () => {
  const store = await createFilledStore();
  for (const dataset of catalogue) {
    const [first = {}] = readFixture(dataset);
    await store.publish(dataset, [buildCorrection(dataset, first)]);
  }
  const publisher = store.publisher();
  const rows = [[encodeRow(online, online.example, 'P')]];
  await publisher.publish({ dataset: online, source: 'a', author: 'a', rows });
  publisher.close();
  secrets.quotes = await issueSecret(store, ['quotes']);
  secrets.funds = await issueSecret(store, ['funds']);
  service = await startTestServer(store);
  limited = await startTestServer(await createFilledStore(), {
    rateLimit: { count: 1, windowMs: 3_600_000 },
  });
  await limited.request('/catalogue');
  const failingStore = await createFilledStore();
  await failingStore.publish(fundAllocation, [LONG_FUND]);
  failing = await startTestServer(withFailures(failingStore));
});
afterAll(() => Promise.all([service.stop(), limited.stop(), failing.stop()]));

/** What a server calls by itself, each second: failures of it would fail the next request too. */
const UNAFFECTED: readonly (string | symbol)[] = ['close', 'isCurrent', 'revision'];

/** The store, whose readers throw the failure once there is one. */
function withFailures(store: TestStore): TestStore {
  const reader = (): StoreReader =>
    new Proxy(store.reader(), {
      get(target, name) {
        const value = Reflect.get(target, name);
        if (typeof value !== 'function' || UNAFFECTED.includes(name)) return value;
        return (...args: unknown[]) => {
          if (failure) throw failure;
          return value.apply(target, args);
        };
      },
    });
  return { ...store, reader };
}

/** Asserts that the document has the response: its status, headers, media type and body. */
async function assertDescribed(path: string, response: Response): Promise<void> {
  const { status, headers } = response;
  const declared = document.paths[path].get.responses[status];
  expect([path, status, declared === undefined]).toEqual([path, status, false]);
  const { headers: declaredHeaders, content } = resolveReference(declared);
  const sent = Object.keys(RESPONSE_HEADERS).filter((name) => headers.has(name));
  expect(sent.filter((name) => !(name in declaredHeaders))).toEqual([]);
  for (const name of sent) {
    const { schema } = resolveReference(declaredHeaders[name]);
    const text = headers.get(name) as string;
    const value = schema.type === 'integer' ? Number(text) : text;
    expect([name, isValid(`/components/headers/${name}/schema`, value)]).toEqual([name, true]);
  }
  const body = await response.text();
  if (content === undefined) return expect(body).toBe('');
  const mediaType = headers.get('content-type')?.split(';')[0] ?? '';
  expect(Object.keys(content)).toContain(mediaType);
  // Bytes are no JSON value: a validator would reject them as a string.
  if (mediaType !== RESPONSE_FORMATS.json.mediaType)
    return expect(content[mediaType].schema.type).toBeUndefined();
  const location =
    declared.$ref?.slice(1) ?? `/paths/${escapePointer(path)}/get/responses/${status}`;
  const pointer = `${location}/content/application~1json/schema`;
  expect([path, status, isValid(pointer, JSON.parse(body))]).toEqual([path, status, true]);
}

const PATH_VALUES: Readonly<Record<string, string>> = {
  file: 'quotes.csv',
  n: '1',
  dataset: 'quotes',
  path: '0/000.p/1',
};
/** Those of health send other bodies, which health.test.ts compares. */
const isHealth = (path: string) => HEALTH_OPERATIONS.some((health) => health.path === path);
const EVENTS = '/events';
const LINK = '/links/{secret}';
/** What it sends is compared in signed-links.test.ts. */
const SIGNATURE = '/links/sign';
const FOLLOW = '/follow';
const OPEN_PATHS = listOperations(catalogue)
  .filter(({ isOpen }) => isOpen === true)
  .map(({ path }) => path);
const dataPaths = Object.keys(document.paths).filter(
  (path) =>
    !isHealth(path) &&
    !path.startsWith('/sdmx/') &&
    ![EVENTS, LINK, SIGNATURE, ...OPEN_PATHS].includes(path),
);
const REQUIRED_QUERIES: Readonly<Record<string, string>> = {
  '/3.0/funds/allocation': `?fund_id=${fund.fund_id}`,
  '/changes/{dataset}': '?since=0',
  '/2.0/bnb/analytics': '?symbol=CEDARTFC1&from=2000-01-01',
  '/2.0/bnb/cashflows': '?symbol=CEDARTFC1',
  '/2.0/bnb/curve': '?from=2000-01-01',
  '/2.0/bnb/price': '?symbol=CEDARTFC1&yield=11',
  '/2.0/bnb/portfolio': '?positions=CEDARTFC1:100&shift=-100,100',
  '/aligned': '?columns=quotes.ytm(symbol=CEDARTFC1)',
};
const fillPath = (path: string) => path.replace(/\{(\w+)\}/g, (_, name) => PATH_VALUES[name] ?? '');
const operations = dataPaths.map((path) => ({
  path,
  target: `${fillPath(path)}${REQUIRED_QUERIES[path] ?? ''}`,
}));

describe.each(operations)('the OpenAPI document describes what $path sends', ({ path, target }) => {
  const withQuery = (query: string) => `${target}${target.includes('?') ? '&' : '?'}${query}`;
  /** Asks, asserts that the response is described, and returns its status and headers. */
  const ask = async (headers: Record<string, string> = {}, to = target) => {
    const response = await service.request(to, headers);
    await assertDescribed(path, response);
    return response;
  };

  test('on success, in every format, counted, as of an instant, and cut', async () => {
    for (const { mediaType } of Object.values(RESPONSE_FORMATS))
      expect((await ask({ accept: mediaType })).status).toBe(200);
    await ask({ prefer: 'count=exact' });
    await ask({ 'accept-datetime': new Date().toISOString() });
    await ask({ 'accept-datetime': '2001-01-01T00:00:00Z' });
    const { parameters } = document.paths[path].get;
    const format = parameters.find(({ name }: { name?: string }) => name === 'format');
    for (const name of resolveReference(format?.schema ?? {}).enum ?? [])
      expect((await ask({}, withQuery(`format=${name}`))).status).toBe(200);
    if (!parameters.some(({ name }: { name?: string }) => name === 'limit')) return;
    const { headers } = await ask({}, withQuery('limit=1'));
    if (path !== '/corrections/{dataset}') expect(headers.get('link')).toContain('rel="next"');
  });

  test('if it is not modified, a precondition fails, or a range is requested', async () => {
    const etag = (await ask()).headers.get('etag') ?? '';
    expect((await ask({ 'if-none-match': etag })).status).toBe(304);
    expect((await ask({ 'if-match': '"other"' })).status).toBe(412);
    const isFile = path.startsWith('/exports');
    expect((await ask({ range: 'bytes=0-9' })).status).toBe(isFile ? 206 : 200);
    expect((await ask({ range: 'bytes=99999999-' })).status).toBe(isFile ? 416 : 200);
  });

  test('to an invalid request, or one without the token or scope', async () => {
    expect((await ask({}, withQuery('colour=red'))).status).toBe(400);
    await ask({ 'accept-datetime': 'yesterday' });
    const isOpen = path === '/releases';
    expect((await ask({ authorization: '' })).status).toBe(isOpen ? 200 : 401);
    expect((await ask({ authorization: 'Bearer wrong' })).status).toBe(401);
    const statuses: number[] = [];
    for (const secret of Object.values(secrets))
      statuses.push((await ask({ authorization: `Bearer ${secret}` })).status);
    if (!isOpen && !['/catalogue', '/datapackage.json', '/revisions', FOLLOW].includes(path))
      expect(statuses).toContain(403);
  });

  test('beyond the rate, and when the store fails', async () => {
    const beyond = await limited.request(target);
    expect(beyond.status).toBe(429);
    await assertDescribed(path, beyond);
    // It reads tokens, which are not made to fail.
    if (path !== FOLLOW) await assertFailuresDescribed(path, target);
  });
});

async function assertFailuresDescribed(path: string, target: string): Promise<void> {
  for (const [cause, status] of [
    [new Error('a bug'), 500],
    [new StoreUnavailableError('disk gone'), 503],
  ] as const) {
    failure = cause;
    const failed = await failing.request(target);
    failure = undefined;
    expect(failed.status).toBe(status);
    await assertDescribed(path, failed);
  }
}

test.each(OPEN_PATHS)('the OpenAPI document describes what %s sends to anybody', async (path) => {
  const ask = async (headers: Record<string, string> = {}, query = '') => {
    const target = `${fillPath(path)}${query}`;
    const response = await service.request(target, { authorization: '', ...headers });
    await assertDescribed(path, response);
    return response.status;
  };
  expect(await ask({ authorization: 'Bearer wrong' })).toBe(200);
  const etag = (await service.request(fillPath(path))).headers.get('etag');
  if (etag) expect(await ask({ 'if-none-match': etag })).toBe(304);
  expect(await ask({ 'if-match': '"other"' })).toBe(etag ? 412 : 200);
  expect(await ask({}, '?colour=red')).toBe(400);
  expect(await ask({ 'tenor-revision': 'x' })).toBe(400);
  expect((await limited.request(fillPath(path))).status).toBe(200);
  await assertFailuresDescribed(path, fillPath(path));
});

test.each([
  ['/exports/{file}', '/exports/nothing.csv'],
  ['/revisions/{n}', '/revisions/99999'],
  ['/corrections/{dataset}', '/corrections/nothing'],
  ['/changes/{dataset}', '/changes/nothing?since=0'],
  ['/vintages/{dataset}', '/vintages/nothing'],
  ['/ledger/entries/{n}', '/ledger/entries/99999'],
  ['/ledger/tile/{path}', '/ledger/tile/0/999'],
  ['/ledger/proof/{n}', '/ledger/proof/99999'],
])('the OpenAPI document describes what %s sends for what does not exist', async (path, target) => {
  const response = await service.request(target);
  expect(response.status).toBe(404);
  await assertDescribed(path, response);
});

test.each([
  ['/3.0/funds/allocation', '/3.0/funds/allocation?fund_id=long'],
  ['/3.0/funds', '/3.0/funds'],
])(
  'the OpenAPI document describes what %s sends if a format cannot hold it',
  async (path, target) => {
    const response = await failing.request(target, { accept: RESPONSE_FORMATS.xlsx.mediaType });
    expect(response.status).toBe(406);
    await assertDescribed(path, response);
  },
);

test('the OpenAPI document describes the status of a changed record', async () => {
  const response = await service.request(`/changes/${online.name}?since=0`);
  expect(await response.clone().text()).toContain(',"status":"P"}');
  await assertDescribed('/changes/{dataset}', response);
});

test('the OpenAPI document describes what /events sends', async () => {
  const stream = await service.request(EVENTS);
  const { content, headers } = document.paths[EVENTS].get.responses[200];
  expect(Object.keys(content)).toEqual([stream.headers.get('content-type') ?? '']);
  const sent = Object.keys(RESPONSE_HEADERS).filter((name) => stream.headers.has(name));
  expect(sent.filter((name) => !(name in headers))).toEqual([]);
  await stream.body?.cancel();
  await assertDescribed(EVENTS, await service.request(`${EVENTS}?colour=red`));
  await assertDescribed(EVENTS, await service.request(EVENTS, { 'last-event-id': 'x' }));
  await assertDescribed(EVENTS, await service.request(EVENTS, { authorization: '' }));
  const beyond = await limited.request(EVENTS);
  expect(beyond.status).toBe(429);
  await assertDescribed(EVENTS, beyond);
});

test.each([
  ['/sdmx/2.1/{kind}/{agency}/{id}/{version}', '/sdmx/2.1/codelist/all/all/latest', 200],
  ['/sdmx/2.1/data/{flow}/{key}', '/sdmx/2.1/data/ONLINE_BANKING_ANNUAL_VOLUME/all', 403],
  [
    '/sdmx/2/data/{context}/{agency}/{flow}/{version}/{key}',
    '/sdmx/2/data/dataflow/TENOR/ONLINE_BANKING_ANNUAL_VOLUME/1.0/*',
    403,
  ],
])('the OpenAPI document describes what %s sends', async (path, target, withoutScope) => {
  const ask = async (headers: Record<string, string> = {}, to = target) => {
    const response = await service.request(to, headers);
    await assertDescribed(path, response);
    return response;
  };
  const { responses } = document.paths[path].get;
  const types = Object.keys(responses[200].content);
  for (const accept of types) expect((await ask({ accept })).status).toBe(200);
  const etag = (await ask({ 'accept-datetime': new Date().toISOString() })).headers.get('etag');
  expect((await ask({ 'if-none-match': etag ?? '' })).status).toBe(304);
  expect((await ask({ 'if-match': '"other"' })).status).toBe(412);
  expect((await ask({}, `${target}?colour=red`)).status).toBe(400);
  expect((await ask({ 'accept-datetime': 'yesterday' })).status).toBe(400);
  expect((await ask({ accept: 'image/png' })).status).toBe(406);
  expect((await ask({}, target.replace(/ONLINE\w+|codelist.all/, 'codelist/NONE'))).status).toBe(
    404,
  );
  expect((await ask({ authorization: '' })).status).toBe(401);
  const funds = { authorization: `Bearer ${secrets.funds}` };
  expect((await ask(funds)).status).toBe(withoutScope);
  const beyond = await limited.request(target);
  expect(beyond.status).toBe(429);
  await assertDescribed(path, beyond);
  await assertFailuresDescribed(path, target);
});

test('the OpenAPI document describes what links send', async () => {
  const tokens = service.store.tokens();
  const create = async (target: string, rate: string | null = null) => {
    const terms = { name: 'a', scopes: ['quotes'], expiresAt: null };
    const { secret } = await issueLink(tokens, { ...terms, target, rate });
    return `/links/${secret}`;
  };
  const slow = await create('/2.0/bnb/quote?limit=1', '1/hour');
  const data = await create('/2.0/bnb/quote?limit=1');
  const file = await create('/exports/quotes.csv');
  tokens.close();
  await retryUntil(30_000, async () => {
    expect((await service.request(file)).status).toBe(200);
  });
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const response = await service.request(path, { authorization: '', ...headers });
    await assertDescribed(LINK, response);
    return response;
  };
  const { headers } = await ask(data, { prefer: 'count=exact' });
  expect((await ask(data, { 'if-none-match': headers.get('etag') ?? '' })).status).toBe(304);
  expect((await ask(data, { accept: 'text/csv', 'if-match': '"x"' })).status).toBe(412);
  expect((await ask(`${data}?limit=1`)).status).toBe(400);
  expect((await ask(data, { 'accept-datetime': 'yesterday' })).status).toBe(200);
  expect((await ask(slow)).status).toBe(200);
  expect((await ask(slow)).status).toBe(429);
  expect((await ask(file, { range: 'bytes=0-9' })).status).toBe(206);
  expect((await ask(file, { range: 'bytes=99999999-' })).status).toBe(416);
  expect((await ask(`${data}x`)).status).toBe(404);
});

test.each(['', '?fund_id=', '?fund_id=x', '?fund_id=x&colour=red'])(
  'the OpenAPI document describes the errors of fund allocation with status 200: "%s"',
  async (query) => {
    const response = await service.request(`/3.0/funds/allocation${query}`);
    expect(response.status).toBe(200);
    await assertDescribed('/3.0/funds/allocation', response);
  },
);
