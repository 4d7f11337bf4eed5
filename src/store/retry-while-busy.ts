import { StoreBusyError } from './errors.ts';
import type { LockWaitOptions } from './publisher.ts';

const DEFAULT_WAIT_MS = 10_000;
const RETRY_INTERVAL_MS = 20;

/** Retries what needs the write lock, until it is free or the lock wait is over. */
export async function retryWhileBusy<T>(
  { waitMs = DEFAULT_WAIT_MS, onWait, signal }: LockWaitOptions,
  attempt: () => T | Promise<T>,
): Promise<T> {
  const deadline = performance.now() + waitMs;
  for (let tries = 0; ; tries++) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (cause) {
      if (!(cause instanceof StoreBusyError)) throw cause;
      if (performance.now() >= deadline) {
        throw new StoreBusyError(`${cause.message}; gave up ${formatWait(waitMs)}`, { cause });
      }
      if (tries === 0) onWait?.();
      await Bun.sleep(RETRY_INTERVAL_MS);
    }
  }
}

function formatWait(ms: number): string {
  if (ms === 0) return 'at once';
  return ms < 60_000 ? `after ${ms / 1_000} s` : `after ${Math.round(ms / 60_000)} min`;
}
