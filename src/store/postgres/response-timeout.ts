import { withTimeout } from '../../shared/awaitable.ts';
import { system } from '../../shared/system.ts';
import { StoreUnavailableError } from '../errors.ts';

/** If the event loop was blocked, a response that has arrived is processed before the timeout. */
const EVENT_LOOP_GRACE_MS = 50;
/**
 * If this thread gets its turn late, so does a server on the same machine, and with it each of
 * the processes that a response passes through: a machine without free cores is no outage. Requests
 * still fail within a second.
 */
const LATENESS_FACTOR = 10;
const MAX_LATENESS_MS = 400;

/** Rejects a response that is late by more than this thread itself. */
export function withResponseTimeout<T>(response: Promise<T>, timeoutMs: number): Promise<T> {
  const dueMs = system.monotonicNow() + timeoutMs + EVENT_LOOP_GRACE_MS;
  return withTimeout(response, timeoutMs, async () => {
    await system.sleep(EVENT_LOOP_GRACE_MS);
    const latenessMs = Math.round(system.monotonicNow() - dueMs);
    if (latenessMs > 0) await system.sleep(Math.min(MAX_LATENESS_MS, LATENESS_FACTOR * latenessMs));
    return new StoreUnavailableError('it does not answer');
  });
}
