import { describe, expect, test } from 'bun:test';
import {
  createRateLimiter,
  createTooManyRequestsError,
} from '../../src/http/rate-limiting/rate-limiter.ts';
import type { TokenBucket } from '../../src/http/rate-limiting/token-bucket.ts';
import { parseRate } from '../../src/rate.ts';
import { issueToken } from '../../src/tokens/issue-token.ts';
import type { Principal } from '../../src/tokens/token-registry.ts';
import { createStore } from '../support/store.ts';
import { startTestServer } from '../support/test-server.ts';

const principal = {
  id: 'a',
  scopes: new Set<string>(),
  rate: undefined,
  expiresAtMs: Infinity,
  lastUsedAtMs: 0,
};

describe('rate limit', () => {
  test('allows a full bucket at once, then as fast as it refills', () => {
    let nowMs = 0;
    const limit = createRateLimiter({ count: 3, windowMs: 6_000 }, () => nowMs);
    const passes = () => limit(principal)?.bucket.tryTake();
    expect([passes(), passes(), passes(), passes()]).toEqual([true, true, true, false]);
    nowMs = 1_999;
    expect(passes()).toBe(false);
    nowMs = 2_000;
    expect([passes(), passes()]).toEqual([true, false]);
    nowMs = 1e9;
    expect([passes(), passes(), passes(), passes()]).toEqual([true, true, true, false]);
  });

  test('gives Retry-After in whole seconds', () => {
    const limit = createRateLimiter({ count: 2, windowMs: 5_000 }, () => 0);
    const bucket = limit(principal)?.bucket as TokenBucket;
    expect([bucket.tryTake(), bucket.tryTake(), bucket.tryTake()]).toEqual([true, true, false]);
    expect(createTooManyRequestsError(bucket).headers).toEqual({ 'Retry-After': '3' });
  });

  test('counts each token separately, by its own rate where it has one', () => {
    const limit = createRateLimiter({ count: 1, windowMs: 1_000 }, () => 0);
    const tryTake = (who: Principal) => limit(who)?.bucket.tryTake();
    expect([tryTake(principal), tryTake(principal)]).toEqual([true, false]);
    expect(tryTake({ ...principal, id: 'b' })).toBe(true);
    const generous = { ...principal, id: 'c', rate: { count: 2, windowMs: 1_000 } };
    expect([tryTake(generous), tryTake(generous), tryTake(generous)]).toEqual([true, true, false]);
    // The same token, reloaded from the database.
    expect(tryTake({ ...generous })).toBe(false);
    expect(limit({ ...principal, id: 'd', rate: null })).toBeNull();
  });

  test('responds 429 with Retry-After, counting invalid requests too', async () => {
    const service = await startTestServer(await createStore(), {
      count: 2,
      windowMs: 3_600_000,
    });
    const statuses = [];
    for (const query of ['', '?x=1', '', '?x=1']) {
      statuses.push((await service.request(`/2.0/bnb/quote${query}`)).status);
    }
    const response = await service.request('/2.0/bnb/quote');
    await service.stop();
    expect(statuses).toEqual([200, 400, 429, 429]);
    expect(response.headers.get('retry-after')).toBe('1800');
  });

  test('holds a running server to the rate of an issued token', async () => {
    const store = await createStore();
    const tokens = store.tokens();
    const terms = { name: 'slow', scopes: ['quotes'], rate: '1/hour', expiresAt: null };
    const { secret } = await issueToken(tokens, terms);
    tokens.close();
    const service = await startTestServer(store);
    const ask = () => service.request('/2.0/bnb/quote', { authorization: `Bearer ${secret}` });
    const statuses = [(await ask()).status, (await ask()).status];
    await service.stop();
    expect(statuses).toEqual([200, 429]);
  });
});

describe('parseRate', () => {
  test.each([
    ['60000/min', { count: 60_000, windowMs: 60_000 }],
    ['5/s', { count: 5, windowMs: 1_000 }],
    ['1/day', { count: 1, windowMs: 86_400_000 }],
    ['off', null],
  ])('parses %s', (text, rate) => {
    expect(parseRate(text)).toEqual(rate);
  });

  test.each([
    '',
    '0/min',
    '5',
    '5/',
    '/min',
    '-1/s',
    '5/fortnight',
    '5/constructor',
    '5/toString',
    '1.5/s',
    '5 / s',
    'OFF',
  ])('rejects "%s"', (text) => {
    expect(parseRate(text)).toBeUndefined();
  });
});
