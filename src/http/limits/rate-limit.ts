import type { Holder } from '../../tokens/keyring.ts';
import type { Rate } from '../../tokens/rate.ts';
import type { Refusal } from '../failures.ts';
import { refuse } from '../failures.ts';
import type { Bucket, Buckets } from './buckets.ts';
import { buckets } from './buckets.ts';

/** What a token may still ask for; null where it has no limit. */
export type RateLimit = (holder: Holder) => Allowance | null;

/** What a limited token has. */
export interface Allowance {
  readonly bucket: Bucket;
  /** The value of `RateLimit-Policy`: how many requests in how many seconds. */
  readonly policy: string;
}

/** Saying that nothing has changed is cheaper than an answer: it costs a quarter of one. */
export const UNCHANGED_SAVES = 0.75;

/** More tokens than this at once, and the first of them may start anew. */
export const MOST_TOKENS = 100_000;

/** Limits each token to its own rate, or to the one that holds for all that have none. */
export function rateLimit(
  fallback: Rate | null,
  nowMs?: () => number,
  find: Buckets = buckets(MOST_TOKENS, nowMs),
): RateLimit {
  const known = new WeakMap<Holder, Allowance>();
  return (holder) => {
    const { id, rate = fallback } = holder;
    if (rate === null) return null;
    const allowance = known.get(holder) ?? { bucket: find(id, rate), policy: policyOf(rate) };
    known.set(holder, allowance);
    return allowance;
  };
}

function policyOf({ count, windowMs }: Rate): string {
  return `"requests";q=${count};w=${Math.ceil(windowMs / 1_000)}`;
}

/** The value of `RateLimit`: how many requests are left, and seconds until all are again. */
export function standing({ bucket }: Allowance): string {
  return `"requests";r=${bucket.left()};t=${bucket.fullInSeconds()}`;
}

/** The refusal of a request for which nothing is left. */
export function tooMany(bucket: Bucket): Refusal {
  return refuse('too_many_requests', {}, { 'Retry-After': String(bucket.oneInSeconds()) });
}
