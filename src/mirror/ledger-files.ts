import { openNote, parseVerifierKey } from '../../clients/typescript/src/ledger/note.ts';
import { formatTileIndex } from '../../clients/typescript/src/ledger/read-leaves.ts';
import { hashLeaf, isSameHash } from '../../clients/typescript/src/ledger/tree.ts';
import type { StoreReader } from '../store/open-store.ts';
import { MirrorError } from './mirror-target.ts';

const TILE_WIDTH = 256;

/** The signed note of the log that ends with a revision, and the keys up to the one that signed it. */
export async function readCheckpointFiles(reader: StoreReader, revision: number) {
  const checkpoint = (await reader.checkpoint(revision)) ?? '';
  const keys = [...(await reader.ledgerKeys())];
  for (; keys.length > 0; keys.pop()) {
    const { key = '' } = keys.at(-1) ?? {};
    const verifierKey = await parseVerifierKey(key);
    if (!verifierKey || (await openNote(checkpoint, verifierKey)) === undefined) continue;
    const data = { origin: verifierKey.name, key, keys };
    return { checkpoint, keys: { status: 'ok', data } };
  }
  throw createDamageError(revision, 'has no checkpoint that a key of the log has signed');
}

/** The text of a revision's entry, which must be that of the log. */
export async function readEntry(reader: StoreReader, revision: number): Promise<string> {
  const { text, digest } = (await reader.logEntry(revision)) ?? { text: null };
  const [leaf] = await reader.treeHashes(0, revision - 1, 1);
  if (text !== null && leaf && isSameHash(await hashLeaf(digest), leaf)) return text;
  throw createDamageError(revision, 'is not as the log has it');
}

/** The tiles of the log at a size, without those that it had at an earlier one. */
export async function* readTiles(reader: StoreReader, from: number, size: number) {
  for (let level = 0; TILE_WIDTH ** level <= size; level++) {
    const [before = 0, count = 0] = [from, size].map((n) => Math.floor(n / TILE_WIDTH ** level));
    if (count === before) continue;
    for (let first = before - (before % TILE_WIDTH); first < count; first += TILE_WIDTH) {
      const width = Math.min(TILE_WIDTH, count - first);
      const hashes = await reader.treeHashes(8 * level, first, width);
      const partial = width < TILE_WIDTH ? `.p/${width}` : '';
      const path = `ledger/tile/${level}/${formatTileIndex(first / TILE_WIDTH)}${partial}`;
      if (hashes.length < width) throw createDamageError(size, `lacks hashes of ${path}`);
      yield [path, hashes] as const;
      if (level > 0) continue;
      const digests = Array.from({ length: width }, (_, index) =>
        readDigest(reader, first + index),
      );
      yield [path.replace('/0/', '/entries/'), (await Promise.all(digests)).flat()] as const;
    }
  }
}

/** The digest of an entry after its length in two bytes, as bundles of entries have it. */
async function readDigest(reader: StoreReader, position: number): Promise<readonly Uint8Array[]> {
  const { digest } = (await reader.logEntry(position + 1)) ?? {};
  if (digest) return [Uint8Array.of(0, digest.length), digest];
  throw createDamageError(position + 1, 'has no entry in the log');
}

export function createDamageError(revision: number, problem: string): MirrorError {
  return new MirrorError(`revision ${revision} ${problem}: run tenor check; it is not mirrored`);
}
