/** Tries until it holds, or gives up with the last complaint after so long. */
export async function retryUntil(withinMs: number, holds: () => Promise<void>): Promise<void> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    try {
      return await holds();
    } catch (complaint) {
      if (performance.now() > deadline) throw complaint;
      await Bun.sleep(20);
    }
  }
}
