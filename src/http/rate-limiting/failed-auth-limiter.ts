import type { FindBucket, TokenBucket } from './token-bucket.ts';
import { createBucketTable } from './token-bucket.ts';

/** Counts the wrong credentials that come from an address; whoever sends too many has to wait. */
export type FailedAuthLimiter = (address: string) => TokenBucket;

const FAILED_AUTH_RATE = { count: 1_000, windowMs: 60_000 };

/** More networks than this at once, and the first of them may start anew. */
export const MAX_TRACKED_ADDRESSES = 10_000;

/** 1,000 wrong credentials a minute from each address. Right tokens are never counted here. */
export function createFailedAuthLimiter(
  nowMs?: () => number,
  find: FindBucket = createBucketTable(MAX_TRACKED_ADDRESSES, nowMs),
): FailedAuthLimiter {
  return (address) => find(toNetworkPrefix(address), FAILED_AUTH_RATE);
}

/** Whoever has one address of IPv6 has at least 2^64 of them, which count as one. */
function toNetworkPrefix(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(':').length;
  const all = [
    ...groups,
    ...Array<string>(Math.max(0, missing)).fill('0'),
    ...(tail ?? '').split(':'),
  ];
  return all.slice(0, 4).join(':');
}
