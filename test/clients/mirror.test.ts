import { afterAll, beforeAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { parquetReadObjects } from 'hyparquet';
import type { QuotesRecord, Tenor } from '../../clients/typescript/src/index.ts';
import { Mirror } from '../../clients/typescript/src/mirror.ts';
import { mirrorTo } from '../support/mirror-folder.ts';
import { createMirroredStore } from '../support/mirrored-store.ts';
import { serveFolder } from '../support/serve-folder.ts';
import { createTempFolder } from '../support/store.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { createClient } from './typescript-support.ts';

const folder = createTempFolder();
const compressors = { ZSTD: (page: Uint8Array) => Bun.zstdDecompressSync(page) };
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
      const records = (await mirror.records(name, { asOf }).toArray()).map((record) =>
        JSON.stringify(record),
      );
      // Holidays are by calendar, but their files by month.
      const compared = name === 'holidays' ? [records.sort(), lines.sort()] : [records, lines];
      expect([asOf, name, compared[0]]).toEqual([asOf, name, compared[1]]);
    }
  }
});

test('a month has the records whose periods end in it, and one file', async () => {
  const months = (await mirror.files('quotes')).map(({ month }) => String(month));
  expect(months).toEqual(months.toSorted());
  requests = [];
  for (const month of months.slice(-3)) {
    const served = await client.quotes
      .all({ from: `${month}-01`, to: `${month}-31`.replace(/(0[469]|11)-31$/, '$1-30') })
      .toArray();
    expect(await mirror.records<QuotesRecord>('quotes', { month }).toArray()).toEqual(served);
  }
  expect(requests.filter((path) => path.startsWith('/data/'))).toHaveLength(3);
  expect(requests).not.toContain('/ledger/tile/0/000');
  expect(await mirror.records('quotes', { month: '1999-01' }).toArray()).toEqual([]);
  expect((await mirror.files('fund-allocation')).map(({ month }) => month)).toEqual([undefined]);
});

test('the files of a dataset are where they can be read', async () => {
  const paths = (await mirror.files('quotes', { asOf: 18 })).map(({ url }) => url);
  const rows = await Promise.all(
    paths.map(async (url) =>
      parquetReadObjects({ file: await (await fetch(url)).arrayBuffer(), compressors }),
    ),
  );
  expect(rows.flat()).toHaveLength((await mirror.records('quotes', { asOf: 18 }).toArray()).length);
  expect(await mirror.datasets({ asOf: 1 })).toContain('quotes');
});

test('instants lead to revisions', async () => {
  const revisions = await client.revisions.all().toArray();
  for (const { publishedAt } of revisions.filter((_, index) => index % 5 === 0)) {
    const expected = await client.asOf(publishedAt).quotes.all({ from: '2026-01-01' }).toArray();
    const records = await mirror.records<QuotesRecord>('quotes', { asOf: publishedAt }).toArray();
    expect(records.filter(({ date }) => date >= '2026-01-01')).toEqual(expected);
  }
});

test.each([
  [
    () => mirror.records('quotes', { asOf: 99 }).toArray(),
    'the mirror has no revision 99; it has 1 to',
  ],
  [
    () => mirror.records('rates', { asOf: 1 }).toArray(),
    'the mirror has no dataset "rates" at revision 1; it has quotes, ',
  ],
  [() => mirror.files('kibor'), 'the mirror has no dataset "kibor"'],
  [() => mirror.records('constructor').toArray(), 'the mirror has no dataset "constructor" at'],
  [
    () => mirror.records('fund-allocation', { month: '2026-05' }).toArray(),
    'the records of fund-allocation have no months',
  ],
  [
    () => mirror.files('quotes', { asOf: '1999-12-31' }),
    'the mirror has nothing of 1999-12-31T23:59:59Z: its first revision, 1, was published at',
  ],
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
    tries: 1,
    fetch: async () => new Response('', { status: 500 }),
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
