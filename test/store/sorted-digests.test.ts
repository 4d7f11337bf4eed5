import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { fstatSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import fc from 'fast-check';
import { catalogue } from '../../src/catalogue/index.ts';
import { checkDatabase } from '../../src/publish/check/check-database.ts';
import { SortedDigests } from '../../src/store/sorted-digests.ts';
import { ROW_KINDS, type RowKind } from '../support/growing-loads.ts';
import { encodeRow } from '../support/publish-at.ts';
import { createStore, createTempFolder, REPETITIONS, type TestStore } from '../support/store.ts';

const MAX_IN_MEMORY = 5;
/** More than a load has in memory. */
const MANY = 70_000;

let folder: string;
beforeEach(() => {
  folder = createTempFolder();
});
afterEach(() => rmSync(folder, { recursive: true }));

function sort(list: readonly Uint8Array[], maxInMemory: number, hasFolder = true): string {
  const digests = new SortedDigests(hasFolder ? folder : undefined, maxInMemory);
  for (const digest of list) digests.add(digest);
  const sorted = Buffer.concat(Array.from(digests.readChunks(), (chunk) => Buffer.from(chunk)));
  digests.close();
  return sorted.toString('hex');
}

/** Those that tests of other files have left open in this process. */
let earlierFiles: readonly string[] = [];
beforeEach(() => {
  earlierFiles = [];
  earlierFiles = listUnnamedFiles();
});

/** The files without a name that a test has open. */
function listUnnamedFiles(): string[] {
  return readdirSync('/proc/self/fd').filter((descriptor) => {
    try {
      const isUnnamed = readlinkSync(`/proc/self/fd/${descriptor}`).includes('.tenor-draft');
      return isUnnamed && !earlierFiles.includes(descriptor);
    } catch {
      return false;
    }
  });
}

describe('digests that are sorted', () => {
  // Few bytes, so that many begin alike, up to the last byte, or are the same.
  const anyDigest = fc
    .tuple(fc.nat(2), fc.constantFrom(0, 3, 4, 5, 6, 7, 31), fc.nat(255))
    .map(([first, position, value]) => Buffer.alloc(32, first).fill(value, position, position + 1));

  test('have one order, whether they are in memory or in any number of runs in a file', () => {
    fc.assert(
      fc.property(
        fc.array(anyDigest, { maxLength: 40 }),
        fc.integer({ min: 1, max: 9 }),
        (all, max) => {
          const expected = Buffer.concat(all.toSorted(Buffer.compare)).toString('hex');
          expect(sort(all, max)).toBe(expected);
          expect(sort(all, max, false)).toBe(expected);
        },
      ),
      { numRuns: 300 * REPETITIONS },
    );
  });

  test('are in runs that are longer than what is read of them at once', () => {
    const all = Array.from({ length: 5_000 }, (_, index) =>
      new Bun.CryptoHasher('sha256').update(String(index)).digest(),
    );
    const expected = Buffer.concat(all.toSorted(Buffer.compare)).toString('hex');
    for (const max of [512, 1_024, 1_025, 4_999, 5_000, 5_001])
      expect(sort(all, max)).toBe(expected);
  });

  test('are in a file without a name that only its owner can read, so that a process that is killed leaves none', () => {
    const digests = new SortedDigests(folder, MAX_IN_MEMORY);
    for (let index = 0; index < MAX_IN_MEMORY; index++) {
      expect(listUnnamedFiles()).toEqual([]);
      digests.add(Buffer.alloc(32, index));
    }
    const [file] = listUnnamedFiles();
    expect(fstatSync(Number(file)).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual([]);
    digests.close();
    expect(listUnnamedFiles()).toEqual([]);
  });

  test('say which folder they cannot be written to', () => {
    rmSync(folder, { recursive: true });
    const add = () => sort([Buffer.alloc(32)], 1);
    expect(add).toThrow('cannot use a temporary file: ENOENT');
    folder = createTempFolder();
  });
});

describe('a publication of more changes than are in memory', () => {
  const { dataset, buildRecord } = ROW_KINDS.find(({ declaration }) => declaration) as RowKind;
  const publish = async (store: TestStore, version: number, isComplete: boolean) => {
    const readRows = function* () {
      for (let start = 0; start < MANY; start += 1_000)
        yield Array.from({ length: 1_000 }, (_, index) =>
          encodeRow(dataset, buildRecord(start + index, version)),
        );
      if (!isComplete) throw new Error('cut short');
    };
    const publisher = store.publisher();
    const change = { dataset, rows: readRows(), source: 'test', author: 'test' };
    await publisher.publish(change).finally(() => publisher.close());
  };

  test('has the digest that a check computes in memory, and leaves no file, nor does one that fails', async () => {
    await using store = await createStore();
    await publish(store, 0, true);
    expect(listUnnamedFiles()).toEqual([]);
    await expect(publish(store, 1, false)).rejects.toThrow('cut short');
    expect(listUnnamedFiles()).toEqual([]);
    const { faults, revisions } = await checkDatabase(store.inspector(), [...catalogue, dataset]);
    expect({ faults, revisions }).toEqual({ faults: [], revisions: 1 });
  }, 240_000);
});
