import type { Holder } from '../tokens/keyring.ts';
import type { Rate } from '../tokens/rate.ts';
import type { Refusal } from './failures.ts';
import { refuse } from './failures.ts';

/** Refuses what goes beyond a token's rate. */
export type RateLimit = (holder: Holder) => Refusal | undefined;

/**
 * A bucket per token: it holds as many requests as the rate has, and refills steadily. Only
 * accepted tokens get one, so there are never more buckets than tokens.
 */
export function rateLimit(
  fallback: Rate | null,
  nowMs: () => number = () => performance.now(),
): RateLimit {
  const buckets = new Map<string, { left: number; atMs: number }>();
  return ({ id, rate = fallback }) => {
    if (rate === null) return undefined;
    const { count, windowMs } = rate;
    const at = nowMs();
    const bucket = buckets.get(id) ?? { left: count, atMs: at };
    bucket.left = Math.min(count, bucket.left + ((at - bucket.atMs) * count) / windowMs);
    bucket.atMs = at;
    buckets.set(id, bucket);
    if (bucket.left >= 1) {
      bucket.left -= 1;
      return undefined;
    }
    const waitSeconds = Math.ceil(((1 - bucket.left) * windowMs) / count / 1_000);
    return refuse('too_many_requests', {}, { 'Retry-After': String(waitSeconds) });
  };
}
