import { type Checkpoint, encodeBase64 } from './note.ts';
import { type Hash, hashNode, hashSubtree, isSameHash, type ReadHash } from './tree.ts';
import { createAlarm } from './verification-error.ts';
import type { OpenPath } from './verify-log.ts';

const TILE_WIDTH = 256;
const HASH_BYTES = 32;

/** The hashes of all revisions of a log, from its tiles; together they make its root. */
export async function readLeaves(open: OpenPath, checkpoint: Checkpoint): Promise<Hash[]> {
  const { size, root } = checkpoint;
  const leaves: Hash[] = [];
  for (let first = 0; first < size; first += TILE_WIDTH) {
    const width = Math.min(TILE_WIDTH, size - first);
    leaves.push(...(await readTile(open, first / TILE_WIDTH, width)));
  }
  if (isSameHash(await hashSubtree(0, size, createReadHash(leaves)), root)) return leaves;
  throw createAlarm(
    'damaged-tile',
    `The hashes of the ${size} revisions do not make the hash of the checkpoint, ${encodeBase64(root)}.`,
  );
}

/** The hashes of full subtrees over these leaves. */
export function createReadHash(leaves: readonly Hash[]): ReadHash {
  const readHash: ReadHash = async (level, position) =>
    level === 0
      ? (leaves[position] as Hash)
      : hashNode(
          await readHash(level - 1, 2 * position),
          await readHash(level - 1, 2 * position + 1),
        );
  return readHash;
}

async function readTile(open: OpenPath, index: number, width: number): Promise<Hash[]> {
  const path = `/ledger/tile/0/${formatTileIndex(index)}${width < TILE_WIDTH ? `.p/${width}` : ''}`;
  const bytes = await readBytes(open, path);
  if (bytes?.length === width * HASH_BYTES)
    return Array.from({ length: width }, (_, position) =>
      bytes.slice(position * HASH_BYTES, (position + 1) * HASH_BYTES),
    );
  const problem = bytes ? `has ${bytes.length} bytes, not ${width * HASH_BYTES}` : 'is missing';
  throw createAlarm('damaged-tile', `The part of the log at ${path} ${problem}.`);
}

async function readBytes(open: OpenPath, path: string) {
  try {
    const response = await open(path, 'application/octet-stream');
    return new Uint8Array(await response.arrayBuffer());
  } catch (cause) {
    if ((cause as { status?: unknown }).status !== 404) throw cause;
    return undefined;
  }
}

/** An index in groups of three digits, such as `x001/x234/067`. */
export function formatTileIndex(index: number): string {
  const last = String(index % 1_000).padStart(3, '0');
  const groups = Math.floor(index / 1_000);
  return groups === 0 ? last : `${formatTileIndex(groups).replace(/\d+$/, 'x$&')}/${last}`;
}
