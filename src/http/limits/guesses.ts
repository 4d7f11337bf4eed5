import type { Bucket, Buckets } from './buckets.ts';
import { buckets } from './buckets.ts';

/** Counts the wrong credentials that come from an address; whoever sends too many has to wait. */
export type Guesses = (address: string) => Bucket;

const RATE = { count: 1_000, windowMs: 60_000 };

/** More networks than this at once, and the first of them may start anew. */
export const MOST_ADDRESSES = 10_000;

/** 1,000 wrong credentials a minute from each address. Right tokens are never counted here. */
export function guesses(
  nowMs?: () => number,
  find: Buckets = buckets(MOST_ADDRESSES, nowMs),
): Guesses {
  return (address) => find(network(address), RATE);
}

/** Whoever has one address of IPv6 has at least 2^64 of them, which count as one. */
function network(address: string): string {
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
