const FLUSH_TIMEOUT_MS = 1_000;

/**
 * Ends standard error, and waits until all of it is out: what a full pipe has not taken yet would
 * be lost with the process. It waits a second at the most, since whoever reads may have stopped.
 */
export async function flushStderr(): Promise<void> {
  const out = new Promise<void>((resolve) => process.stderr.end(() => resolve()));
  await Promise.race([out, Bun.sleep(FLUSH_TIMEOUT_MS)]);
}
