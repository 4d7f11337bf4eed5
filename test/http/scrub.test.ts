import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { catalogue } from '../../src/catalogue/index.ts';
import type { LogEvent } from '../../src/event-log.ts';
import { startServer } from '../../src/http/server/start-server.ts';
import { retryUntil } from '../support/eventually.ts';
import { checkpoint, createFilledStore, type SqliteTestStore } from '../support/store.ts';
import { QUICK_PACE, SERVER_SETTINGS } from '../support/test-server.ts';

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

/** Changes a price in a way that only its checksum shows. */
function damage(bytes: Buffer): void {
  const field = '"lastPrice":';
  bytes.write('7', bytes.indexOf(field) + field.length);
}
