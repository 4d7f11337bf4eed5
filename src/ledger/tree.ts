/*
 * The tree of a transparency log, by RFC 6962: the hash of a leaf is that of a zero and its entry,
 * the hash of a node that of a one and both of its parts. A tree is split at the largest power of two
 * below its size. A subtree is named by its first leaf and the one after its last.
 */

export type Hash = Uint8Array<ArrayBuffer>;

/** The hash of a full subtree: of 2^level leaves, which begin at position × 2^level. */
export type ReadHash = (level: number, position: number) => Hash | Promise<Hash>;

export async function sha256(...parts: readonly Uint8Array[]): Promise<Hash> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

const [LEAF_PREFIX, NODE_PREFIX] = [new Uint8Array([0]), new Uint8Array([1])];

export const hashLeaf = (entry: Uint8Array) => sha256(LEAF_PREFIX, entry);
export const hashNode = (left: Hash, right: Hash) => sha256(NODE_PREFIX, left, right);

/** The hash of the leaves of a subtree; that of the first ones is the root of an earlier tree. */
export async function hashSubtree(start: number, end: number, readHash: ReadHash): Promise<Hash> {
  if (isFull(end - start)) return readHash(Math.log2(end - start), start / (end - start));
  const middle = findMiddle(start, end);
  return hashNode(
    await hashSubtree(start, middle, readHash),
    await hashSubtree(middle, end, readHash),
  );
}

/** The hashes that lead from a leaf to the root of the tree of that size, from the bottom. */
export async function proveInclusion(
  leaf: number,
  size: number,
  readHash: ReadHash,
  start = 0,
): Promise<Hash[]> {
  if (size - start === 1) return [];
  const middle = findMiddle(start, size);
  return leaf < middle
    ? [
        ...(await proveInclusion(leaf, middle, readHash, start)),
        await hashSubtree(middle, size, readHash),
      ]
    : [
        ...(await proveInclusion(leaf, size, readHash, middle)),
        await hashSubtree(start, middle, readHash),
      ];
}

/** The hashes that show that a tree begins with all leaves of an earlier one. */
export async function proveConsistency(
  from: number,
  size: number,
  readHash: ReadHash,
  start = 0,
  isWhole = true,
): Promise<Hash[]> {
  if (from === size) return isWhole ? [] : [await hashSubtree(start, size, readHash)];
  const middle = findMiddle(start, size);
  return from <= middle
    ? [
        ...(await proveConsistency(from, middle, readHash, start, isWhole)),
        await hashSubtree(middle, size, readHash),
      ]
    : [
        ...(await proveConsistency(from, size, readHash, middle, false)),
        await hashSubtree(start, middle, readHash),
      ];
}

export function isSameHash(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

function isFull(count: number): boolean {
  return (count & (count - 1)) === 0;
}

/** The end of the left part: the largest power of two below the number of leaves. */
export function findMiddle(start: number, end: number): number {
  return start + 2 ** (31 - Math.clz32(end - start - 1));
}
