import type { Rate } from '../../rate.ts';

/** A token bucket: it holds as many requests as the rate has, and refills steadily. */
export interface TokenBucket {
  /** Takes one request out; false where there is none left. */
  tryTake(): boolean;
  /** Gives a part of a request back that cost less than a whole one. */
  refund(part: number): void;
  /** Takes out what was let through elsewhere: it then owes, up to as much as it holds. */
  charge(requests: number): void;
  /** Whole requests that are left. */
  getRemaining(): number;
  /** Seconds until it is full again. */
  secondsUntilFull(): number;
  /** Seconds until one request is there. */
  secondsUntilNext(): number;
}

/** Finds the bucket of whoever has the key. */
export type FindBucket = (key: string, rate: Rate) => TokenBucket;

/** The part that may stay when room is made: a look at all of them is to pay for many new ones. */
const EVICTION_TARGET = 0.9;

/**
 * Keeps so many buckets at the most. One that is full again is as good as a new one, so those go
 * first; then the ones that were made first.
 */
export function createBucketTable(
  max: number,
  nowMs: () => number = () => performance.now(),
): FindBucket {
  const kept = new Map<string, { readonly rate: Rate; readonly bucket: TokenBucket }>();
  const makeRoom = () => {
    for (const [key, { rate, bucket }] of kept) {
      if (bucket.getRemaining() === rate.count) kept.delete(key);
    }
    for (const key of kept.keys()) {
      if (kept.size <= max * EVICTION_TARGET) break;
      kept.delete(key);
    }
  };
  return (key, rate) => {
    const known = kept.get(key);
    if (known && isSameRate(known.rate, rate)) return known.bucket;
    if (kept.size >= max) makeRoom();
    const bucket = createTokenBucket(rate, nowMs);
    kept.set(key, { rate, bucket });
    return bucket;
  };
}

function isSameRate(a: Rate, b: Rate): boolean {
  return a === b || (a.count === b.count && a.windowMs === b.windowMs);
}

function createTokenBucket({ count, windowMs }: Rate, nowMs: () => number): TokenBucket {
  const perMs = count / windowMs;
  let level = count;
  let atMs = nowMs();
  const refill = () => {
    const now = nowMs();
    level = Math.min(count, level + (now - atMs) * perMs);
    atMs = now;
    return level;
  };
  const inSeconds = (wanted: number) => Math.max(0, Math.ceil((wanted - level) / perMs / 1_000));
  return {
    tryTake() {
      if (refill() < 1) return false;
      level -= 1;
      return true;
    },
    refund(part) {
      level = Math.min(count, level + part);
    },
    charge(requests) {
      // A debt without end would shut out for days whoever met many processes at once.
      level = Math.min(count, Math.max(-count, refill() - requests));
    },
    getRemaining: () => Math.max(0, Math.floor(refill())),
    secondsUntilFull: () => inSeconds(count),
    secondsUntilNext: () => Math.max(1, inSeconds(1)),
  };
}
