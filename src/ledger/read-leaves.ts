import { LedgerError } from './ledger-error.ts';
import { type Checkpoint, encodeBase64 } from './note.ts';
import type { OpenPath } from './open-path.ts';
import { type Hash, hashNode, hashSubtree, isSameHash, type ReadHash } from './tree.ts';
import { createAlarm } from './verification-error.ts';

const TILE_WIDTH = 256;
const HASH_BYTES = 32;
/** One in each five minutes of ten years. */
export const MAX_REVISIONS = 1_048_576;

/** The hashes of the first revisions of a log, as they were verified. */
export interface KnownTree {
  readonly size: number;
  readonly readHash: ReadHash;
}

/** The hashes of a log, from its tiles beyond those that are known; together they make its root. */
export async function readTree(
  open: OpenPath,
  checkpoint: Checkpoint,
  known?: KnownTree,
): Promise<ReadHash> {
  const { size, root } = checkpoint;
  const knownSize = known?.size ?? 0;
  if (size > MAX_REVISIONS)
    throw new LedgerError('malformed', `a log of ${size} revisions is too large`);
  const leaves: Hash[] = [];
  for (let next = knownSize; next < size; next = knownSize + leaves.length) {
    const index = Math.floor(next / TILE_WIDTH);
    const width = Math.min(TILE_WIDTH, size - index * TILE_WIDTH);
    leaves.push(...(await readTile(open, '0', index, width)).slice(next % TILE_WIDTH));
  }
  const readHash = createReadHash(leaves, known);
  if (isSameHash(await hashSubtree(0, size, readHash), root)) return readHash;
  if (known) return readTree(open, checkpoint);
  throw createAlarm(
    'damaged-tile',
    `The hashes of the ${size} revisions do not make the hash of the checkpoint, ${encodeBase64(root)}.`,
  );
}

/** The hashes of full subtrees over these leaves, perhaps after those of a known tree. */
export function createReadHash(leaves: readonly Hash[], known?: KnownTree): ReadHash {
  const readHash: ReadHash = async (level, position) => {
    if (known && (position + 1) * 2 ** level <= known.size) return known.readHash(level, position);
    if (level === 0) return leaves[position - (known?.size ?? 0)] as Hash;
    const left = await readHash(level - 1, 2 * position);
    return hashNode(left, await readHash(level - 1, 2 * position + 1));
  };
  return readHash;
}

/** The digest of an entry, which is in the log of that size whether or not the entry may be read. */
export async function readDigest(open: OpenPath, revision: number, size: number): Promise<Hash> {
  const position = (revision - 1) % TILE_WIDTH;
  const first = revision - 1 - position;
  const width = Math.min(TILE_WIDTH, size - first);
  return (await readTile(open, 'entries', first / TILE_WIDTH, width))[position] as Hash;
}

async function readTile(
  open: OpenPath,
  kind: '0' | 'entries',
  index: number,
  width: number,
): Promise<Hash[]> {
  const path = `/${formatTilePath(kind, index, width)}`;
  const bytes = await readBytes(open, path);
  const step = TILE_STEPS[kind];
  if (bytes?.length === width * step)
    return Array.from({ length: width }, (_, position) =>
      bytes.subarray((position + 1) * step - HASH_BYTES, (position + 1) * step),
    );
  const problem = bytes ? `has ${bytes.length} bytes, not ${width * step}` : 'is missing';
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

/** The bytes of each hash or entry of a tile; an entry comes after its length in two bytes. */
export const TILE_STEPS = { '0': HASH_BYTES, entries: HASH_BYTES + 2 } as const;

/** The path of a tile of so many hashes or entries, without a slash before it. */
export function formatTilePath(kind: number | string, index: number, width: number): string {
  const partial = width < TILE_WIDTH ? `.p/${width}` : '';
  return `ledger/tile/${kind}/${formatTileIndex(index)}${partial}`;
}

/** An index in groups of three digits, such as `x001/x234/067`. */
function formatTileIndex(index: number): string {
  const last = String(index % 1_000).padStart(3, '0');
  const groups = Math.floor(index / 1_000);
  return groups === 0 ? last : `${formatTileIndex(groups).replace(/\d+$/, 'x$&')}/${last}`;
}
