/** Repeats an assertion until it passes; throws its last error after the timeout. */
export async function retryUntil(timeoutMs: number, check: () => Promise<void>): Promise<void> {
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
