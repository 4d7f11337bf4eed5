import type { Publisher, Within } from '../store/index.ts';

/** Does a piece of publishing; a rehearsal of it leaves everything as it was. */
export async function rehearsing<T>(
  publisher: Publisher,
  isRehearsal: boolean,
  work: (within: Within) => Promise<T>,
): Promise<T> {
  let result: { readonly value: T } | undefined;
  try {
    return await publisher.atomically(async (within) => {
      const value = await work(within);
      if (!isRehearsal) return value;
      result = { value };
      throw new Rehearsed();
    });
  } catch (cause) {
    if (cause instanceof Rehearsed && result) return result.value;
    throw cause;
  }
}

/** Undoes what a rehearsal has done. */
class Rehearsed extends Error {}
