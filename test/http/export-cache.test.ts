import { afterEach, describe, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import type { Exchange } from '../../src/http/pipeline/exchange.ts';
import { KnownDamage } from '../../src/http/scrub/known-damage.ts';
import { ExportCache } from '../../src/operations/exports/export-cache.ts';
import type { OpenFile } from '../../src/operations/exports/export-file.ts';
import { ExportFiles } from '../../src/operations/exports/export-files.ts';
import { parseSettings } from '../../src/settings.ts';
import { createPrincipal } from '../../src/tokens/principal.ts';
import { retryUntil } from '../support/eventually.ts';

let folders: string[] = [];
afterEach(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  folders = [];
});

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tenor-export-cache-'));
  folders.push(folder);
  return folder;
}

const MAX_BYTES = 1_000;

describe('ExportCache', () => {
  const createCache = (folder = createFolder(), maxBytes = MAX_BYTES) => ({
    folder,
    cache: new ExportCache({ folder, maxBytes }),
  });
  const store = async (cache: ExportCache, name: string, bytes: number) => {
    const file = await cache.create(name);
    await file.write(new Uint8Array(bytes).fill(7));
    await file.complete(new Uint8Array(32).fill(1));
  };

  test('gives a file and its digest to every process that has the folder, once it is complete', async () => {
    const { cache, folder } = createCache();
    const file = await cache.create('quotes.a');
    await file.write(new Uint8Array(100).fill(7));
    const other = new ExportCache({ folder, maxBytes: MAX_BYTES });
    expect(await other.open('quotes.a')).toBeUndefined();
    await file.complete(new Uint8Array(32).fill(1));
    const stored = await other.open('quotes.a');
    expect(stored).toMatchObject({ bytes: 100, digest: new Uint8Array(32).fill(1) });
    expect(await readAll(stored, 10, 100)).toEqual(new Uint8Array(90).fill(7));
  });

  test('never gives what is shorter than a digest', async () => {
    const { cache, folder } = createCache();
    writeFileSync(join(folder, 'quotes.a'), 'x'.repeat(31));
    expect(await cache.open('quotes.a')).toBeUndefined();
  });

  test('removes the files that were not used for longest, and parts of processes that were killed', async () => {
    const { cache, folder } = createCache();
    await store(cache, 'quotes.old', 400);
    await store(cache, 'quotes.used', 400);
    const setAge = (name: string, seconds: number) =>
      utimesSync(join(folder, name), new Date(), new Date(Date.now() - 1_000 * seconds));
    setAge('quotes.old', 20);
    setAge('quotes.used', 30);
    writeFileSync(join(folder, 'quotes.killed.1.part'), 'x');
    setAge('quotes.killed.1.part', 3_600);
    writeFileSync(join(folder, 'quotes.running.2.part'), 'x');
    await (await cache.open('quotes.used'))?.close();
    await store(cache, 'quotes.new', 400);
    await (await cache.create('quotes.next')).discard();
    expect(readdirSync(folder).sort()).toEqual([
      'quotes.new',
      'quotes.running.2.part',
      'quotes.used',
    ]);
  });

  test('creates no file that is larger than the cache', async () => {
    const { cache } = createCache();
    const file = await cache.create('quotes.a');
    await file.write(new Uint8Array(900));
    await expect(file.write(new Uint8Array(200))).rejects.toThrow('larger than the cache');
    await file.discard();
    expect(await cache.open('quotes.a')).toBeUndefined();
  });

  test('drops the files of damaged datasets, and breaks off what is being read of them', async () => {
    const { cache, folder } = createCache(createFolder(), 2_000_000);
    await store(cache, 'quotes.a', 600_000);
    await store(cache, 'quotes-more.a', 10);
    const file = await cache.open('quotes.a');
    const chunks = file?.read({ from: 0, to: 600_000 });
    await chunks?.next();
    await cache.drop(['quotes']);
    expect(readdirSync(folder)).toEqual(['quotes-more.a']);
    await expect(chunks?.next()).rejects.toThrow('was removed');
    await file?.close();
    await cache.drop(['*']);
    expect(readdirSync(folder)).toEqual([]);
  });
});

const CHUNK_BYTES = 3 * 1024 * 1024;
const TOTAL = 4 * CHUNK_BYTES;

describe('ExportFiles', () => {
  /** Files of four chunks, the last of which is not created before `release` is called. */
  function startSlowFiles(maxBytes: number, folder = createFolder()) {
    const slow = Promise.withResolvers<void>();
    const damage = new KnownDamage();
    const counts = { started: 0, ended: 0 };
    async function* exportFile() {
      counts.started++;
      try {
        for (let index = 0; index < 4; index++) {
          if (index === 3) await slow.promise;
          yield new Uint8Array(CHUNK_BYTES).fill(index);
        }
      } finally {
        counts.ended++;
      }
      return undefined;
    }
    const database = {
      scheduler: { background: { exportFile } },
      newestRevision: { revision: 1 },
      damage,
    };
    const { signal } = new AbortController();
    const exchange = { database, principal: createPrincipal('t'), signal } as unknown as Exchange;
    const files = new ExportFiles(new ExportCache({ folder, maxBytes }), 20);
    const version = {
      dataset: quotes,
      view: { revision: 1, namedBy: 'nothing' },
      lastChange: undefined,
    } as const;
    return {
      open: (needsLength = false) => files.open({ exchange, version, format: 'csv' }, needsLength),
      counts,
      damage,
      folder,
      release: slow.resolve,
    };
  }

  test('create a file once, whose length is found by a client that comes back', async () => {
    const { open, counts, release, folder } = startSlowFiles(2 * TOTAL);
    expect(await open(true)).toBeUndefined();
    const [first, second] = await Promise.all([open(), open()]);
    const bodies = Promise.all([readAll(first), readAll(second)]);
    expect(first?.bytes).toBeUndefined();
    release();
    for (const body of await bodies) expect([body.length, body.at(-1)]).toEqual([TOTAL, 3]);
    const again = await open(true);
    expect(again?.bytes).toBe(TOTAL);
    expect((await readAll(again, CHUNK_BYTES, TOTAL))[0]).toBe(1);
    expect(counts).toEqual({ started: 1, ended: 1 });
    // So does another process.
    const other = startSlowFiles(2 * TOTAL, folder);
    expect((await readAll(await other.open(), 0, TOTAL)).length).toBe(TOTAL);
    expect(other.counts.started).toBe(0);
  });

  test('that the disk has no room for are sent all the same, without the cache from then on', async () => {
    const { open, counts, release, folder } = startSlowFiles(2 * CHUNK_BYTES);
    release();
    const body = await readAll(await open());
    expect([body.length, body[CHUNK_BYTES], body.at(-1)]).toEqual([TOTAL, 1, 3]);
    await retryUntil(5_000, async () => expect(readdirSync(folder)).toEqual([]));
    const before = counts.started;
    const file = await open(true);
    expect(file?.bytes).toBeUndefined();
    expect((await readAll(file)).length).toBe(TOTAL);
    expect(counts).toEqual({ started: before + 1, ended: before + 1 });
  });

  test('break off once their data is known to be damaged, and keep nothing of it', async () => {
    const { open, release, damage, folder } = startSlowFiles(2 * TOTAL);
    const file = await open();
    damage.add(['quotes']);
    release();
    await expect(readAll(file)).rejects.toThrow('damaged');
    await retryUntil(5_000, async () => expect(readdirSync(folder)).toEqual([]));
  });

  test('are created for each request if the folder cannot be used', async () => {
    const folder = join(createFolder(), 'file');
    writeFileSync(folder, '');
    const { open, release } = startSlowFiles(2 * TOTAL, join(folder, 'exports'));
    release();
    expect((await readAll(await open())).length).toBe(TOTAL);
    expect(existsSync(folder)).toBe(true);
  });
});

test.each([
  ['off', null],
  ['500mb', { folder: undefined, maxBytes: 500_000_000 }],
  ['/var/cache/tenor, x,2GB', { folder: '/var/cache/tenor, x', maxBytes: 2_000_000_000 }],
])('EXPORT_CACHE=%s', (text, expected) => {
  expect(parseSettings({ EXPORT_CACHE: text }).exportCache).toEqual(expected);
});

test.each(['0GB', '2', '/var/cache', ',2GB', 'on'])('EXPORT_CACHE=%s is rejected', (text) => {
  expect(() => parseSettings({ EXPORT_CACHE: text })).toThrow('EXPORT_CACHE must be off, a size');
});

async function readAll(file: OpenFile | undefined, from = 0, to = Number.POSITIVE_INFINITY) {
  try {
    const chunks = file ? await Array.fromAsync(file.read({ from, to })) : [];
    return new Uint8Array(Buffer.concat(chunks));
  } finally {
    await file?.close();
  }
}
