import type { Awaitable } from '../../shared/awaitable.ts';
import { type AdmissionQueue, createAdmissionQueue } from './admission-queue.ts';
import { createBucketTable, type FindBucket, type TokenBucket } from './token-bucket.ts';

/** Bounds by client address what is answered without an accepted token. */
export interface FailedAuthLimiter {
  /** Whether an address is over its limit. Otherwise a valid token needs no admission. */
  isThrottling(): boolean;
  /** A token that is in use at an address never has to wait there. */
  recordAccepted(address: string, principalId: string): void;
  /**
   * Whether a client gets a response that depends on its credential, which is that of a principal or
   * invalid: at once, or when it is its turn. All others get 429, which reveals nothing.
   */
  admit(address: string, principalId: string | undefined, signal: AbortSignal): Awaitable<boolean>;
  /** The bucket of the requests of an address that bring an invalid credential. */
  findBucket(address: string): TokenBucket;
  /** The bucket of those without a credential, which guess nothing and so slow nobody down. */
  findAnonymousBucket(address: string): TokenBucket;
}

/** What several processes admitted at once delays the tokens that wait by a second at most. */
const FAILED_AUTH_RATE = { count: 1_000, windowMs: 60_000, maxDebt: 16 };

export const MAX_TRACKED_ADDRESSES = 10_000;

const MAX_THROTTLED_ADDRESSES = 1_000;
const MAX_ACCEPTED_IDS = 100;
const SWEEP_INTERVAL_MS = 10_000;

/** Allows 1,000 invalid credentials a minute, and as many requests without one. */
export function createFailedAuthLimiter(
  nowMs: () => number = () => performance.now(),
  find: FindBucket = createBucketTable(MAX_TRACKED_ADDRESSES, nowMs),
): FailedAuthLimiter {
  const findBucket = (address: string) => find(toNetworkPrefix(address), FAILED_AUTH_RATE);
  /** The addresses over their limit, until half of it is left again. */
  const queues = new Map<string, AdmissionQueue>();
  let sweepTimer: NodeJS.Timeout | undefined;
  const sweep = () => {
    for (const [key, { isEmpty }] of queues) {
      const { count } = FAILED_AUTH_RATE;
      if (isEmpty && find(key, FAILED_AUTH_RATE).getRemaining() >= count / 2) queues.delete(key);
    }
    if (queues.size > 0) return;
    clearInterval(sweepTimer);
    sweepTimer = undefined;
  };
  const addQueue = (key: string, bucket: TokenBucket) => {
    const [oldest] = queues.keys();
    if (queues.size >= MAX_THROTTLED_ADDRESSES && oldest !== undefined) queues.delete(oldest);
    const queue = createAdmissionQueue(bucket, nowMs);
    queues.set(key, queue);
    sweepTimer ??= setInterval(sweep, SWEEP_INTERVAL_MS).unref();
    return queue;
  };
  /** The tokens in use at each address, the most recent address last. */
  const acceptedIds = new Map<string, Set<string>>();
  const recordAccepted = (key: string, principalId: string) => {
    const ids = acceptedIds.get(key) ?? new Set();
    const [oldest] = acceptedIds.keys();
    if (acceptedIds.size >= MAX_TRACKED_ADDRESSES && oldest !== undefined)
      acceptedIds.delete(oldest);
    acceptedIds.delete(key);
    acceptedIds.set(key, ids);
    if (ids.size < MAX_ACCEPTED_IDS) ids.add(principalId);
  };
  return {
    isThrottling: () => queues.size > 0,
    recordAccepted: (address, principalId) => recordAccepted(toNetworkPrefix(address), principalId),
    findBucket,
    findAnonymousBucket: (address) =>
      find(`${toNetworkPrefix(address)} anonymous`, FAILED_AUTH_RATE),
    admit(address, principalId, signal) {
      const key = toNetworkPrefix(address);
      if (principalId !== undefined && acceptedIds.get(key)?.has(principalId)) return true;
      const queue = queues.get(key);
      if (queue) return queue.admit(principalId, signal);
      if (principalId !== undefined) {
        recordAccepted(key, principalId);
        return true;
      }
      const bucket = findBucket(address);
      return bucket.tryTake() || addQueue(key, bucket).admit(principalId, signal);
    },
  };
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
