/** Repeats an assertion until it passes; throws its last error after the timeout. */
export async function retryUntil<T>(timeoutMs: number, check: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > deadline) throw error;
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
