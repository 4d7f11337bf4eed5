import { system } from '../shared/system.ts';
import { pause } from '../shared/wait-until.ts';
import { LockConflictError, StoreBusyError } from './errors.ts';
import type { LockWaitOptions } from './publisher.ts';

const DEFAULT_WAIT_MS = 10_000;
const RETRY_INTERVAL_MS = 20;
/** The pauses after conflicts double: what holds the locks may be moving gigabytes. */
const [MIN_CONFLICT_PAUSE_MS, MAX_CONFLICT_PAUSE_MS] = [100, 5_000];

/**
 * Retries what needs the write lock, or was ended by locks of other sessions, until it succeeds or
 * the lock wait is over, which begins with the first failure.
 */
export async function retryWhileBusy<T>(
  { waitMs = DEFAULT_WAIT_MS, onWait, signal }: LockWaitOptions,
  attempt: () => T | Promise<T>,
): Promise<T> {
  let deadline: number | undefined;
  let conflictPauseMs = MIN_CONFLICT_PAUSE_MS;
  for (;;) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (cause) {
      if (!(cause instanceof StoreBusyError)) throw cause;
      if (deadline === undefined && waitMs > 0) onWait?.(cause);
      deadline ??= system.monotonicNow() + waitMs;
      const remainingMs = deadline - system.monotonicNow();
      if (remainingMs <= 0)
        throw new StoreBusyError(`${cause.message}; gave up ${formatWait(waitMs)}`, { cause });
      const isConflict = cause instanceof LockConflictError;
      const pauseMs = isConflict ? conflictPauseMs : RETRY_INTERVAL_MS;
      if (isConflict) conflictPauseMs = Math.min(conflictPauseMs * 2, MAX_CONFLICT_PAUSE_MS);
      await pause(Math.min(pauseMs, remainingMs), signal);
    }
  }
}

function formatWait(ms: number): string {
  if (ms === 0) return 'at once';
  return ms < 60_000 ? `after ${ms / 1_000} s` : `after ${Math.round(ms / 60_000)} min`;
}
