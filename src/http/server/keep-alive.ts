import type { KeepAlive } from '../pipeline/request-context.ts';

/** How long no request may come before a stopping server closes the connections that it has. */
export const DRAIN_QUIET_MS = 300;
const MAX_DRAIN_MS = 3_000;

/**
 * Answers what arrives, the last response of each connection, until nothing arrives any more: Bun
 * closes every idle connection when it stops, and a request may be on its way there.
 */
export async function drainConnections(keepAlive: KeepAlive, quietMs: number): Promise<void> {
  keepAlive.isEnding = true;
  const deadlineMs = performance.now() + MAX_DRAIN_MS;
  for (;;) {
    const nowMs = performance.now();
    const waitMs = Math.min(keepAlive.lastRequestMs + quietMs, deadlineMs) - nowMs;
    if (waitMs <= 0) return;
    await Bun.sleep(waitMs);
  }
}
