import { createBucketTable, type FindBucket, type TokenBucket } from './token-bucket.ts';

/** Finds the bucket that bounds the failed authentications of a client address. */
export type FailedAuthLimiter = (address: string) => TokenBucket;

const FAILED_AUTH_RATE = { count: 1_000, windowMs: 60_000 };

export const MAX_TRACKED_ADDRESSES = 10_000;

/** Allows 1,000 failed authentications a minute. Valid tokens are never counted here. */
export function createFailedAuthLimiter(
  nowMs?: () => number,
  find: FindBucket = createBucketTable(MAX_TRACKED_ADDRESSES, nowMs),
): FailedAuthLimiter {
  return (address) => find(toNetworkPrefix(address), FAILED_AUTH_RATE);
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
