import { availableParallelism, loadavg } from 'node:os';

/** On a busy machine, what takes a second may take many; exact times are promised in the simulation. */
const BUSY_TIMEOUT_MS = 30_000;

/**
 * Repeats an assertion until it passes; throws its last error after the timeout, which is longer
 * while more processes run than there are cores.
 */
export async function retryUntil<T>(timeoutMs: number, check: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  for (;;) {
    try {
      return await check();
    } catch (error) {
      const slowdown = Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());
      const longestMs = Math.max(timeoutMs, Math.min(timeoutMs * slowdown, BUSY_TIMEOUT_MS));
      if (performance.now() - startedMs > longestMs) throw error;
      await Bun.sleep(20);
    }
  }
}

/** Waits until a number has not changed for 300 ms, and returns it. */
export async function waitUntilStable(number: () => number): Promise<number> {
  for (let calm = 0, last = -1; ; calm++) {
    if (number() !== last) calm = 0;
    if (calm === 15) return last;
    last = number();
    await Bun.sleep(20);
  }
}
