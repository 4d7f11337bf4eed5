import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { FailedAuthLimiter } from '../../src/http/rate-limiting/failed-auth-limiter.ts';
import { createRateLimiter } from '../../src/http/rate-limiting/rate-limiter.ts';
import { createSharedLimits } from '../../src/http/rate-limiting/shared-limits.ts';

const rate = { count: 10, windowMs: 60_000 };
/** A power of two, so that no sum of parts is rounded. */
const exactRate = { count: 16, windowMs: 65_536 };
const holder = {
  id: 'a',
  scopes: new Set<string>(),
  rate,
  expiresAtMs: Infinity,
  lastUsedAtMs: 0,
};

/** A process with limits of its own, and what it knows of the others. */
function processAt(nowMs: () => number, own = rate) {
  const shared = createSharedLimits(nowMs);
  const limit = createRateLimiter(null, nowMs, shared.tokens);
  const bucket = () => {
    const allowance = limit({ ...holder, rate: own });
    if (!allowance) throw new Error('the holder has a rate');
    return allowance.bucket;
  };
  const limiter = new FailedAuthLimiter(nowMs, shared.addresses);
  const guess = (address: string) => limiter.findBucket(address);
  return { ...shared, bucket, guess };
}

function tell(from: ReturnType<typeof processAt>, to: ReturnType<typeof processAt>): void {
  const here = from.drainUsage();
  // As it goes from process to process.
  if (here) to.applyUsage(structuredClone(here));
}

describe('shared limits', () => {
  test('charge the usage of other processes, also for unknown tokens', () => {
    const [one, two] = [processAt(() => 0), processAt(() => 0)];
    for (let request = 0; request < 7; request++) expect(one.bucket().tryTake()).toBe(true);
    tell(one, two);
    expect(two.bucket().getRemaining()).toBe(3);
    tell(two, one);
    expect(one.bucket().getRemaining()).toBe(3);
  });

  test('report usage once, and nothing if there was none', () => {
    const one = processAt(() => 0);
    expect(one.drainUsage()).toBeUndefined();
    one.bucket().tryTake();
    one.bucket().tryTake();
    expect(one.drainUsage()).toEqual({ tokens: [{ key: 'a', rate, requests: 2 }], addresses: [] });
    expect(one.drainUsage()).toBeUndefined();
    for (let request = 0; request < 20; request++) one.bucket().tryTake();
    // Rejected requests are not counted.
    expect(one.drainUsage()?.tokens).toEqual([{ key: 'a', rate, requests: 8 }]);
  });

  test('apply refunds in every process', () => {
    const [one, two] = [processAt(() => 0), processAt(() => 0)];
    for (let request = 0; request < 4; request++) {
      one.bucket().tryTake();
      tell(one, two);
      one.bucket().refund(0.75);
      tell(one, two);
    }
    expect([one.bucket().getRemaining(), two.bucket().getRemaining()]).toEqual([9, 9]);
  });

  test('go into debt by at most one bucket', () => {
    let nowMs = 0;
    const one = processAt(() => nowMs);
    const others = [1, 2, 3].map(() => processAt(() => nowMs));
    for (const each of [one, ...others]) {
      for (let request = 0; request < 10; request++) expect(each.bucket().tryTake()).toBe(true);
    }
    for (const other of others) tell(other, one);
    expect([one.bucket().getRemaining(), one.bucket().tryTake()]).toEqual([0, false]);
    // One bucket of debt, and one to be full.
    expect(one.bucket().secondsUntilFull()).toBe(120);
    nowMs = 66_000;
    expect([one.bucket().tryTake(), one.bucket().tryTake()]).toEqual([true, false]);
  });

  test('count failed authentications of all processes by address', () => {
    const [one, two] = [processAt(() => 0), processAt(() => 0)];
    for (let guess = 0; guess < 1_000; guess++) expect(one.guess('192.0.2.1').tryTake()).toBe(true);
    tell(one, two);
    expect(two.guess('192.0.2.1').tryTake()).toBe(false);
    expect(two.guess('192.0.2.2').tryTake()).toBe(true);
  });

  test('allow as many requests as a single process would', () => {
    const step = fc.record({ who: fc.nat(2), afterMs: fc.nat(9_000) });
    const property = fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      let nowMs = 0;
      const alone = processAt(() => nowMs, exactRate);
      const team = [0, 1, 2].map(() => processAt(() => nowMs, exactRate));
      for (const { who, afterMs } of steps) {
        nowMs += afterMs;
        const one = team[who] as (typeof team)[number];
        expect(one.bucket().tryTake()).toBe(alone.bucket().tryTake());
        const here = one.drainUsage();
        for (const other of team) if (here && other !== one) other.applyUsage(here);
      }
    });
    fc.assert(property);
  });
});
