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
