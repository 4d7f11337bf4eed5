import type { Rate } from '../../rate.ts';
import type { Principal } from '../../tokens/token-registry.ts';
import type { HttpError } from '../http-error.ts';
import { createHttpError } from '../http-error.ts';
import type { FindBucket, TokenBucket } from './token-bucket.ts';
import { createBucketTable } from './token-bucket.ts';

/** What a token may still ask for; null where it has no limit. */
export type RateLimiter = (principal: Principal) => RateAllowance | null;

/** What a limited token has. */
export interface RateAllowance {
  readonly bucket: TokenBucket;
  /** The value of `RateLimit-Policy`: how many requests in how many seconds. */
  readonly policy: string;
}

/** Saying that nothing has changed is cheaper than an answer: it costs a quarter of one. */
export const NOT_MODIFIED_REFUND = 0.75;

/** More tokens than this at once, and the first of them may start anew. */
export const MAX_TRACKED_TOKENS = 100_000;

/** Limits each token to its own rate, or to the one that holds for all that have none. */
export function createRateLimiter(
  fallback: Rate | null,
  nowMs?: () => number,
  find: FindBucket = createBucketTable(MAX_TRACKED_TOKENS, nowMs),
): RateLimiter {
  const known = new WeakMap<Principal, RateAllowance>();
  return (principal) => {
    const { id, rate = fallback } = principal;
    if (rate === null) return null;
    const allowance = known.get(principal) ?? {
      bucket: find(id, rate),
      policy: formatRateLimitPolicy(rate),
    };
    known.set(principal, allowance);
    return allowance;
  };
}

function formatRateLimitPolicy({ count, windowMs }: Rate): string {
  return `"requests";q=${count};w=${Math.ceil(windowMs / 1_000)}`;
}

/** The value of `RateLimit`: how many requests are left, and seconds until all are again. */
export function formatRateLimit({ bucket }: RateAllowance): string {
  return `"requests";r=${bucket.getRemaining()};t=${bucket.secondsUntilFull()}`;
}

/** The refusal of a request for which nothing is left. */
export function createTooManyRequestsError(bucket: TokenBucket): HttpError {
  return createHttpError(
    'too_many_requests',
    {},
    { 'Retry-After': String(bucket.secondsUntilNext()) },
  );
}
