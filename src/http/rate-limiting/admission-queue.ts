import type { Awaitable } from '../../shared/awaitable.ts';
import type { TokenBucket } from './token-bucket.ts';

/** Admits the clients of an address to authentication no faster than its bucket refills. */
export interface AdmissionQueue {
  readonly isEmpty: boolean;
  /** False where too many wait. `principalId` is undefined for an invalid credential. */
  admit(principalId: string | undefined, signal: AbortSignal): Awaitable<boolean>;
}

interface Waiter {
  readonly principalId: string | undefined;
  readonly deadlineMs: number;
  readonly resolve: (isAdmitted: boolean) => void;
}

const MAX_WAITING = 100;
const MAX_WAIT_MS = 10_000;
const MAX_ACCEPTED_IDS = 1_000;
const TURN_INTERVAL_MS = 50;

export function createAdmissionQueue(bucket: TokenBucket, nowMs: () => number): AdmissionQueue {
  const waiting: Waiter[] = [];
  /** Accepted meanwhile: these need not wait again. */
  const acceptedIds = new Set<string>();
  let isScheduled = false;
  const tryAdmit = (principalId: string | undefined) => {
    if (!bucket.tryTake()) return false;
    if (principalId === undefined) return true;
    // Only failures are counted.
    bucket.refund(1);
    if (acceptedIds.size < MAX_ACCEPTED_IDS) acceptedIds.add(principalId);
    return true;
  };
  const admitWaiting = () => {
    isScheduled = false;
    for (let next = waiting[0]; next; next = waiting[0]) {
      const isAdmitted = tryAdmit(next.principalId);
      if (!isAdmitted && next.deadlineMs > nowMs()) break;
      waiting.shift();
      next.resolve(isAdmitted);
    }
    if (waiting.length > 0) schedule();
  };
  const schedule = () => {
    if (!isScheduled) setTimeout(admitWaiting, TURN_INTERVAL_MS);
    isScheduled = true;
  };
  /** A client that is gone waits no longer. */
  const remove = (waiter: Waiter) => {
    const index = waiting.indexOf(waiter);
    if (index < 0) return;
    waiting.splice(index, 1);
    waiter.resolve(false);
  };
  return {
    get isEmpty() {
      return waiting.length === 0;
    },
    admit(principalId, signal) {
      if (principalId !== undefined && acceptedIds.has(principalId)) return true;
      if (waiting.length === 0 && tryAdmit(principalId)) return true;
      if (waiting.length >= MAX_WAITING) return false;
      return new Promise((resolve) => {
        const waiter = { principalId, deadlineMs: nowMs() + MAX_WAIT_MS, resolve };
        waiting.push(waiter);
        signal.addEventListener('abort', () => remove(waiter), { once: true });
        schedule();
      });
    },
  };
}
