import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { getShippedCatalogue } from '../../src/catalogue/catalogues.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { LogEvent } from '../../src/event-log.ts';
import { KnownDamage } from '../../src/http/scrub/known-damage.ts';
import type { ScrubNews } from '../../src/http/scrub/scrub-status.ts';
import { Scrubber } from '../../src/http/scrub/scrubber.ts';
import {
  type ReaderSource,
  StoreDamagedError,
  StoreUnavailableError,
} from '../../src/store/open-store.ts';
import type { Dialect } from '../../src/store/sql/dialect.ts';
import { retryUntil } from '../support/eventually.ts';
import { checkpoint, createFilledStore, type SqliteTestStore } from '../support/store.ts';

setDefaultTimeout(120_000);

const DAY_MS = 86_400_000;
const SOON = { delayMs: 10, intervalMs: 50 };

let store: SqliteTestStore;
let events: LogEvent[];
let damaged: string[][];
let news: ScrubNews[];
let scrubber: Scrubber;
beforeEach(async () => {
  store = await createFilledStore();
  checkpoint(store.path);
  [events, damaged, news] = [[], [], []];
  scrubber = createScrubber(DAY_MS);
});
afterEach(async () => {
  scrubber.stop();
  await store.remove();
});

function createScrubber(
  intervalMs: number | null,
  {
    source = store.readerSource,
    looks = SOON,
  }: { source?: ReaderSource; looks?: typeof SOON } = {},
): Scrubber {
  return new Scrubber(
    {
      getCatalogue: () => getShippedCatalogue(catalogue),
      source,
      intervalMs,
      emit: (event) => events.push(event),
      onNews: (told) => news.push(told),
      onDamage: (names) => damaged.push([...names]),
    },
    looks,
  );
}

const countScrubs = () => events.filter(({ event }) => event === 'scrub.finished').length;

/** As long as something is read, what is stored is looked at. */
async function readUntil(check: () => void): Promise<void> {
  await retryUntil(30_000, async () => {
    scrubber.noteRead();
    check();
  });
}

/** Changes one byte of a price, or puts it back; the size and the pages stay as they are. */
function writePrice(digit: string): string {
  const field = '"lastPrice":';
  const bytes = readFileSync(store.path);
  const offset = bytes.lastIndexOf(field) + field.length;
  const file = openSync(store.path, 'r+');
  writeSync(file, digit, offset);
  closeSync(file);
  return bytes.toString('latin1', offset, offset + 1);
}

describe('a scrubber', () => {
  test('checks everything soon after something is read, and not before', async () => {
    scrubber.start();
    await Bun.sleep(5 * SOON.intervalMs);
    expect(countScrubs()).toBe(0);
    await readUntil(() => expect(countScrubs()).toBe(1));
    expect(events).toMatchObject([{ event: 'scrub.finished', faults: 0 }]);
  });

  test('checks everything again only once something that is stored has changed', async () => {
    scrubber.start();
    await readUntil(() => expect(countScrubs()).toBe(1));
    for (let looks = 0; looks < 5; looks++) {
      scrubber.noteRead();
      await Bun.sleep(2 * SOON.intervalMs);
    }
    expect(countScrubs()).toBe(1);
    const digit = writePrice('7');
    await readUntil(() => expect(scrubber.status().damaged).toEqual(['ledger', 'quotes']));
    await readUntil(() => expect(countScrubs()).toBe(2));
    writePrice(digit);
    await readUntil(() => expect(scrubber.status()).toMatchObject({ damaged: [], faults: 0 }));
    const told = events.flatMap((event) => (event.event === 'store.damaged' ? event.datasets : []));
    expect(told.toSorted()).toEqual(['ledger', 'quotes']);
    expect(events.filter(({ event }) => event === 'store.repaired')).toHaveLength(1);
    expect([damaged.at(-2), damaged.at(-1)]).toEqual([['ledger', 'quotes'], []]);
  });

  test('checks again what has changed while it was checked', async () => {
    let isChanged = false;
    const source = {
      get path() {
        // After everything was checked, and before it is looked at whether it is the same.
        if (countScrubs() === 1 && !isChanged) writePrice('7');
        isChanged ||= countScrubs() === 1;
        return store.path;
      },
    };
    scrubber = createScrubber(DAY_MS, { source });
    scrubber.start();
    await readUntil(() => expect(countScrubs()).toBe(2));
    expect(scrubber.status().damaged).toEqual(['ledger', 'quotes']);
  });

  test('that never checks by itself does not look at what is stored after a read', async () => {
    let looks = 0;
    const source = {
      get path() {
        looks++;
        return store.path;
      },
    };
    scrubber = createScrubber(null, { source, looks: { delayMs: 0, intervalMs: 1 } });
    scrubber.start();
    scrubber.noteRead();
    await Bun.sleep(20);
    expect(looks).toBe(0);
  });

  test('that never checks by itself does so after a read that failed because of damage', async () => {
    scrubber = createScrubber(null);
    scrubber.start();
    scrubber.noteRead();
    scrubber.suspect(['quotes']);
    expect(scrubber.status().damaged).toEqual(['quotes']);
    await retryUntil(30_000, async () => expect(scrubber.status().damaged).toEqual([]));
    expect(countScrubs()).toBe(1);
  });

  test('that never checks by itself finds that what was damaged is repaired', async () => {
    scrubber = createScrubber(null);
    scrubber.start();
    const digit = writePrice('7');
    scrubber.suspect(['quotes']);
    await retryUntil(30_000, async () => expect(countScrubs()).toBe(1));
    expect(scrubber.status().damaged).toEqual(['ledger', 'quotes']);
    writePrice(digit);
    await readUntil(() => expect(scrubber.status().damaged).toEqual([]));
  });

  test('pauses between two looks, also if something was read during the first', async () => {
    let looks = 0;
    const source = {
      get path() {
        looks++;
        scrubber.noteRead();
        return `${store.path}.none`;
      },
    };
    scrubber = createScrubber(DAY_MS, { source, looks: { delayMs: 0, intervalMs: 10_000 } });
    scrubber.start();
    scrubber.noteRead();
    await Bun.sleep(200);
    expect(looks).toBe(1);
  });

  test('logs once that looks fail', async () => {
    let looks = 0;
    const source = {
      get urls() {
        looks++;
        return ['postgres://nobody@127.0.0.1:1/none'];
      },
      dialect: { isDistributed: false } as Dialect,
    };
    scrubber = createScrubber(DAY_MS, { source, looks: { delayMs: 0, intervalMs: 10 } });
    scrubber.start();
    await readUntil(() => expect(looks).toBeGreaterThan(2));
    expect(events).toEqual([{ event: 'scrub.failed', cause: expect.any(String) }]);
  });

  test('of another process tells of reads and failures, and takes over what was found', () => {
    scrubber.noteRead();
    scrubber.noteRead();
    scrubber.suspect(['funds']);
    expect(news).toEqual([{ isRead: true }, { suspected: ['funds'] }]);
    const found = { finishedAtMs: 1, faults: 2, damaged: ['quotes'] };
    scrubber.observe(found);
    expect(scrubber.status()).toMatchObject(found);
    expect(damaged).toEqual([['funds'], ['quotes']]);
    expect(events).toEqual([]);
  });
});

describe('known damage', () => {
  test('covers what is made from a damaged dataset, and everything where no dataset is named', () => {
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
    const observer = {
      noteRead() {},
      suspect: (names: readonly string[]) => suspected.push([...names]),
    };
    const read = async (names: string[], cause: Error) => {
      const damage = new KnownDamage(observer);
      const fail = () => Promise.reject(cause);
      await expect(Promise.resolve(damage.watch(names, fail))).rejects.toThrow(cause.message);
      return damage.isAny;
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
