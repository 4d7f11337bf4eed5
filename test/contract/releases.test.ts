import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onlineBankingAnnualVolume as online } from '../../src/catalogue/datasets/series/index.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { LogEvent } from '../../src/event-log.ts';
import { startServer } from '../../src/http/server/start-server.ts';
import { formatMetrics } from '../../src/metrics/format-metrics.ts';
import { system } from '../../src/shared/system.ts';
import { closeAfterEach } from '../support/close-after-each.ts';
import { dumpTables } from '../support/dump-tables.ts';
import { createEventReader } from '../support/read-events.ts';
import { runTenor } from '../support/run-tenor.ts';
import { startServingInProcess } from '../support/start-thread-in-process.ts';
import { createTempFolder, ENGINES, type TestStore } from '../support/store.ts';
import { SERVER_SETTINGS, TOKEN } from '../support/test-server.ts';

setDefaultTimeout(120_000);
const { removing } = closeAfterEach();
const [FIRST, SECOND] = [2023, 2024].map((year) => ({
  year: String(year),
  cash_wtl: 5,
  cash_deposit: 1,
  funds_transfer: 1,
  total: 7,
}));
/** Until the instant of a release: more than the second for which it is staged. */
const AHEAD_MS = 1_500;
/** Leaves the processor to what publishes. */
const LOOK_PAUSE_MS = 200;

let folder: string;
beforeEach(() => {
  folder = createTempFolder();
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Loads the second record at an instant that is near. */
function startRelease({ url }: TestStore, at: Date) {
  const path = join(folder, 'second.json');
  writeFileSync(path, JSON.stringify([SECOND]));
  const args = ['load', online.name, path, '--at', at.toISOString(), '--json'];
  return runTenor(args, { DATABASE_URL: url });
}

/** A server, and all that clients and operators can see there. */
async function startObservedServer(store: TestStore) {
  const events: LogEvent[] = [];
  const emit = (event: LogEvent) => events.push(event);
  const settings = { ...SERVER_SETTINGS, logRequests: 'off' } as const;
  const { address, monitor, stop } = await startServer({
    store,
    catalogue,
    settings,
    emit,
    startThread: startServingInProcess,
  });
  const request = (path: string) =>
    fetch(`${address}${path}`, { headers: { authorization: `Bearer ${TOKEN}` } });
  const { paths } = (await (await request('/openapi.json')).json()) as { paths: object };
  const parameters: Record<string, string> = { dataset: online.name, name: online.name };
  const targets = Object.keys(paths)
    .map((path) => path.replace(/\{(\w+)\}/g, (_, name) => parameters[name] ?? '2'))
    .filter((path) => path !== '/events')
    .concat(`/exports/${online.name}.csv`, '/ready', `/changes/${online.name}?since=1`);
  return {
    request,
    stop,
    targets,
    async observe(): Promise<Record<string, unknown>> {
      const responses = await Promise.all(
        targets.map(async (path) => {
          const { status, headers, ...response } = await readResponse(await request(path));
          return [path, { status, ...response, tag: headers.get('etag') }] as const;
        }),
      );
      const metrics = formatMetrics(await monitor.collectMetrics());
      const told = metrics.split('\n').filter((line) => /^tenor_\w*(revision|dataset)/.test(line));
      const metricsAndLog = { told: told.filter((line) => !/age|seconds/.test(line)), events };
      return structuredClone({ ...Object.fromEntries(responses), ...metricsAndLog });
    },
  };
}

async function readResponse(response: Response) {
  const { status, headers } = response;
  return { status, headers, body: await response.text() };
}

for (const { name: engine, createStore } of ENGINES) {
  describe(`${engine}: a release`, () => {
    test('cannot be seen anywhere before its instant, and is there then', async () => {
      const store = removing(await createStore());
      await store.publish(online, [FIRST]);
      const server = await startObservedServer(store);
      const stream = createEventReader((await server.request('/events')).body);
      const event = stream.nextEvent().then((received) => ({ ...received, atMs: Date.now() }));
      const look = async () => ({ ...(await server.observe()), ...(await dumpTables(store.url)) });
      await look();
      const startMs = Date.now();
      const before = await look();
      const lookMs = Date.now() - startMs;

      const at = new Date(Date.now() + AHEAD_MS + LOOK_PAUSE_MS + 2 * lookMs);
      const release = startRelease(store, at);
      let looks = 0;
      for (; ; looks++) {
        const seen = await look();
        if (Date.now() >= at.getTime()) break;
        expect(seen).toEqual(before);
        await Bun.sleep(LOOK_PAUSE_MS);
      }
      expect(looks).toBeGreaterThan(0);

      const { status, out } = await release;
      expect(status).toBe(0);
      const { revision } = JSON.parse(out);
      expect(revision.revision).toBe(2);
      const lateMs = Date.parse(revision.publishedAt) - at.getTime();
      expect(lateMs).toBeWithin(0, 5_000);
      const { id, atMs } = await event;
      expect(id).toBe(2);
      expect(atMs).toBeGreaterThanOrEqual(at.getTime());
      const after = await look();
      const changed = Object.keys(after).filter((key) => !Bun.deepEquals(after[key], before[key]));
      expect(changed).toEqual(
        expect.arrayContaining(['/revisions', '/revisions/2', '/ready', 'told', 'revisions']),
      );
      await stream.close();
      await server.stop();
    });
  });
}

describe.skipIf(ENGINES.length < 2)('postgres: the instant of a release', () => {
  test('is by the clock of the database server', async () => {
    const store = removing(await (ENGINES[1] as (typeof ENGINES)[number]).createStore());
    const { now } = system;
    system.now = () => Date.now() - 20_000;
    try {
      const at = new Date(Date.now() + AHEAD_MS);
      const { out } = await startRelease(store, at);
      const { publishedAt } = JSON.parse(out).revision;
      expect(Date.parse(publishedAt) - at.getTime()).toBeWithin(0, 5_000);
    } finally {
      system.now = now;
    }
  });
});
