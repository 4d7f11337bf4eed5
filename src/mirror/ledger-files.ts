import { formatTilePath } from '../ledger/read-leaves.ts';
import { hashLeaf, isSameHash } from '../ledger/tree.ts';
import { openCheckpoint } from '../ledger/verify-log.ts';
import { selectSigningKeys } from '../store/ledger-signer.ts';
import { type LogReader, TILE_WIDTH } from '../store/log-reader.ts';
import type { StoreReader } from '../store/open-store.ts';
import { MirrorError } from './mirror-target.ts';

/** The signed checkpoint of the log that ends with a revision, and the keys up to the one that signed it. */
export async function readCheckpointFiles(reader: StoreReader, revision: number) {
  const checkpoint = (await reader.checkpoint(revision)) ?? '';
  const keys = selectSigningKeys(await reader.ledgerKeys(), checkpoint);
  const { key = '' } = keys.at(-1) ?? {};
  const { origin } = (await openCheckpoint(checkpoint, key)) ?? {};
  if (origin) return { checkpoint, keys: { status: 'ok', data: { origin, key, keys } } };
  throw createDamageError(revision, 'has no checkpoint that a key of the log has signed');
}

/** The text of a revision's entry, verified against the log. */
export async function readVerifiedEntry(reader: StoreReader, revision: number): Promise<string> {
  const { text, digest } = (await reader.logEntry(revision)) ?? { text: null };
  const [leaf] = await reader.treeHashes(0, revision - 1, 1);
  if (text !== null && leaf && isSameHash(await hashLeaf(digest), leaf)) return text;
  throw createDamageError(revision, 'is not as the log has it');
}

const HASH_BYTES = 32;

/** The tiles of the log at a size, without those that it had at an earlier size. */
export async function* readTiles(log: LogReader, from: number, size: number) {
  for (let level = 0; TILE_WIDTH ** level <= size; level++) {
    const [before = 0, count = 0] = [from, size].map((n) => Math.floor(n / TILE_WIDTH ** level));
    if (count === before) continue;
    for (let index = Math.floor(before / TILE_WIDTH); index * TILE_WIDTH < count; index++) {
      const width = Math.min(TILE_WIDTH, count - index * TILE_WIDTH);
      for (const kind of level === 0 ? [level, 'entries'] : [level]) {
        const tile = await log.readTile({ level, hasEntries: kind === 'entries', index, width });
        // Servers send incomplete tiles, and verifiers notice; a mirror must be complete.
        if (!tile || tile.length < HASH_BYTES * width)
          throw createDamageError(size, 'is not in the log');
        yield [formatTilePath(kind, index, width), tile] as const;
      }
    }
  }
}

export function createDamageError(revision: number, problem: string): MirrorError {
  return new MirrorError(`revision ${revision} ${problem}: run tenor check; it is not mirrored`);
}
