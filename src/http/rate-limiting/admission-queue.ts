import type { Awaitable } from '../../shared/awaitable.ts';
import { system, type Timer } from '../../shared/system.ts';
import type { TokenBucket } from './rate-limiter.ts';

interface Waiter {
  readonly principalId: string | undefined;
  readonly deadlineMs: number;
  readonly resolve: (isAdmitted: boolean) => void;
}

const MAX_WAITING = 100;
const MAX_WAIT_MS = 10_000;
const MAX_ACCEPTED_IDS = 1_000;
const TURN_INTERVAL_MS = 50;

/** Admits the clients of an address to authentication no faster than its bucket refills. */
export class AdmissionQueue {
  readonly #waiting: Waiter[] = [];
  /** Accepted meanwhile: these need not wait again. */
  readonly #acceptedIds = new Set<string>();
  #timer: Timer | undefined;

  constructor(
    private readonly bucket: TokenBucket,
    private readonly nowMs: () => number,
  ) {}

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** False where too many wait. `principalId` is undefined for an invalid credential. */
  admit(principalId: string | undefined, signal: AbortSignal): Awaitable<boolean> {
    if (principalId !== undefined && this.#acceptedIds.has(principalId)) return true;
    if (this.isEmpty && this.#tryAdmit(principalId)) return true;
    if (this.#waiting.length >= MAX_WAITING) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const waiter = { principalId, deadlineMs: this.nowMs() + MAX_WAIT_MS, resolve };
    this.#waiting.push(waiter);
    signal.addEventListener('abort', () => this.#remove(waiter), { once: true });
    this.#timer ??= system.setTimeout(() => this.#admitWaiting(), TURN_INTERVAL_MS);
    return promise;
  }

  #tryAdmit(principalId: string | undefined): boolean {
    if (!this.bucket.tryTake()) return false;
    if (principalId === undefined) return true;
    // Only failures are counted.
    this.bucket.refund(1);
    if (this.#acceptedIds.size < MAX_ACCEPTED_IDS) this.#acceptedIds.add(principalId);
    return true;
  }

  #admitWaiting(): void {
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      const isAdmitted = this.#tryAdmit(next.principalId);
      if (!isAdmitted && next.deadlineMs > this.nowMs()) break;
      this.#waiting.shift();
      next.resolve(isAdmitted);
    }
    this.#timer = this.isEmpty
      ? undefined
      : system.setTimeout(() => this.#admitWaiting(), TURN_INTERVAL_MS);
  }

  /** A client that is gone waits no longer. */
  #remove(waiter: Waiter): void {
    const index = this.#waiting.indexOf(waiter);
    if (index < 0) return;
    this.#waiting.splice(index, 1);
    waiter.resolve(false);
  }
}
