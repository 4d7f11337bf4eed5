import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { LogEvent } from '../../src/event-log.ts';
import { startServer } from '../../src/http/server/start-server.ts';
import { publishRecords } from '../../src/publish/publish-records.ts';
import { ensurePrivateFolder, getPrivateFolder } from '../../src/shared/database-folders.ts';
import { retryUntil } from '../support/eventually.ts';
import { quote } from '../support/quote-fixture.ts';
import {
  checkpoint,
  createDatabaseFile,
  createFilledStore,
  type SqliteTestStore,
} from '../support/store.ts';
import { QUICK_PACE, SERVER_SETTINGS } from '../support/test-server.ts';
import {
  findLiveWorkers,
  isLinux,
  readLog,
  requestFromAllWorkers,
  useWorkerServers,
} from '../support/workers.ts';

setDefaultTimeout(120_000);

/** A scrub of a small database takes a second or two; on a busy machine a test waits longer. */
const SCRUB_TIMEOUT_MS = 60_000;

let store: SqliteTestStore;
let server: Awaited<ReturnType<typeof startServer>>;
const events: LogEvent[] = [];
beforeAll(async () => {
  store = await createFilledStore();
  checkpoint(store.path);
  server = await startScrubbing(events);
});
afterAll(() => store.remove());

const startScrubbing = (emitted: LogEvent[]) =>
  startServer({
    store,
    catalogue,
    settings: { ...SERVER_SETTINGS, scrubInterval: 1_000 },
    emit: (event) => emitted.push(event),
    scrubPace: QUICK_PACE,
  });

const findEvents = (name: LogEvent['event']) => events.filter(({ event }) => event === name);

async function expectReady(expected: object): Promise<void> {
  await retryUntil(SCRUB_TIMEOUT_MS, async () => {
    const response = await fetch(`${server.address}/ready`);
    expect(await response.json()).toMatchObject(expected);
  });
}

async function waitForScrub(): Promise<void> {
  const before = findEvents('scrub.finished').length;
  await retryUntil(SCRUB_TIMEOUT_MS, async () =>
    expect(findEvents('scrub.finished').length).toBeGreaterThan(before),
  );
}

describe('a server that scrubs', () => {
  test('is ready after a scrub without faults, and knows what was checked', async () => {
    await waitForScrub();
    expect(findEvents('scrub.finished')[0]).toMatchObject({ faults: 0 });
    await expectReady({ status: 'ready' });
    const { finishedAtMs, faults, checkedRecords } = server.scrubber.status();
    expect(finishedAtMs).toBeGreaterThan(Date.now() - SCRUB_TIMEOUT_MS);
    expect([faults, checkedRecords > 0]).toEqual([0, true]);
  });

  test('tells of damage within the file, and is ready again once the file is replaced', async () => {
    const clean = readFileSync(store.path);
    const damaged = Buffer.from(clean);
    damage(damaged);
    writeFileSync(store.path, damaged);
    await expectReady({ status: 'unavailable', reasons: ['data_damaged'] });
    expect(findEvents('scrub.fault').length).toBeGreaterThan(0);
    await waitForScrub();
    expect(findEvents('scrub.finished').at(-1)).not.toMatchObject({ faults: 0 });
    writeFileSync(`${store.path}.copy`, clean);
    renameSync(`${store.path}.copy`, store.path);
    await expectReady({ status: 'ready' });
    expect(findEvents('store.replaced')).toHaveLength(1);
    await waitForScrub();
    expect(findEvents('scrub.finished').at(-1)).toMatchObject({ faults: 0 });
  });

  test('stops at once, in the middle of a scrub', async () => {
    const startedMs = performance.now();
    await server.stop();
    expect(performance.now() - startedMs).toBeLessThan(10_000);
    const count = events.length;
    // As long as another server takes for a scrub.
    const others: LogEvent[] = [];
    const other = await startScrubbing(others);
    await retryUntil(SCRUB_TIMEOUT_MS, async () =>
      expect(others.map(({ event }) => event)).toContain('scrub.finished'),
    );
    await other.stop();
    expect(events.length).toBe(count);
  });
});

describe.skipIf(!isLinux)('of several workers', () => {
  const { start, file } = useWorkerServers();

  test('one scrubs, another takes over when it dies, and all know what was found', async () => {
    const bytes = await createDatabaseFile(async (database) => {
      const publisher = database.publisher();
      const publication = { dataset: quotes, source: 'test', author: 'test' };
      await publishRecords(publisher, { ...publication, records: [quote({})] });
      publisher.close();
    });
    damage(Buffer.from(bytes.buffer));
    writeFileSync(file('x.db'), bytes);
    ensurePrivateFolder(getPrivateFolder(file('x.db')));
    const running = await start({ SCRUB_INTERVAL: '1s' });
    const expectDamaged = async () => {
      for (const { body } of await requestFromAllWorkers(running, '/ready'))
        expect(JSON.parse(body)).toMatchObject({
          reasons: ['data_damaged'],
          damaged: ['ledger', 'quotes'],
        });
      for (const { status } of await requestFromAllWorkers(running, '/2.0/bnb/quote'))
        expect(status).toBe(503);
      for (const { status } of await requestFromAllWorkers(running, SERIES))
        expect(status).toBe(200);
    };
    await retryUntil(SCRUB_TIMEOUT_MS, expectDamaged);
    // The first worker that was started is the one that scrubs.
    const [first = 0] = findLiveWorkers(running);
    process.kill(first, 'SIGKILL');
    await retryUntil(SCRUB_TIMEOUT_MS, async () =>
      expect(findLiveWorkers(running)).toHaveLength(2),
    );
    const before = readLog(running, 'scrub.finished').length;
    await retryUntil(SCRUB_TIMEOUT_MS, async () =>
      expect(readLog(running, 'scrub.finished').length).toBeGreaterThan(before),
    );
    await expectDamaged();
  });
});

/** Another dataset. */
const SERIES = '/3.0/alternate/atm-transactions-annual-volume';

/** Changes a price in a way that only its checksum shows. */
function damage(bytes: Buffer): void {
  const field = '"lastPrice":';
  bytes.write('7', bytes.indexOf(field) + field.length);
}
