import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import type { DatasetParameters, Tenor } from '../../clients/typescript/src/index.ts';
import { Mirror } from '../../clients/typescript/src/mirror.ts';
import { mirrorTo } from '../support/mirror-folder.ts';
import { createMirroredStore, PERIODS } from '../support/mirrored-store.ts';
import { serveFolder } from '../support/serve-folder.ts';
import { createTempFolder } from '../support/store.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { createClient } from './typescript-support.ts';

const folder = createTempFolder();
let server: TestServer;
let files: Bun.Server<undefined>;
let requests: string[] = [];
let client: Tenor;
let mirror: Mirror;
let newest: number;
beforeAll(async () => {
  const store = await createMirroredStore();
  await mirrorTo(store, folder);
  server = await startTestServer(store);
  files = serveFolder(folder, (path) => requests.push(path));
  client = createClient(server);
  mirror = new Mirror(files.url, { tries: 1 });
  newest = await mirror.revision();
});
afterAll(async () => {
  files.stop(true);
  await server.stop();
  rmSync(folder, { recursive: true });
});

test('every dataset of every revision has the records of exports, in their order', async () => {
  expect(newest).toBeGreaterThan(20);
  for (let asOf = 1; asOf <= newest; asOf += 3) {
    const names = (await client.asOf(asOf).catalogue({ limit: 1000 })).data.map(({ name }) => name);
    for (const name of names) {
      const exported = await (await client.asOf(asOf).export(name, 'ndjson')).text();
      const lines = exported.split('\n').filter((line) => line !== '');
      const records = await mirror.records(name, { asOf }).toArray();
      expect({ asOf, name, records: records.map((record) => JSON.stringify(record)) }).toEqual({
        ...{ asOf, name, records: lines },
      });
    }
  }
});

test.each([
  {},
  { type: 'bond' },
  { symbol: 'A' },
  { symbol: 'B' },
  { symbol: 'b', type: 'tbill' },
  { symbol: 'zz0000000001' },
  { symbol: ['ZZ0000000001', 'C'] },
  { symbol: 'ZZ0000000002' },
  { symbol: ['ZZ0000000002', 'a'], from: '2026-04-01' },
  { symbol: 'none' },
  { date: '2026-04-30' },
  { from: '2026-04-01', to: '2026-04-30' },
  { from: '2026-04-01', sort: 'asc' },
  { to: '2026-04-29', type: 'all' },
  { symbol: 'A,b', from: '2026-01-01', sort: 'asc' },
] as const)('quotes with %o are those of the service', async (parameters) => {
  for (const asOf of [1, 18, 19, newest]) {
    const expected = await client
      .asOf(asOf)
      .quotes.all({ ...parameters })
      .toArray();
    expect(await mirror.quotes({ ...parameters, asOf })).toEqual(expected);
  }
});

describe('series', () => {
  const spellings = [
    ...['2026-01-15', '2025-12-31', '2026-W01', 'Jan 2026', '2026-01', 'Q1 2026', '2026-Q1'],
    ...['Q1 FY2026', '2025-Q4', '2025', 'FY2025', '2024'],
  ];

  async function read(name: string, parameters: DatasetParameters) {
    const mirrored = await mirror.dataset(name, parameters).catch((cause) => cause.constructor);
    const served = await client.dataset
      .all(name, parameters)
      .toArray()
      .catch(() => TypeError);
    return { mirrored, served };
  }

  test.each(PERIODS.map((_, index) => `series-${index}`))(
    '%s is that of the service',
    async (name) => {
      let found = 0;
      for (const from of [undefined, ...spellings]) {
        for (const sort of ['asc', 'desc'] as const) {
          for (const range of [{ from }, { to: from }, { from, to: from }]) {
            const { mirrored, served } = await read(name, { ...range, sort });
            expect({ range, sort, records: mirrored }).toEqual({ range, sort, records: served });
            if (Array.isArray(mirrored)) found += mirrored.length;
          }
        }
      }
      expect(found).toBeGreaterThan(20);
    },
  );

  test('a bound that is no period of fiscal quarters names the forms that are', async () => {
    const index = PERIODS.findIndex(([{ yearStart }]) => yearStart === 7);
    await expect(mirror.dataset(`series-${index}`, { from: '2026-Q1' })).rejects.toThrow(
      'from must be a quarter such as Q1 FY2024, or a day in it as YYYY-MM-DD, not "2026-Q1"',
    );
  });

  test('series of the service are without the status that it adds', async () => {
    for (const name of ['online-banking-annual-volume', 'branchless-banking-agents'] as const) {
      expect(await mirror.dataset<object>(name)).toEqual([...(await client.series(name)).data]);
      for (const from of spellings) {
        const { mirrored, served } = await read(name, { from });
        const withoutStatus = Array.isArray(served) && served.map(({ status: _, ...rest }) => rest);
        expect(mirrored).toEqual(withoutStatus || served);
      }
    }
  });

  test('dimensions select records', async () => {
    for (const area of ['north', 'North', ['north', 'East'], 'East,north']) {
      const { mirrored, served } = await read('series-0', { area });
      expect(mirrored).toEqual(served);
    }
    const unknown = mirror.dataset('series-0', { tenor: '1M' });
    await expect(unknown).rejects.toThrow('"tenor" is no dimension of series-0; it has area');
    const none = mirror.dataset('series-1', { frequency: 'year' });
    await expect(none).rejects.toThrow('"frequency" is no dimension of series-1; it has none');
  });
});

test('a fund is that of the service', async () => {
  for (const id of ['EMPTY', 'without-classes', 'Without-Periods'])
    expect(await mirror.fund(id)).toEqual((await client.fundAllocation({ fund_id: id })).data);
  const missing = mirror.fund('other');
  await expect(missing).rejects.toMatchObject({
    ...{ kind: 'no_record_found', message: 'the mirror has no fund "other"' },
  });
});

test('revisions are those of the service, and instants lead to them', async () => {
  const revisions = await client.revisions.all().toArray();
  expect(await mirror.revisions()).toEqual(revisions);
  expect(await mirror.revisions({ limit: 3 })).toEqual(revisions.slice(0, 3));
  for (const { publishedAt } of revisions) {
    const atInstant = { asOf: publishedAt, from: '2026-01-01' };
    const expected = await client.asOf(publishedAt).quotes.all({ from: '2026-01-01' }).toArray();
    expect(await mirror.quotes(atInstant)).toEqual(expected);
  }
  const now = new Date();
  expect(await mirror.quotes({ asOf: now })).toEqual(await mirror.quotes());
});

test('only the months that are needed are read', async () => {
  const countFiles = async (read: () => Promise<unknown>) => {
    requests = [];
    await read();
    return requests.filter((path) => path.startsWith('/data/')).length;
  };
  expect(await countFiles(() => mirror.quotes())).toBe(1);
  expect(await countFiles(() => mirror.quotes({ symbol: 'A' }))).toBe(1);
  expect(await countFiles(() => mirror.quotes({ from: '2026-04-01', to: '2026-04-30' }))).toBe(1);
  expect(await countFiles(() => mirror.dataset('series-2', { from: '2026-Q2' }))).toBe(2);
  expect(requests).not.toContain('/ledger/tile/0/000');
});

test.each([
  [() => mirror.quotes({ asOf: 99 }), 'the mirror has no revision 99; it has 1 to'],
  [
    () => mirror.records('rates', { asOf: 1 }).toArray(),
    'the mirror has no dataset "rates" at revision 1; it has quotes, ',
  ],
  [() => mirror.dataset('kibor'), 'the mirror has no dataset "kibor"'],
  [() => mirror.records('constructor').toArray(), 'the mirror has no dataset "constructor" at'],
  [() => mirror.dataset('constructor'), 'the mirror has no dataset "constructor"'],
  [
    () => mirror.dataset('securities'),
    'securities is no series: read it with quotes(), fund() or records()',
  ],
  [
    () => mirror.quotes({ asOf: '1999-12-31' }),
    'the mirror has nothing of 1999-12-31T23:59:59Z: its first revision, 1, was published at',
  ],
  [() => mirror.quotes({ date: '2026-02-30' }), 'date must be a calendar day as YYYY-MM-DD'],
  [() => mirror.quotes({ limit: 0 }), 'limit must be a whole number from 1'],
  [
    () => new Mirror(server.address).revision(),
    'there is no mirror at this address: it has no latest.json with a revision',
  ],
  [() => new Mirror('http://127.0.0.1:1', { tries: 1 }).revision(), 'the connection failed: '],
])('%p is rejected: %s', async (read, message) => {
  await expect(read()).rejects.toThrow(message);
});

test('an interrupted file is read again, and a broken mirror is named', async () => {
  const lost = new ReadableStream({ pull: (controller) => controller.error(new Error('lost')) });
  const answers = [
    new Response('', { status: 503 }),
    new Response(lost),
    new Response('{"revision":3}'),
  ];
  const interrupted = new Mirror('http://mirror.example', {
    fetch: async () => answers.shift() ?? new Response(null, { status: 500 }),
  });
  expect(await interrupted.revision()).toBe(3);
  const broken = new Mirror('http://mirror.example', {
    ...{ tries: 1, fetch: async () => new Response('', { status: 500 }) },
  });
  await expect(broken.revision()).rejects.toThrow(
    'the mirror answers with status 500 to latest.json',
  );
  expect(() => new Mirror('mirror')).toThrow('the address of a mirror must be an http or https');
});

test('the state of a service verifies its mirror', async () => {
  const { state } = await client.verify();
  const verified = await mirror.verify({ state });
  expect(verified).toMatchObject({ previousSize: newest, unreadableRevisions: [] });
  expect(verified.datasets.quotes).toBe((await mirror.records('quotes').toArray()).length);
});
