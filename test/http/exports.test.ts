import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { datasets } from '../../src/catalogue/datasets/datasets.ts';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';
import { RESPONSE_FORMATS } from '../../src/catalogue/model/response-format.ts';
import { startThread } from '../../src/http/server/thread/start-thread.ts';
import { EXPORT_FORMATS } from '../../src/shared/formats.ts';
import { readFixture } from '../support/fixtures.ts';
import { DESCRIBED_BY } from '../support/follow-links.ts';
import { createLoadWorkspace } from '../support/load-workspace.ts';
import { publishAt } from '../support/publish-at.ts';
import { quote } from '../support/quote-fixture.ts';
import { getRaw } from '../support/raw-http.ts';
import { runTenor } from '../support/run-tenor.ts';
import { createFilledStore, createStore, type SqliteTestStore } from '../support/store.ts';
import { errorMessage, startTestServer, type TestServer, TOKEN } from '../support/test-server.ts';
import { issueSecret } from '../support/use-test-server.ts';

const AUTHORIZED = `Authorization: Bearer ${TOKEN}`;
const CSV = '/exports/quotes.csv';
const NDJSON = '/exports/quotes.ndjson';

const files = catalogue.flatMap((dataset) =>
  EXPORT_FORMATS.map((format) => [`${dataset.name}.${format}`, dataset, format] as const),
);

/** Those that loads read: of other series than the first, one in five. Tables have the parts of declarations as text. */
const loadable = files.filter(([, dataset, format], index) => {
  if (dataset === datasets) return format === 'ndjson';
  const isFirst = catalogue.find(({ shape }) => shape === dataset.shape) === dataset;
  return isFirst || index % (EXPORT_FORMATS.length + 1) === 0;
});

describe('an export', () => {
  let store: SqliteTestStore;
  let service: TestServer;
  beforeAll(async () => {
    store = await createFilledStore();
    await store.publish(datasets, readFixture(datasets));
    service = await startTestServer(store, { startThread });
  });
  afterAll(() => service.stop());

  test.each(loadable)('%s has the records of the JSON responses', async (name, dataset, format) => {
    const response = await service.request(`/exports/${name}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(RESPONSE_FORMATS[format].contentType);
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${name}"`);
    expect(response.headers.get('tenor-revision')).toBe(String(catalogue.length));
    const desk = await createLoadWorkspace();
    desk.writeFile(name, await response.bytes());
    await desk.load(dataset, name);
    expect(await desk.readRecords(dataset)).toEqual(await readRecords(service, dataset));
    await desk.close();
  });

  test('in NDJSON and Parquet has the bytes that tenor export writes', async () => {
    const settings = { DATABASE_URL: store.url };
    for (const name of ['quotes.ndjson', 'mobile-money-accounts-male.parquet']) {
      const output = `${store.path}.${name}`;
      const [dataset = ''] = name.split('.');
      const written = await runTenor(['export', dataset, '--output', output], settings);
      expect(written).toMatchObject({ status: 0, err: '' });
      const response = await service.request(`/exports/${name}`);
      expect(Buffer.from(await response.bytes())).toEqual(readFileSync(output));
    }
  });

  test('escapes formulas in CSV alone', async () => {
    await using other = await startTestServer(await createStore());
    await other.store.publish(quotes, [quote({ symbol: '=1+1' })]);
    const [, row] = (await (await other.request(CSV)).text()).split('\r\n');
    expect(row).toContain("'=1+1");
    expect(await (await other.request(NDJSON)).json()).toMatchObject({ symbol: '=1+1' });
  });

  test('without records has the CSV header row, and an empty NDJSON file', async () => {
    await using empty = await startTestServer(await createStore());
    const csv = await empty.request(CSV);
    expect(await csv.text()).toBe(`${Object.keys(quotes.fields).join()}\r\n`);
    expect(csv.headers.get('tenor-revision')).toBe('0');
    expect(csv.headers.get('last-modified')).toBeNull();
    const ndjson = await empty.request(NDJSON);
    expect({ status: ndjson.status, text: await ndjson.text() }).toEqual({ status: 200, text: '' });
  });

  test.each([
    '/exports',
    '/exports/',
    '/exports/quotes',
    '/exports/quotes.json',
    '/exports/quotes.xlsx',
    '/exports/quotes.CSV',
    '/exports/Quotes.csv',
    '/exports/quotes%2Ecsv',
    '/exports/quotes.csv.gz',
    '/exports/../exports/quotes.csv.',
    '/exports/nothing.csv',
    '/exports/.csv',
  ])('responds 404 at %s', async (path) => {
    const { status, body } = await getRaw(service.address, path, AUTHORIZED);
    expect({ status, body: JSON.parse(body) }).toEqual({
      status: 404,
      body: { status: 'error', message: 'not_found' },
    });
  });
});

/** Every record of a dataset, in the order of its responses. */
async function readRecords(service: TestServer, dataset: Dataset): Promise<AnyRecord[]> {
  const [path] = dataset.paths;
  if (dataset.shape === 'series') return (await service.getJson(path)).data;
  if (dataset.shape === 'reference') {
    const keys = dataset.keyFields ?? Object.keys(dataset.fields).slice(0, 1);
    const format = (record: AnyRecord) =>
      keys
        .map((key) => record[key])
        .join('\n')
        .toUpperCase();
    return readFixture(dataset).toSorted((a, b) => (format(a) < format(b) ? -1 : 1));
  }
  if (dataset.shape === 'quotes') {
    return (await service.getJson(`${path}?from=0001-01-01&limit=10000`)).data;
  }
  const ids = readFixture(dataset).map(({ fund_id }) => String(fund_id));
  const answers = ids.sort().map((id) => service.getJson(`${path}?fund_id=${id}`));
  return (await Promise.all(answers)).map(({ data }) => data);
}

describe('an exported file', () => {
  const instants = [
    '2026-03-01T10:00:00.250Z',
    '2026-03-01T10:00:00.750Z',
    '2026-03-02T10:00:00.000Z',
  ];
  let service: TestServer;
  let quotesOnly: string;
  let bodies: string[];
  beforeAll(async () => {
    const store = await createStore();
    quotesOnly = await issueSecret(store, ['quotes']);
    service = await startTestServer(store);
    bodies = [];
    for (const [index, instant] of instants.entries()) {
      await publishAt(store, instant, quotes, { records: [quote({ lastPrice: index + 1 })] });
      bodies.push(await (await service.request(NDJSON)).text());
    }
    // Another dataset, which does not change the files of quotes.
    await publishAt(store, '2026-03-03T10:00:00Z', fundAllocation, {
      records: readFixture(fundAllocation),
    });
  });
  afterAll(() => service.stop());

  test('has headers for its revision, modification and caching', async () => {
    const { headers } = await service.request(NDJSON);
    expect(headers.get('tenor-revision')).toBe('4');
    expect(headers.get('last-modified')).toBe('Mon, 02 Mar 2026 10:00:00 GMT');
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.get('vary')).toBe('Accept-Datetime');
    expect(headers.get('accept-ranges')).toBe('bytes');
    expect(headers.get('etag')).toMatch(/^"[\w-]+"$/);
    expect(headers.get('x-request-id')).toBeTruthy();
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });

  test('has an ETag for each format and version, the same for every token', async () => {
    const tags = new Set<string | null>();
    for (const format of EXPORT_FORMATS) {
      for (const instant of instants) {
        const headers = { 'accept-datetime': instant };
        const { headers: contentRange } = await service.request(
          `/exports/quotes.${format}`,
          headers,
        );
        tags.add(contentRange.get('etag'));
        const other = { ...headers, authorization: `Bearer ${quotesOnly}` };
        const again = await service.request(`/exports/quotes.${format}`, other);
        expect(again.headers.get('etag')).toBe(contentRange.get('etag'));
      }
    }
    expect(tags.size).toBe(EXPORT_FORMATS.length * instants.length);
  });

  test('keeps its ETag when another dataset changes', async () => {
    const before = await service.request(NDJSON, { 'accept-datetime': instants[2] ?? '' });
    const after = await service.request(NDJSON);
    expect(before.headers.get('tenor-revision')).toBe('3');
    expect(after.headers.get('tenor-revision')).toBe('4');
    expect(after.headers.get('etag')).toBe(before.headers.get('etag'));
  });

  test('has the same headers in responses to HEAD and GET', async () => {
    const get = await service.request(NDJSON);
    const head = await service.request(NDJSON, {}, 'HEAD');
    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
    expect(head.headers.get('content-length')).toBe(String(bodies[2]?.length));
    for (const name of ['etag', 'last-modified', 'content-type', 'content-disposition', 'vary']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
    const first = await service.request('/exports/fund-allocation.csv', {}, 'HEAD');
    const { headers } = await service.request('/exports/fund-allocation.csv');
    expect(first.headers.get('content-length')).toBe(headers.get('content-length') ?? '');
  });

  test('is sent by the conditions of the request', async () => {
    const { headers } = await service.request(NDJSON);
    const etag = headers.get('etag') ?? '';
    const modified = headers.get('last-modified') ?? '';
    const cases: [number, Record<string, string>][] = [
      [304, { 'if-none-match': etag }],
      [200, { 'if-none-match': '"x"' }],
      [304, { 'if-modified-since': modified }],
      [200, { 'if-modified-since': 'Mon, 02 Mar 2026 09:59:59 GMT' }],
      [412, { 'if-match': '"x"' }],
      [200, { 'if-match': etag }],
      // Conditions come before ranges.
      [304, { 'if-none-match': etag, range: 'bytes=0-1' }],
      [206, { 'if-none-match': '"x"', range: 'bytes=0-1' }],
    ];
    for (const method of ['GET', 'HEAD']) {
      for (const [status, sent] of cases) {
        const expected = status === 206 && method === 'HEAD' ? 200 : status;
        const response = await service.request(NDJSON, sent, method);
        expect([sent, response.status]).toEqual([sent, expected]);
        if (status !== 304) continue;
        expect(await response.text()).toBe('');
        expect(response.headers.get('etag')).toBe(etag);
        expect(response.headers.get('content-type')).toBeNull();
      }
    }
  });

  test('is as of the instant in Accept-Datetime', async () => {
    for (const [index, instant] of instants.entries()) {
      const response = await service.request(NDJSON, { 'accept-datetime': instant });
      expect(await response.text()).toBe(bodies[index] ?? '');
      expect(response.headers.get('tenor-revision')).toBe(String(index + 1));
      expect(response.headers.get('memento-datetime')).toBe(new Date(instant).toUTCString());
      expect(response.headers.get('link')).toBe(
        `${DESCRIBED_BY}, <${NDJSON}>; rel="original timegate"`,
      );
    }
    const before = await service.request(NDJSON, { 'accept-datetime': '2026-01-01T00:00:00Z' });
    expect(await before.text()).toBe('');
    expect(before.headers.get('tenor-revision')).toBe('0');
    const invalid = await service.request(NDJSON, { 'accept-datetime': 'yesterday' });
    expect(invalid.status).toBe(400);
    expect(await errorMessage(invalid)).toContain('header "Accept-Datetime" must be');
  });

  test.each([
    ['bytes=0-', 206, (body: string) => body],
    ['bytes=7-20', 206, (body: string) => body.slice(7, 21)],
    ['bytes=-5', 206, (body: string) => body.slice(-5)],
    ['bytes=99999-', 416, () => undefined],
    ['bytes=0-1,3-4', 200, (body: string) => body],
  ] as const)('with Range: %s responds %d', async (range, status, part) => {
    const full = bodies[2] ?? '';
    const reply = await getRaw(service.address, NDJSON, AUTHORIZED, `Range: ${range}`);
    const expected = part(full);
    expect(reply.status).toBe(status);
    if (expected === undefined) {
      expect(reply.headers.get('content-range')).toBe(`bytes */${full.length}`);
      expect(reply.body).toBe('{"status":"error","message":"range_not_satisfiable"}');
      return;
    }
    expect(reply.body).toBe(expected);
    expect(reply.headers.get('content-length')).toBe(String(expected.length));
    const from = full.length - expected.length;
    const contentRange = reply.headers.get('content-range');
    if (status === 200) expect(contentRange).toBeUndefined();
    else expect(contentRange).toMatch(new RegExp(`^bytes \\d+-\\d+/${full.length}$`));
    if (range.endsWith('-')) expect(contentRange).toStartWith(`bytes ${from}-${full.length - 1}/`);
  });

  test('continues in the version that the ETag in If-Range names', async () => {
    const tags: string[] = [];
    for (const instant of instants) {
      const { headers } = await service.request(NDJSON, { 'accept-datetime': instant }, 'HEAD');
      tags.push(headers.get('etag') ?? '');
    }
    const range = 'bytes=100-';
    for (const [index, tag] of tags.entries()) {
      const response = await service.request(NDJSON, { range, 'if-range': tag });
      expect(response.status).toBe(206);
      expect(response.headers.get('etag')).toBe(tag);
      // The newest version is current; the others are as of their revision.
      expect(response.headers.get('tenor-revision')).toBe(index === 2 ? '4' : String(index + 1));
      expect(await response.text()).toBe(bodies[index]?.slice(100) ?? '');
    }
    const [first = '', , last = ''] = tags;
    const other = (await service.request('/exports/quotes.csv')).headers.get('etag') ?? '';
    const invalid = [
      `W/${last}`,
      other,
      last.replace('-3-', '-4-'),
      last.replace('-3-', '-999999999999999999999-'),
      '"x"',
      'x',
      '*',
      `${first}, ${last}`,
    ];
    for (const ifRange of invalid) {
      const response = await service.request(NDJSON, { range, 'if-range': ifRange });
      expect([ifRange, response.status]).toEqual([ifRange, 200]);
      expect(await response.text()).toBe(bodies[2] ?? '');
    }
    // Accept-Datetime fixes the version.
    const pinned = { range, 'if-range': first, 'accept-datetime': instants[2] ?? '' };
    expect((await service.request(NDJSON, pinned)).status).toBe(200);
    const pinnedToFirst = { range, 'if-range': first, 'accept-datetime': instants[0] ?? '' };
    expect(await (await service.request(NDJSON, pinnedToFirst)).text()).toBe(
      bodies[0]?.slice(100) ?? '',
    );
  });

  test('continues by a date in If-Range only if the date is unambiguous', async () => {
    const range = 'bytes=100-';
    const status = async (ifRange: string, instant = '') => {
      const headers = { range, 'if-range': ifRange, 'accept-datetime': instant };
      return (await service.request(NDJSON, headers)).status;
    };
    expect(await status('Mon, 02 Mar 2026 10:00:00 GMT')).toBe(206);
    expect(await status('Mon, 02 Mar 2026 10:00:01 GMT')).toBe(200);
    expect(await status('Sun, 01 Mar 2026 10:00:00 GMT')).toBe(200);
    // The second version was published within the same second as the first.
    expect(await status('Sun, 01 Mar 2026 10:00:00 GMT', instants[1])).toBe(200);
    expect(await status('Sun, 01 Mar 2026 10:00:00 GMT', instants[0])).toBe(206);
  });

  test('equals its parts, joined', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...files),
        fc.array(fc.nat(6_000), { maxLength: 3 }),
        async ([name], offsets) => {
          const target = `/exports/${name}`;
          const full = await (await service.request(target)).bytes();
          const cuts = [
            0,
            ...offsets.filter((offset) => offset < full.length).sort((a, b) => a - b),
          ];
          const parts: Uint8Array[] = [];
          for (const [index, from] of cuts.entries()) {
            const to = cuts[index + 1] ?? full.length;
            if (to === from) continue;
            const part = await service.request(target, { range: `bytes=${from}-${to - 1}` });
            expect(part.status).toBe(206);
            parts.push(await part.bytes());
          }
          expect(Buffer.concat(parts)).toEqual(Buffer.from(full));
        },
      ),
      { numRuns: 40 },
    );
  });
});
