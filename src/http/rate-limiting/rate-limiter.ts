import type { Rate } from '../../shared/request-rate.ts';
import type { Principal } from '../../tokens/token-registry.ts';
import { HttpError } from '../http-error.ts';
import { createBucketTable, type FindBucket, type TokenBucket } from './token-bucket.ts';

/** Finds the allowance of a principal; null where its rate is not limited. */
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
