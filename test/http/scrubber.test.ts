import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { getShippedCatalogue } from '../../src/catalogue/catalogues.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { LogEvent } from '../../src/event-log.ts';
import { KnownDamage } from '../../src/http/scrub/known-damage.ts';
import { getPauseMs } from '../../src/http/scrub/run-scrub.ts';
import type { ScrubNews } from '../../src/http/scrub/scrub-status.ts';
import { Scrubber, type ScrubPace } from '../../src/http/scrub/scrubber.ts';
import {
  type ReaderSource,
  StoreDamagedError,
  StoreUnavailableError,
} from '../../src/store/open-store.ts';
import type { Dialect } from '../../src/store/sql/dialect.ts';
import { retryUntil } from '../support/eventually.ts';
import { checkpoint, createFilledStore, type SqliteTestStore } from '../support/store.ts';
import { QUICK_PACE } from '../support/test-server.ts';

setDefaultTimeout(120_000);

const INTERVAL_MS = 200;

let store: SqliteTestStore;
let events: LogEvent[];
let damaged: string[][];
let news: ScrubNews[];
let scrubber: Scrubber;
beforeEach(async () => {
  store = await createFilledStore();
  checkpoint(store.path);
  [events, damaged, news] = [[], [], []];
  scrubber = createScrubber(INTERVAL_MS);
});
afterEach(async () => {
  scrubber.stop();
  await store.remove();
});

function createScrubber(
  intervalMs: number | null,
  {
    source = store.readerSource,
    pace = QUICK_PACE,
  }: { source?: ReaderSource; pace?: ScrubPace } = {},
): Scrubber {
  return new Scrubber({
    getCatalogue: () => getShippedCatalogue(catalogue),
    source,
    intervalMs,
    pace,
    emit: (event) => events.push(event),
    onNews: (told) => news.push(told),
    onDamage: (names) => damaged.push([...names]),
  });
}

const countEvents = (name: LogEvent['event']) =>
  events.filter(({ event }) => event === name).length;
const countScrubs = () => countEvents('scrub.finished');

const waitUntil = (check: () => void) => retryUntil(60_000, async () => check());

/** Changes one byte of a price, or puts it back; the size and the pages stay as they are. */
function writePrice(digit: string): string {
  const field = '"lastPrice":';
  const bytes = readFileSync(store.path);
  const offset = bytes.indexOf(field) + field.length;
  const file = openSync(store.path, 'r+');
  writeSync(file, digit, offset);
  closeSync(file);
  return bytes.toString('latin1', offset, offset + 1);
}

describe('a scrubber', () => {
  test('checks everything again and again, and finds a changed byte and its repair', async () => {
    scrubber.start();
    await waitUntil(() => expect(countScrubs()).toBeGreaterThan(1));
    expect(events[0]).toMatchObject({ event: 'scrub.finished', faults: 0 });
    expect(scrubber.status().damaged).toEqual([]);
    const digit = writePrice('7');
    await waitUntil(() => expect(scrubber.status().damaged).toEqual(['ledger', 'quotes']));
    writePrice(digit);
    await waitUntil(() => expect(scrubber.status()).toMatchObject({ damaged: [], faults: 0 }));
    const told = events.flatMap((event) => (event.event === 'store.damaged' ? event.datasets : []));
    expect(told.toSorted()).toEqual(['ledger', 'quotes']);
    expect(countEvents('store.repaired')).toBe(1);
    expect([damaged.at(-2), damaged.at(-1)]).toEqual([['ledger', 'quotes'], []]);
  });

  test('works for no more than its share of the time', () => {
    for (const coreShare of [0.02, 0.75, 1]) {
      const workMs = 20;
      expect(workMs / (workMs + getPauseMs(workMs, coreShare))).toBeCloseTo(coreShare);
    }
  });

  test('that never checks by itself does so after a read that failed because of damage', async () => {
    scrubber = createScrubber(null);
    scrubber.start();
    await Bun.sleep(INTERVAL_MS);
    expect(events).toEqual([]);
    scrubber.suspect(['quotes']);
    expect(scrubber.status().damaged).toEqual(['quotes']);
    await waitUntil(() => expect(scrubber.status().damaged).toEqual([]));
    expect(countScrubs()).toBe(1);
  });

  test('that never checks by itself finds that what was damaged is repaired', async () => {
    scrubber = createScrubber(null);
    scrubber.start();
    const digit = writePrice('7');
    scrubber.suspect(['quotes']);
    await waitUntil(() => expect(countScrubs()).toBe(1));
    expect(scrubber.status().damaged).toEqual(['ledger', 'quotes']);
    writePrice(digit);
    await waitUntil(() => expect(scrubber.status().damaged).toEqual([]));
  });

  test('keeps what a read has failed on since it began, until the next check', async () => {
    scrubber = createScrubber(null, { pace: { coreShare: 0.2, repairIntervalMs: 500 } });
    scrubber.start();
    scrubber.suspect([]);
    await waitUntil(() => expect(scrubber.status().checkedRecords).toBeGreaterThan(0));
    expect(countScrubs()).toBe(0);
    scrubber.suspect(['funds']);
    await waitUntil(() => expect(countScrubs()).toBe(1));
    expect(scrubber.status().damaged).toEqual(['funds']);
    await waitUntil(() => expect(scrubber.status().damaged).toEqual([]));
  });

  test('logs once that the store cannot be read, however often it tries', async () => {
    let scrubs = 0;
    const nowhere = ['postgres://nobody@127.0.0.1:1/none'];
    const source = {
      // Read once for each scrub, when it is sent to its thread.
      get urls() {
        scrubs++;
        return nowhere;
      },
      dialect: { isDistributed: false } as Dialect,
    };
    scrubber = createScrubber(INTERVAL_MS, { source });
    scrubber.start();
    await waitUntil(() => expect(scrubs).toBeGreaterThan(2));
    expect(events).toEqual([{ event: 'scrub.failed', cause: expect.any(String) }]);
  });

  test('of another process tells of failures, and takes over what was found', () => {
    scrubber.suspect(['funds']);
    expect(news).toEqual([{ suspected: ['funds'] }]);
    const found = { finishedAtMs: 1, faults: 2, damaged: ['quotes'] };
    scrubber.observe(found);
    expect(scrubber.status()).toMatchObject(found);
    expect(damaged).toEqual([['funds'], ['quotes']]);
    expect(events).toEqual([]);
  });
});

describe('known damage', () => {
  test('covers what is made from a damaged dataset, and everything if no dataset is named', () => {
    const damage = new KnownDamage();
    expect(damage.covers(['quotes'])).toBe(false);
    damage.add(['quotes']);
    expect([damage.covers(['securities', 'quotes']), damage.covers(['funds'])]).toEqual([
      true,
      false,
    ]);
    damage.add(['*']);
    expect([damage.covers(['funds']), damage.covers([])]).toEqual([true, true]);
  });

  test('is noticed by reads that fail because of it, and by no others', async () => {
    const suspected: string[][] = [];
    const observer = { suspect: (names: readonly string[]) => suspected.push([...names]) };
    const read = async (names: string[], cause: Error) => {
      const damage = new KnownDamage(observer);
      const fail = () => Promise.reject(cause);
      await expect(Promise.resolve(damage.watch(names, fail))).rejects.toThrow(cause.message);
      return damage.exists;
    };
    expect(await read(['quotes'], new StoreUnavailableError('it is away'))).toBe(false);
    expect(await read(['quotes'], new Error('a bug'))).toBe(false);
    expect(await read(['quotes'], new StoreDamagedError('a page'))).toBe(true);
    expect(await read(['funds'], new SyntaxError('no JSON'))).toBe(true);
    // Which one it is, a scrub finds out.
    expect(await read(['quotes', 'funds'], new StoreDamagedError('a page'))).toBe(false);
    expect(await read([], new StoreDamagedError('the ledger'))).toBe(false);
    expect(suspected).toEqual([['quotes'], ['funds'], [], []]);
  });

  test('breaks a file off whose first chunks were sent already', async () => {
    const damage = new KnownDamage();
    const chunks = damage.watchChunks(
      ['quotes'],
      (async function* () {
        yield 1;
        yield 2;
        return undefined;
      })(),
    );
    expect(await chunks.next()).toEqual({ value: 1, done: false });
    damage.add(['quotes']);
    await expect(chunks.next()).rejects.toBeInstanceOf(StoreDamagedError);
  });
});
