import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { StoreHealth } from '../../src/http/freshness/store-health.ts';
import { type AdminServer, startAdminServer } from '../../src/http/monitoring/admin-server.ts';
import { collectStoreMetrics } from '../../src/http/monitoring/server-monitor.ts';
import type { Server } from '../../src/http/pipeline/server.ts';
import { type MonitoredServer, startServer } from '../../src/http/server/start-server.ts';
import { formatMetrics } from '../../src/metrics/format-metrics.ts';
import type { Store } from '../../src/store/open-store.ts';
import { retryUntil } from '../support/eventually.ts';
import {
  findHistogramFaults,
  findValue,
  type ParsedFamily,
  parseMetrics,
} from '../support/parse-metrics.ts';
import { quote } from '../support/quote-fixture.ts';
import { createFilledStore, FILLED_DATASETS, type TestStore } from '../support/store.ts';
import { SERVER_SETTINGS, TOKEN } from '../support/test-server.ts';

const PROMTOOL = Bun.which('promtool');
const DURATIONS = 'http_server_request_duration_seconds';

let store: TestStore;
let server: MonitoredServer;
let admin: AdminServer;

beforeAll(async () => {
  store = await createFilledStore();
  admin = startAdminServer({ host: '127.0.0.1', port: 0, emit: () => {} });
  const early = await fetch(`${admin.address}/ready`);
  expect([early.status, await early.json()]).toEqual([
    503,
    { status: 'unavailable', reasons: ['starting'] },
  ]);
  server = await startServer({ store, catalogue, settings: SERVER_SETTINGS, emit: () => {} });
  admin.watch(server.monitor);
});
afterAll(async () => {
  await admin.stop();
  await server.stop();
  await store.remove();
});

const getData = (target: string, token = TOKEN, method = 'GET') =>
  fetch(server.address + target, { method, headers: { authorization: `Bearer ${token}` } });

async function scrape(): Promise<ParsedFamily[]> {
  return parseMetrics(await (await fetch(`${admin.address}/metrics`)).text());
}

describe('the admin server', () => {
  test('has /live, /ready and /metrics by GET and HEAD, and nothing else', async () => {
    const get = async (path: string, method = 'GET') => {
      const response = await fetch(admin.address + path, { method });
      return [response.status, (await response.text()).split('\n')[0]];
    };
    expect(await get('/live')).toEqual([200, '{"status":"live"}']);
    expect(await get('/ready')).toEqual([200, '{"status":"ready","revision":16}']);
    expect(await get('/ready', 'HEAD')).toEqual([200, '']);
    expect((await get('/metrics'))[0]).toBe(200);
    expect((await get('/metrics', 'POST'))[0]).toBe(405);
    for (const path of ['/', '/metrics/', '/catalogue', '/2.0/bnb/quote'])
      expect(await get(path)).toEqual([404, '{"status":"error","message":"not_found"}']);
  });

  test('sends metrics as Prometheus expects them, and no page of another site can read them', async () => {
    const { headers } = await fetch(`${admin.address}/metrics`);
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  test('sends metrics that parse, with cumulative histograms and names by convention', async () => {
    await getData('/2.0/bnb/quote');
    const families = await scrape();
    expect(families.length).toBeGreaterThan(15);
    expect(findHistogramFaults(families)).toEqual([]);
    for (const { name, type } of families) {
      expect(name).toMatch(/^(http_server|tenor|process)_[a-z_]+$/);
      expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter']);
    }
  });

  test.if(PROMTOOL !== null)(
    'sends metrics that promtool accepts (if it is installed)',
    async () => {
      const text = await (await fetch(`${admin.address}/metrics`)).text();
      const { exitCode, stdout, stderr } = Bun.spawnSync(['promtool', 'check', 'metrics'], {
        stdin: new Blob([text]),
      });
      expect([exitCode, stdout.toString(), stderr.toString()]).toEqual([0, '', '']);
    },
  );
});

test('a database whose folder is gone has metrics nevertheless: a file of 0 bytes, no disk', () => {
  const context = {
    storeHealth: new StoreHealth(() => {}),
    database: { newestRevision: { revision: -1 }, reader: { servers: () => [] } },
  } as unknown as Server;
  for (const path of ['/nowhere/x.db', `${import.meta.filename}/folder/x.db`]) {
    const store = { readerSource: { path } } as Store;
    const families = parseMetrics(formatMetrics(collectStoreMetrics(context, store)));
    expect(findValue(families, 'tenor_database_file_bytes', { file: 'database' })).toBe(0);
    expect(findValue(families, 'tenor_database_disk_free_bytes')).toBeUndefined();
    expect(findValue(families, 'tenor_revision')).toBeUndefined();
  }
});

describe('the metrics of a server', () => {
  test('count requests by method, route template and status, whatever clients send', async () => {
    const count = async (labels: Record<string, string>) =>
      findValue(await scrape(), `${DURATIONS}_count`, labels) ?? 0;
    const export1 = { method: 'GET', route: '/exports/{file}', status: '200' };
    const unknown = { method: 'GET', route: '_OTHER', status: '404' };
    const before = [await count(export1), await count(unknown)];
    await (await getData('/exports/quotes.csv')).text();
    await (await getData('/exports/fund-allocation.ndjson')).text();
    for (const path of ['/a', '/b/"c"', '/exports/none.csv']) await getData(path);
    expect([await count(export1), await count(unknown)]).toEqual([
      (before[0] ?? 0) + 2,
      (before[1] ?? 0) + 3,
    ]);
    const families = await scrape();
    const { samples = [] } = families.find(({ name }) => name === DURATIONS) ?? {};
    const routes = new Set(samples.map(({ labels }) => labels.route));
    for (const route of routes) expect(route).toMatch(/^(_OTHER|\/[\w./{}-]*)$/);
  });

  test('name a method that no standard has _OTHER', async () => {
    await getData('/2.0/bnb/quote', TOKEN, 'PROPFIND');
    const labels = { method: '_OTHER', route: '/2.0/bnb/quote', status: '405' };
    expect(findValue(await scrape(), `${DURATIONS}_count`, labels)).toBe(1);
  });

  test('count errors by their code, cached responses, and bytes', async () => {
    const read = async () => {
      const families = await scrape();
      return [
        findValue(families, 'tenor_http_errors_total', { code: 'unauthorized' }),
        findValue(families, 'tenor_http_errors_total', { code: 'bad_value' }),
        findValue(families, 'tenor_http_errors_total', { code: 'no_fund_id' }),
        findValue(families, 'tenor_response_cache_requests_total', { result: 'miss' }),
        findValue(families, 'tenor_response_cache_requests_total', { result: 'hit' }),
        findValue(families, 'tenor_http_response_bytes_total'),
      ].map(Number);
    };
    const before = await read();
    const bodies = [
      await getData('/2.0/bnb/quote', 'another-token'),
      await getData('/2.0/bnb/quote?limit=0'),
      await getData('/3.0/funds/allocation'),
      // A text is stored when it is requested for the second time.
      await getData('/2.0/bnb/quote?limit=3'),
      await getData('/2.0/bnb/quote?limit=3'),
      await getData('/2.0/bnb/quote?limit=3'),
    ];
    const sizes = await Promise.all(bodies.map(async (body) => (await body.bytes()).length));
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    const after = await read();
    expect(after.map((value, index) => value - (before[index] ?? 0))).toEqual([
      1,
      1,
      1,
      2,
      1,
      bytes,
    ]);
  });

  test('have the revision, every dataset, the database file and what runs', async () => {
    // Those of datasets are read in the background, and missing until then.
    const families = await retryUntil(30_000, async () => {
      const scraped = await scrape();
      expect(scraped.map(({ name }) => name)).toContain('tenor_dataset_records');
      return scraped;
    });
    expect(findValue(families, 'tenor_revision')).toBe(FILLED_DATASETS.length);
    expect(findValue(families, 'tenor_store_up')).toBe(1);
    const declarations = { dataset: 'datasets' };
    expect(findValue(families, 'tenor_dataset_records', declarations)).toBe(0);
    for (const { name: dataset, schedule } of FILLED_DATASETS) {
      expect(findValue(families, 'tenor_dataset_records', { dataset })).toBeGreaterThan(0);
      const published = findValue(families, 'tenor_dataset_published_timestamp_seconds', {
        dataset,
      });
      expect(published).toBeGreaterThan(1_000_000_000);
      const newest = findValue(families, 'tenor_dataset_newest_date_timestamp_seconds', {
        dataset,
      });
      if (schedule) expect(newest).toBeGreaterThan(1_000_000_000);
      else expect(newest).toBeUndefined();
      expect(findValue(families, 'tenor_dataset_late_seconds', { dataset })).toBeGreaterThanOrEqual(
        0,
      );
    }
    expect(findValue(families, 'tenor_database_file_bytes', { file: 'database' })).toBeGreaterThan(
      0,
    );
    expect(findValue(families, 'tenor_database_disk_free_bytes')).toBeGreaterThan(0);
    expect(findValue(families, 'tenor_build_info', { engine: 'SQLite' })).toBe(1);
  });

  test('have the records of a dataset once more are published', async () => {
    const dataset = quotes.name;
    const count = async () => findValue(await scrape(), 'tenor_dataset_records', { dataset });
    const before = (await count()) ?? 0;
    await store.publish(quotes, [quote({ symbol: 'ANOTHER' })]);
    await retryUntil(30_000, async () => expect(await count()).toBe(before + 1));
  });
});
