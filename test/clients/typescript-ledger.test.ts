import { expect, test } from 'bun:test';
import { RECORD_ORDERS } from '../../src/client/generated.ts';
import { KEY_FIELDS } from '../../src/ledger/list-key-fields.ts';
import { digestLines } from '../../src/ledger/log-entry.ts';
import {
  formatCheckpoint,
  formatVerifierKey,
  openNote,
  parseCheckpoint,
  parseVerifierKey,
} from '../../src/ledger/note.ts';
import { createReadHash } from '../../src/ledger/read-leaves.ts';
import {
  type Hash,
  hashLeaf,
  hashSubtree,
  proveConsistency,
  proveInclusion,
} from '../../src/ledger/tree.ts';
import { computeConsistentRoots, computeIncludedRoot } from '../support/tree-proofs.ts';

const fromHex = (hex: string) => Uint8Array.fromHex(hex) as Hash;

/** The leaves of the tests of Certificate Transparency (merkle_tree_test.cc), and its roots. */
const LEAVES = [
  ...['', '00', '10', '2021', '3031', '40414243', '5051525354555657'],
  '606162636465666768696a6b6c6d6e6f',
].map(fromHex);
const ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
].map(fromHex);

/** Nodes of the tree of eight leaves, which proofs are made of. */
const NODE = {
  '2': '0298d122906dcfc10892cb53a73992fc5b9f493ea4c9badb27b791b4127a7fe7',
  '3': '07506a85fd9dd2f120eb694f86011e5bb4662e5c415a62917033d4a9624487e7',
  '4': 'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
  '2-3': '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
  '4-5': '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
  '4-6': '837dbb152e9b079010717e84e865da4ebc0fa198a806d59d31bf15accef22d0e',
  '6-7': 'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
};

const leafHashes = await Promise.all(LEAVES.map(hashLeaf));
const readHash = createReadHash(leafHashes);

test('roots are those of Certificate Transparency', async () => {
  for (const [index, root] of ROOTS.entries())
    expect(await hashSubtree(0, index + 1, readHash)).toEqual(root);
});

test('proofs are those of golang.org/x/mod/sumdb/tlog', async () => {
  // Made by ProveRecord and ProveTree.
  expect(toHex(await proveInclusion(0, 1, readHash))).toEqual([]);
  const [atTwo = '', atFour = ''] = [ROOTS[1], ROOTS[3]].map((root) => root?.toHex());
  expect(toHex(await proveInclusion(5, 8, readHash))).toEqual([NODE[4], NODE['6-7'], atFour]);
  expect(toHex(await proveInclusion(4, 5, readHash))).toEqual([atFour]);
  expect(toHex(await proveConsistency(8, 8, readHash))).toEqual([]);
  expect(toHex(await proveConsistency(6, 8, readHash))).toEqual([NODE['4-5'], NODE['6-7'], atFour]);
  const threeInSeven = [NODE[2], NODE[3], atTwo, NODE['4-6']];
  expect(toHex(await proveConsistency(3, 7, readHash))).toEqual(threeInSeven);
  expect(toHex(await proveConsistency(2, 5, readHash))).toEqual([NODE['2-3'], NODE[4]]);
});

test('every proof leads to its roots, and no longer or shorter one does', async () => {
  for (const [last, root] of ROOTS.entries()) {
    const size = last + 1;
    for (let leaf = 0; leaf < size; leaf += 1) {
      const [hash, earlierRoot] = [leafHashes[leaf], ROOTS[leaf]] as [Hash, Hash];
      const inclusion = await proveInclusion(leaf, size, readHash);
      expect(await computeIncludedRoot(leaf, size, hash, inclusion)).toEqual(root);
      const consistency = await proveConsistency(leaf + 1, size, readHash);
      const roots = await computeConsistentRoots(leaf + 1, size, earlierRoot, consistency);
      expect(roots).toEqual([earlierRoot, root]);
      for (const change of [
        (proof: Hash[]) => [...proof, hash],
        (proof: Hash[]) => proof.slice(1),
      ]) {
        if (change(inclusion).length !== inclusion.length)
          await expect(computeIncludedRoot(leaf, size, hash, change(inclusion))).rejects.toThrow(
            RangeError,
          );
        if (change(consistency).length !== consistency.length)
          await expect(
            computeConsistentRoots(leaf + 1, size, earlierRoot, change(consistency)),
          ).rejects.toThrow(RangeError);
      }
    }
  }
});

test('the digest of changes does not depend on their order', async () => {
  const lines = Array.from({ length: 1_000 }, (_, index) => String(index % 900));
  const digest = await digestLines(lines);
  expect(await digestLines(lines.toReversed())).toBe(digest);
  const digests = lines.map((line) => new Bun.CryptoHasher('sha256').update(line).digest('hex'));
  const bytes = Buffer.from(digests.sort().join(''), 'hex');
  expect(new Bun.CryptoHasher('sha256').update(bytes).digest('hex')).toBe(digest);
});

/** Signed by golang.org/x/mod/sumdb/note with an Ed25519 key whose seed is 32 bytes of 1. */
const KEY = 'example.com/log+9be5d3c6+AYqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29c';
const TEXT = 'example.com/log\n8\nXcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyg=\n';
const NOTE = `${TEXT}\n— example.com/log m+XTxosrG6GnhZedLiSYV/lBWePa43MrZ+w+D0H2h8VramyT4UrHP++mZKL8Bm2rDca/gOXmJvBMjAtQbPLscH8OJQI=\n`;

test('a note that Go signed is opened, and no other text, name, key or signature', async () => {
  const key = await parseVerifierKey(KEY);
  if (!key) throw new Error('the key is not read');
  expect(await formatVerifierKey(key)).toBe(KEY);
  expect(await openNote(NOTE, key)).toBe(TEXT);
  // A signature of someone else stands before it.
  const cosigned = NOTE.replace('\n— ', '\n— other.example AAAAAAAA\n— ');
  expect(await openNote(cosigned, key)).toBe(TEXT);
  for (const changed of [
    NOTE.replace('\n8\n', '\n9\n'),
    NOTE.replace('— example.com', '— example.org'),
    NOTE.replace('m+XTxo', 'm+XTxk'),
    NOTE.replace('GnhZedLiSY', 'GnhZedLiSA'),
    NOTE.slice(0, -1),
    TEXT,
    '',
  ])
    expect(await openNote(changed, key)).toBeUndefined();
  expect(await openNote(NOTE, { ...key, name: 'example.org/log' })).toBeUndefined();
});

test('verifier keys with another id, kind or length are not read', async () => {
  for (const text of [
    KEY.replace('9be5d3c6', '9be5d3c7'),
    KEY.replace('+AY', '+AI'),
    KEY.replace('example', 'exa mple'),
    KEY.slice(0, -4),
    '',
  ])
    expect(await parseVerifierKey(text)).toBeUndefined();
});

test('checkpoints are written as they are read, and malformed ones are not read', () => {
  const checkpoint = { origin: 'example.com/log', size: 8, root: ROOTS[7] as Hash };
  const text = formatCheckpoint(checkpoint);
  expect(text).toBe(TEXT);
  expect(parseCheckpoint(text)).toEqual(checkpoint);
  expect(parseCheckpoint(`${text}extension\n`)).toEqual(checkpoint);
  for (const changed of [
    text.replace('\n8\n', '\n08\n'),
    text.replace('\n8\n', '\n-8\n'),
    text.replace('=', ''),
    text.slice(text.indexOf('\n')),
    '',
  ])
    expect(parseCheckpoint(changed)).toBeUndefined();
});

function toHex(hashes: readonly Hash[]): string[] {
  return hashes.map((hash) => hash.toHex());
}

test('records are identified by the fields that they are ordered by, unless they are of a series', () => {
  const ordered = Object.entries(RECORD_ORDERS).map(
    ([dataset, order]) => [dataset, order.map(([field]) => field)] as const,
  );
  expect(Object.fromEntries(KEY_FIELDS)).toEqual(Object.fromEntries(ordered));
});
