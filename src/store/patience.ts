import type { Patience } from './store.ts';
import { StoreBusy } from './store.ts';

const PATIENCE_MS = 10_000;
const LOOK_EVERY_MS = 20;

/**
 * Tries what needs the store to itself, again and again until whoever has it is done. Between two
 * tries the thread is free, so that a signal is heard.
 */
export async function patiently<T>(
  { waitMs = PATIENCE_MS, onWait, signal }: Patience,
  attempt: () => T | Promise<T>,
): Promise<T> {
  const deadline = performance.now() + waitMs;
  for (let tries = 0; ; tries++) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (cause) {
      if (!(cause instanceof StoreBusy)) throw cause;
      if (performance.now() >= deadline) {
        throw new StoreBusy(`${cause.message}; gave up ${after(waitMs)}`, { cause });
      }
      if (tries === 0) onWait?.();
      await Bun.sleep(LOOK_EVERY_MS);
    }
  }
}

function after(ms: number): string {
  if (ms === 0) return 'at once';
  return ms < 60_000 ? `after ${ms / 1_000} s` : `after ${Math.round(ms / 60_000)} min`;
}
