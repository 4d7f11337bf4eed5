import type { Rate } from '../../rate.ts';
import { MAX_TRACKED_ADDRESSES } from './failed-auth-limiter.ts';
import { MAX_TRACKED_TOKENS } from './rate-limiter.ts';
import type { FindBucket, TokenBucket } from './token-bucket.ts';
import { createBucketTable } from './token-bucket.ts';

/** How many requests of one key were let through; less than none where more was given back. */
export interface BucketUsage {
  readonly key: string;
  /** Told along, so that a process that has not met the key yet can count it too. */
  readonly rate: Rate;
  readonly requests: number;
}

/** What one process let through, and which wrong credentials it met. */
export interface UsageReport {
  readonly tokens: readonly BucketUsage[];
  readonly addresses: readonly BucketUsage[];
}

/** Limits that several processes hold together: each tells the others what it let through. */
export interface SharedLimits {
  readonly tokens: FindBucket;
  readonly addresses: FindBucket;
  /** What was let through here since this was last asked; undefined where that is nothing. */
  drainUsage(): UsageReport | undefined;
  /** Takes out what another process let through. */
  applyUsage(there: UsageReport): void;
}

/** Full buckets, to be shared from now on. */
export function createSharedLimits(nowMs?: () => number): SharedLimits {
  const tokens = trackUsage(createBucketTable(MAX_TRACKED_TOKENS, nowMs));
  const addresses = trackUsage(createBucketTable(MAX_TRACKED_ADDRESSES, nowMs));
  return {
    tokens: tokens.find,
    addresses: addresses.find,
    drainUsage() {
      const here = { tokens: tokens.collect(), addresses: addresses.collect() };
      return here.tokens.length + here.addresses.length > 0 ? here : undefined;
    },
    applyUsage(there) {
      tokens.charge(there.tokens);
      addresses.charge(there.addresses);
    },
  };
}

/** Buckets that keep count of what is taken out of them. */
function trackUsage(find: FindBucket) {
  let taken = new Map<string, { key: string; rate: Rate; requests: number }>();
  const count = (key: string, rate: Rate, requests: number) => {
    const known = taken.get(key);
    if (known) known.requests += requests;
    else taken.set(key, { key, rate, requests });
  };
  const counting = (bucket: TokenBucket, key: string, rate: Rate): TokenBucket => ({
    ...bucket,
    tryTake() {
      const isTaken = bucket.tryTake();
      if (isTaken) count(key, rate, 1);
      return isTaken;
    },
    refund(part) {
      bucket.refund(part);
      count(key, rate, -part);
    },
  });
  return {
    find: (key: string, rate: Rate) => counting(find(key, rate), key, rate),
    collect(): BucketUsage[] {
      const all = [...taken.values()];
      taken = new Map();
      return all;
    },
    charge(there: readonly BucketUsage[]) {
      for (const { key, rate, requests } of there) find(key, rate).charge(requests);
    },
  };
}
