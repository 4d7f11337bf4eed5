export type Random = ReturnType<typeof createRandom>;

/**
 * Creates a generator whose numbers depend on the seed alone, not on the machine. Each security and figure
 * has its own, so that none shifts another.
 */
export function createRandom(seed: string) {
  let state = hashText(seed);
  // At least 0 and less than 1. Mulberry32 uses integer arithmetic only.
  const uniform = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  // Roughly normal with mean 0 and deviation 1, never beyond 3. A sum of uniforms, because the last bit of
  // logarithms and cosines depends on the machine.
  const normal = () => 2 * (uniform() + uniform() + uniform()) - 3;
  return { uniform, normal };
}

/** A mean-reverting walk around zero: each call moves by about `step`, less `pull` of the value. */
export function createRandomWalk({ normal }: Random, step: number, pull: number): () => number {
  let value = 0;
  return () => {
    value += step * normal() - pull * value;
    return value;
  };
}

/** The FNV-1a hash of a text, below 2^32. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
