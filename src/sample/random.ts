/** A stream of numbers that follows from its seed alone, the same on every machine. */
export interface Random {
  /** At least 0 and less than 1. */
  uniform(): number;
  /** About as often below 0 as above, two thirds of the time within 1, never beyond 3. */
  normal(): number;
}

/** The stream of a text. Every security and figure has its own, so none shifts another. */
export function createRandom(seed: string): Random {
  let state = hashText(seed);
  // Mulberry32: whole-number arithmetic only.
  const uniform = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  // A sum of uniforms instead of logarithms and cosines, whose last bit depends on the machine.
  const normal = () => 2 * (uniform() + uniform() + uniform()) - 3;
  return { uniform, normal };
}

/** A walk around zero: each call moves by about `step` and is pulled back by the part `pull`. */
export function createRandomWalk({ normal }: Random, step: number, pull: number): () => number {
  let place = 0;
  return () => {
    place += step * normal() - pull * place;
    return place;
  };
}

/** A whole number below 2^32 that follows from the text (FNV-1a). */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
