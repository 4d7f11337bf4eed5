import type { Rate } from '../../shared/request-rate.ts';
import { system } from '../../shared/system.ts';
import type { Principal } from '../../tokens/principal.ts';
import { HttpError } from '../http-error.ts';

/** Finds the allowance of a principal; null if its rate is not limited. */
export type RateLimiter = (principal: Principal) => RateAllowance | null;

export interface RateAllowance {
  readonly bucket: TokenBucket;
  /** The value of `RateLimit-Policy`. */
  readonly policy: string;
}

/** A 304 costs a quarter of a request. */
export const NOT_MODIFIED_REFUND = 0.75;

export const MAX_TRACKED_TOKENS = 100_000;

/** Limits each token to its own rate, or to the default. */
export function createRateLimiter(
  defaultRate: Rate | null,
  nowMs?: () => number,
  find: FindBucket = createBucketTable(MAX_TRACKED_TOKENS, nowMs),
): RateLimiter {
  const allowances = new WeakMap<Principal, RateAllowance>();
  return (principal) => {
    const { id, rate = defaultRate } = principal;
    if (rate === null) return null;
    const allowance = allowances.get(principal) ?? {
      bucket: find(id, rate),
      policy: `"requests";q=${rate.count};w=${Math.ceil(rate.windowMs / 1_000)}`,
    };
    allowances.set(principal, allowance);
    return allowance;
  };
}

/** The value of `RateLimit`: remaining requests, and seconds until the bucket is full. */
export function formatRateLimit({ bucket }: RateAllowance): string {
  return `"requests";r=${bucket.getRemaining()};t=${bucket.secondsUntilFull()}`;
}

export function createTooManyRequestsError(bucket: TokenBucket): HttpError {
  const headers = { 'Retry-After': String(bucket.secondsUntilNext()) };
  return new HttpError('too_many_requests', {}, headers);
}

/** Holds as many requests as the rate allows at once, and refills steadily. */
export type TokenBucket = ReturnType<typeof createTokenBucket>;

export interface BucketRate extends Rate {
  /** By how many requests a bucket may be in debt; what it holds by default. */
  readonly maxDebt?: number;
}

/** Finds or creates the bucket of a token or an address. */
export type FindBucket = (key: string, rate: BucketRate) => TokenBucket;

/** Called with each request that is taken; with a negative number on a refund. */
type OnUse = (key: string, rate: BucketRate, requests: number) => void;

/** How full the table may be after an eviction, so that not every new bucket causes one. */
const EVICTION_TARGET = 0.9;

/** Keeps up to `max` buckets. Evicts full ones, which equal new ones, then the oldest. */
export function createBucketTable(
  max: number,
  nowMs: () => number = () => system.monotonicNow(),
  onUse: OnUse = () => {},
): FindBucket {
  const entries = new Map<string, { readonly rate: Rate; readonly bucket: TokenBucket }>();
  const evict = () => {
    for (const [key, { rate, bucket }] of entries)
      if (bucket.getRemaining() === rate.count) entries.delete(key);
    for (const key of entries.keys()) {
      if (entries.size <= max * EVICTION_TARGET) break;
      entries.delete(key);
    }
  };
  return (key, rate) => {
    const entry = entries.get(key);
    if (entry?.rate.count === rate.count && entry.rate.windowMs === rate.windowMs)
      return entry.bucket;
    if (entries.size >= max) evict();
    const bucket = createTokenBucket(rate, nowMs, (requests) => onUse(key, rate, requests));
    entries.set(key, { rate, bucket });
    return bucket;
  };
}

function createTokenBucket(
  { count, windowMs, maxDebt = count }: BucketRate,
  nowMs: () => number,
  onUse: (requests: number) => void,
) {
  const perMs = count / windowMs;
  let level = count;
  let refilledMs = nowMs();
  const refill = () => {
    const now = nowMs();
    level = Math.min(count, level + (now - refilledMs) * perMs);
    refilledMs = now;
    return level;
  };
  const secondsUntil = (target: number) => Math.max(0, Math.ceil((target - level) / perMs / 1_000));
  return {
    /** Takes one request; false if none remains. */
    tryTake(): boolean {
      if (refill() < 1) return false;
      level -= 1;
      onUse(1);
      return true;
    },
    /** Takes what a request costs beyond one, going into debt by at most what the bucket holds. */
    take(requests: number) {
      if (requests === 0) return;
      this.charge(requests);
      onUse(requests);
    },
    /** Returns the part of a request that was cheaper than others. */
    refund(part: number) {
      level = Math.min(count, level + part);
      onUse(-part);
    },
    /** Takes requests of other processes, going into debt by a bounded number. */
    charge(requests: number) {
      level = Math.min(count, Math.max(-maxDebt, refill() - requests));
    },
    getRemaining: () => Math.max(0, Math.floor(refill())),
    secondsUntilFull: () => secondsUntil(count),
    secondsUntilNext: () => Math.max(1, secondsUntil(1)),
  };
}
