import { describe, expect, test } from 'bun:test';
import {
  type Hash,
  hashLeaf,
  hashNode,
  hashSubtree,
  proveConsistency,
  proveInclusion,
  sha256,
} from '../../src/ledger/tree.ts';
import { parseTilePath } from '../../src/operations/ledger/ledger-routes.ts';
import { LogReader } from '../../src/store/log-reader.ts';
import { computeConsistentRoots, computeIncludedRoot } from '../support/tree-proofs.ts';

describe('the path of a tile', () => {
  test.each([
    ['0/000', { level: 0, hasEntries: false, index: 0, width: 256 }],
    ['3/067.p/1', { level: 3, hasEntries: false, index: 67, width: 1 }],
    ['63/x001/x234/067.p/255', { level: 63, hasEntries: false, index: 1_234_067, width: 255 }],
    ['entries/x001/000', { level: 0, hasEntries: true, index: 1_000, width: 256 }],
  ])('is %s', (path, tile) => {
    expect(parseTilePath(path)).toEqual(tile);
  });

  test.each([
    ...['', '0', '0/', '0/0', '0/00', '0/0000', '0/x000', '0/x000/001', '0/001/002', '0/1000'],
    ...['00/000', '01/000', '64/000', '-1/000', 'a/000', '0/00a', 'Entries/000', '0/X001/000'],
    ...['0/000.p', '0/000.p/', '0/000.p/0', '0/000.p/01', '0/000.p/256', '0/000.p/999'],
    ...['0/000.p/1/', '0/000.p/1000', '0/000.p/x', '/0/000', '0//000', '0/000%2ep/1', 'entries'],
    '0/x001/x001/x001/x001/x001/001',
  ])('is not %s', (path) => {
    expect(parseTilePath(path)).toBeUndefined();
  });
});

/** A log in memory, which counts what is read of it. */
async function createLog(size: number) {
  const text = (revision: number) => `{"revision":${revision}}`;
  const digests = await Promise.all(
    Array.from({ length: size }, (_, index) => sha256(Buffer.from(text(index + 1)))),
  );
  const levels: Hash[][] = [await Promise.all(digests.map(hashLeaf))];
  for (let below = levels[0] ?? []; below.length > 1; ) {
    const pairs = Array.from({ length: below.length >> 1 }, (_, index) => 2 * index);
    below = await Promise.all(
      pairs.map((at) => hashNode(below[at] as Hash, below[at + 1] as Hash)),
    );
    levels.push(below);
  }
  const reads = { checkpoint: 0, treeHashes: 0, logEntry: 0 };
  const reader = new LogReader({
    async checkpoint() {
      reads.checkpoint++;
      return `a\n${size}\n${Buffer.alloc(32).toString('base64')}\n\n— a b\n`;
    },
    async treeHashes(level, position, count) {
      reads.treeHashes++;
      return levels[level]?.slice(position, position + count) ?? [];
    },
    ledgerKeys: async () => [],
    async logEntry(revision) {
      reads.logEntry++;
      const digest = digests[revision - 1];
      return digest && { text: text(revision), digest };
    },
  });
  const tile = (path: string) => {
    const parsed = parseTilePath(path);
    return parsed && reader.readTile(parsed);
  };
  return { digests, levels, reader, reads, tile };
}

describe('the reader of a log of 600 entries', async () => {
  const { digests, levels, reader, reads, tile } = await createLog(600);
  const join = (hashes: readonly Uint8Array[] = []) => new Uint8Array(Buffer.concat(hashes));
  const readHash = (level: number, position: number) => levels[level]?.[position] as Hash;

  test.each([
    ['0/000', levels[0]?.slice(0, 256)],
    ['0/001', levels[0]?.slice(256, 512)],
    ['0/001.p/255', levels[0]?.slice(256, 511)],
    ['0/002.p/88', levels[0]?.slice(512)],
    ['0/002.p/1', levels[0]?.slice(512, 513)],
    ['1/000.p/2', levels[8]],
    ['1/000.p/1', levels[8]?.slice(0, 1)],
  ])('has the tile %s', async (path, hashes) => {
    expect(await tile(path)).toEqual(join(hashes));
  });

  test.each(['0/002', '0/002.p/89', '0/003.p/1', '1/000', '1/000.p/3', '2/000.p/1', 'entries/002'])(
    'has no tile %s',
    async (path) => {
      expect(await tile(path)).toBeUndefined();
    },
  );

  test('has the digests of entries, each after its length, and reads each once', async () => {
    const bundle = (from: number, to: number) =>
      join(digests.slice(from, to).flatMap((digest) => [Buffer.of(0, 32), digest]));
    for (let time = 0; time < 2; time++) {
      expect(await tile('entries/001')).toEqual(bundle(256, 512));
      expect(await tile('entries/002.p/88')).toEqual(bundle(512, 600));
    }
    expect(reads.logEntry).toBe(256 + 88);
  });

  test('reads a full tile once', async () => {
    await tile('0/001');
    const before = { ...reads };
    await tile('0/001');
    expect(reads).toEqual(before);
  });

  test('shares the look for a checkpoint, but never with one that began before', async () => {
    const before = reads.checkpoint;
    const first = reader.checkpoint();
    // The first look begins.
    await Promise.resolve();
    await Promise.all([first, reader.checkpoint(), reader.checkpoint(), reader.checkpoint()]);
    expect(reads.checkpoint - before).toBe(2);
  });

  test('proves each entry, and each earlier size, of every size', async () => {
    for (const size of [1, 2, 3, 255, 256, 257, 600]) {
      const root = await hashSubtree(0, size, readHash);
      for (const from of [1, 2, 128, 255, 256, 300, 599, 600].filter((each) => each <= size)) {
        const inclusion = await proveInclusion(from - 1, size, reader.readHash);
        const leaf = readHash(0, from - 1);
        expect(await computeIncludedRoot(from - 1, size, leaf, inclusion)).toEqual(root);
        const earlier = await hashSubtree(0, from, readHash);
        const consistency = await proveConsistency(from, size, reader.readHash);
        expect(await computeConsistentRoots(from, size, earlier, consistency)).toEqual([
          earlier,
          root,
        ]);
      }
    }
  });
});
