import { findMiddle, type Hash, hashNode } from '../../src/ledger/tree.ts';

/** The root that a leaf and the hashes of its proof lead to. */
export async function computeIncludedRoot(
  leaf: number,
  size: number,
  leafHash: Hash,
  proof: readonly Hash[],
  start = 0,
): Promise<Hash> {
  if (size - start === 1) return assertUsedUp(proof, leafHash);
  const middle = findMiddle(start, size);
  const [sibling, rest] = takeLast(proof);
  return leaf < middle
    ? hashNode(await computeIncludedRoot(leaf, middle, leafHash, rest, start), sibling)
    : hashNode(sibling, await computeIncludedRoot(leaf, size, leafHash, rest, middle));
}

/** The roots of both trees that a proof leads to, where the earlier one has that root. */
export async function computeConsistentRoots(
  from: number,
  size: number,
  earlierRoot: Hash,
  proof: readonly Hash[],
  start = 0,
  isWhole = true,
): Promise<readonly [earlier: Hash, later: Hash]> {
  if (from === size) {
    if (isWhole) return assertUsedUp(proof, [earlierRoot, earlierRoot]);
    const [hash, rest] = takeLast(proof);
    return assertUsedUp(rest, [hash, hash]);
  }
  const middle = findMiddle(start, size);
  const [sibling, rest] = takeLast(proof);
  if (from <= middle) {
    const args = [from, middle, earlierRoot, rest, start, isWhole] as const;
    const [earlier, later] = await computeConsistentRoots(...args);
    return [earlier, await hashNode(later, sibling)];
  }
  const args = [from, size, earlierRoot, rest, middle, false] as const;
  const [earlier, later] = await computeConsistentRoots(...args);
  return [await hashNode(sibling, earlier), await hashNode(sibling, later)];
}

function takeLast(proof: readonly Hash[]): readonly [last: Hash, rest: readonly Hash[]] {
  const last = proof.at(-1);
  if (!last) throw new RangeError('the proof has too few hashes');
  return [last, proof.slice(0, -1)];
}

function assertUsedUp<T>(proof: readonly Hash[], result: T): T {
  if (proof.length > 0) throw new RangeError('the proof has too many hashes');
  return result;
}
