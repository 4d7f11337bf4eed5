import type { Awaitable } from '../../shared/awaitable.ts';
import { system, type Timer } from '../../shared/system.ts';
import { createBucketTable, type FindBucket, type TokenBucket } from './rate-limiter.ts';

/** Requests that several processes admit at once delay waiting tokens by a second at most. */
const FAILED_AUTH_RATE = { count: 1_000, windowMs: 60_000, maxDebt: 16 };

export const MAX_TRACKED_ADDRESSES = 10_000;

const MAX_THROTTLED_ADDRESSES = 1_000;
const MAX_ACCEPTED_IDS = 100;
const SWEEP_INTERVAL_MS = 10_000;

/**
 * Bounds by client address what is answered without an accepted token: 1,000 invalid credentials a
 * minute, and as many requests without one.
 */
export class FailedAuthLimiter {
  /** Whether any address is over its limit. Otherwise a valid token needs no admission. */
  isThrottling = false;
  /** The addresses over their limit, until half of it is left again. */
  readonly #queues = new Map<string, AdmissionQueue>();
  /** The tokens in use at each address, the most recent address last. */
  readonly #acceptedIds = new Map<string, Set<string>>();
  #sweepTimer: Timer | undefined;

  constructor(
    private readonly nowMs: () => number = () => system.monotonicNow(),
    private readonly find: FindBucket = createBucketTable(MAX_TRACKED_ADDRESSES, nowMs),
  ) {}

  /** A token that is in use at an address never has to wait there. */
  recordAccepted(address: string, principalId: string): void {
    const key = toNetworkPrefix(address);
    const ids = this.#acceptedIds.get(key) ?? new Set();
    this.#acceptedIds.delete(key);
    makeRoom(this.#acceptedIds, MAX_TRACKED_ADDRESSES);
    this.#acceptedIds.set(key, ids);
    if (ids.size < MAX_ACCEPTED_IDS) ids.add(principalId);
  }

  /**
   * Whether a client gets a response that depends on its credential, which is that of a principal or
   * invalid: at once, or when it is its turn. All others get 429, which reveals nothing.
   */
  admit(address: string, principalId: string | undefined, signal: AbortSignal): Awaitable<boolean> {
    const key = toNetworkPrefix(address);
    if (principalId !== undefined && this.#acceptedIds.get(key)?.has(principalId)) return true;
    const queue = this.#queues.get(key);
    if (queue) return queue.admit(principalId, signal);
    if (principalId !== undefined) {
      this.recordAccepted(address, principalId);
      return true;
    }
    const bucket = this.findBucket(address);
    return bucket.tryTake() || this.#addQueue(key, bucket).admit(principalId, signal);
  }

  /** The credential that was admitted as an invalid one is that of a principal. */
  correctAdmission(address: string, principalId: string): void {
    this.findBucket(address).refund(1);
    this.recordAccepted(address, principalId);
  }

  /** The bucket of the requests of an address that bring an invalid credential. */
  findBucket(address: string): TokenBucket {
    return this.find(toNetworkPrefix(address), FAILED_AUTH_RATE);
  }

  /** The bucket of those without a credential, which guess nothing and so slow no token down. */
  findAnonymousBucket(address: string): TokenBucket {
    return this.find(`${toNetworkPrefix(address)} anonymous`, FAILED_AUTH_RATE);
  }

  #addQueue(key: string, bucket: TokenBucket): AdmissionQueue {
    makeRoom(this.#queues, MAX_THROTTLED_ADDRESSES);
    const queue = new AdmissionQueue(bucket, this.nowMs);
    this.#queues.set(key, queue);
    this.isThrottling = true;
    this.#sweepTimer ??= system.setInterval(() => this.#sweep(), SWEEP_INTERVAL_MS).unref();
    return queue;
  }

  #sweep(): void {
    for (const [key, { isEmpty }] of this.#queues) {
      const remaining = this.find(key, FAILED_AUTH_RATE).getRemaining();
      if (isEmpty && remaining >= FAILED_AUTH_RATE.count / 2) this.#queues.delete(key);
    }
    this.isThrottling = this.#queues.size > 0;
    if (this.isThrottling) return;
    this.#sweepTimer?.cancel();
    this.#sweepTimer = undefined;
  }
}

/** Deletes the oldest entry of a map that is full. */
function makeRoom(map: Map<string, unknown>, max: number): void {
  const [oldest] = map.keys();
  if (map.size >= max && oldest !== undefined) map.delete(oldest);
}

/** The /64 of an IPv6 address, since its owner has at least all 2^64 addresses in it. */
function toNetworkPrefix(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head.split(':');
  const tailGroups = tail?.split(':') ?? [];
  const missing = tail === undefined ? 0 : Math.max(0, 8 - groups.length - tailGroups.length);
  return [...groups, ...Array<string>(missing).fill('0'), ...tailGroups].slice(0, 4).join(':');
}

interface Waiter {
  readonly principalId: string | undefined;
  readonly deadlineMs: number;
  readonly resolve: (isAdmitted: boolean) => void;
}

const MAX_WAITING = 100;
const MAX_WAIT_MS = 10_000;
const MAX_ADMITTED_IDS = 1_000;
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

  /** False if too many wait. `principalId` is undefined for an invalid credential. */
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
    if (this.#acceptedIds.size < MAX_ADMITTED_IDS) this.#acceptedIds.add(principalId);
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
