/** Runs a callback, once fewer than the maximum are running. */
export type ConcurrencyLimit = <T>(callback: () => Promise<T>) => Promise<T>;

/** Limits how many callbacks run at a time; the others wait in the order of their calls. */
export function createConcurrencyLimit(max: number): ConcurrencyLimit {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (callback) => {
    if (running < max) running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await callback();
    } finally {
      // The next one takes the place of this one.
      const startNext = waiting.shift();
      if (startNext) startNext();
      else running--;
    }
  };
}
