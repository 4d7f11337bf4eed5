import { afterEach, beforeEach, describe, expect, setSystemTime, test } from 'bun:test';
import {
  createBucketTable,
  createRateLimiter,
  createTooManyRequestsError,
  formatRateLimit,
  type RateAllowance,
  type TokenBucket,
} from '../../src/http/rate-limiting/rate-limiter.ts';
import { parseRate } from '../../src/shared/request-rate.ts';
import { issueToken } from '../../src/tokens/issue-token.ts';
import type { Principal } from '../../src/tokens/principal.ts';
import { fetchRaw } from '../support/fetch-raw.ts';
import { createFilledStore } from '../support/store.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const principal = {
  id: 'a',
  scopes: new Set<string>(),
  rate: undefined,
  expiresAtMs: Infinity,
  lastUsedAtMs: 0,
};

const HOUR = 3_600_000;
const QUOTES = '/2.0/bnb/quotes';
const SERIES = '/3.0/alternate/atm-transactions-annual-volume';

let service: TestServer;
const secrets: Record<string, string> = {};
beforeEach(async () => {
  const store = await createFilledStore();
  const tokens = store.tokens();
  for (const [name, rate] of Object.entries({ few: '5/hour', none: 'off', plain: null })) {
    const terms = { name, scopes: ['quotes'], rate, expiresAt: null };
    secrets[name] = (await issueToken(tokens, terms)).secret;
  }
  tokens.close();
  service = await startTestServer(store, { rateLimit: { count: 1_000, windowMs: HOUR } });
});
afterEach(() => service.stop());

const as = (name: string) => ({ authorization: `Bearer ${secrets[name]}` });

/** The rate-limit headers of a response, parsed. */
async function requestRate(target: string, headers = {}, method = 'GET') {
  const reply = await fetchRaw(service, target, headers, method);
  const left = reply.headers.get('ratelimit');
  const { r, t } = /^"requests";r=(?<r>\d+);t=(?<t>\d+)$/.exec(left ?? '')?.groups ?? {};
  const policy = reply.headers.get('ratelimit-policy');
  return { status: reply.status, policy, left: left && Number(r), fullIn: Number(t), reply };
}

test('forbidden and invalid requests count towards the rate', async () => {
  const first = await requestRate(SERIES, as('few'));
  const second = await requestRate(`${QUOTES}?x=1`, as('few'));
  expect([first.status, first.left, second.status, second.left]).toEqual([403, 4, 400, 3]);
});

describe('RateLimit and RateLimit-Policy', () => {
  test.each([
    [200, QUOTES, {}, 'GET'],
    [200, QUOTES, {}, 'HEAD'],
    [200, QUOTES, { 'accept-encoding': 'br' }, 'GET'],
    [200, '/revisions', {}, 'GET'],
    [200, '/3.0/funds/allocation', {}, 'GET'],
    [304, QUOTES, { 'if-none-match': '*' }, 'GET'],
    [304, '/revisions', { 'if-none-match': '*' }, 'HEAD'],
    [400, `${QUOTES}?limit=0`, {}, 'GET'],
    [400, QUOTES, { 'accept-datetime': 'never' }, 'GET'],
    [403, SERIES, 'plain', 'GET'],
    [404, '/revisions/99', {}, 'GET'],
    [412, QUOTES, { 'if-match': '"x"' }, 'GET'],
  ])('are in the %d response to %s %j %s', async (status, target, headers, method) => {
    const requestHeaders = typeof headers === 'string' ? as(headers) : headers;
    const first = await requestRate(target, requestHeaders, method);
    expect([first.status, first.policy]).toEqual([status, '"requests";q=1000;w=3600']);
    expect(first.left).toBeGreaterThanOrEqual(999);
    expect(first.fullIn).toBeLessThanOrEqual(4);
  });

  test('count down to 0, then with 429', async () => {
    const few = as('few');
    const rounds = [];
    for (let round = 0; round < 7; round++) rounds.push(await requestRate(QUOTES, few));
    expect(rounds.map(({ status, left }) => [status, left])).toEqual([
      [200, 4],
      [200, 3],
      [200, 2],
      [200, 1],
      [200, 0],
      [429, 0],
      [429, 0],
    ]);
    expect(rounds.map(({ policy }) => policy)).toEqual(rounds.map(() => '"requests";q=5;w=3600'));
    const { reply, fullIn } = rounds[5] as (typeof rounds)[number];
    const retryAfter = Number(reply.headers.get('retry-after'));
    expect(retryAfter).toBeWithin(600, 721);
    expect(fullIn).toBeWithin(3_400, 3_601);
    // The rate is checked before parameters and conditions.
    expect((await requestRate(`${QUOTES}?x=1`, few)).status).toBe(429);
    expect((await requestRate(QUOTES, { ...few, 'if-none-match': '*' })).status).toBe(429);
    expect((await requestRate('/revisions', few)).status).toBe(429);
    // Other tokens have buckets of their own.
    expect((await requestRate(QUOTES, as('plain'))).left).toBe(999);
  });

  test('count a 304 as a quarter of a request', async () => {
    const few = { ...as('few'), 'if-none-match': '*' };
    const lefts = [];
    for (let round = 0; round < 8; round++) lefts.push((await requestRate(QUOTES, few)).left);
    expect(lefts).toEqual([4, 4, 4, 4, 3, 3, 3, 3]);
    expect((await requestRate(QUOTES, as('few'))).left).toBe(2);
  });
});

test('a checkpoint, which pages ask for every five seconds, draws on the rate of no token', async () => {
  const few = as('few');
  const before = await requestRate(QUOTES, few);
  for (let round = 0; round < 8; round++) {
    const { status, left } = await requestRate('/ledger/checkpoint', few);
    expect([status, left]).toEqual([200, null]);
  }
  const after = await requestRate(QUOTES, few);
  expect(after.left).toBe(Math.max(0, Number(before.left) - 1));
});

describe('no RateLimit headers are sent', () => {
  test('to a token without a rate, also with a response that was sent to another', async () => {
    for (const headers of [{}, { 'accept-encoding': 'zstd' }, { 'if-none-match': '*' }]) {
      for (const name of ['plain', 'none', 'plain', 'none']) {
        const { policy, left } = await requestRate(QUOTES, { ...headers, ...as(name) });
        const expected = name === 'none' ? null : '"requests";q=1000;w=3600';
        expect([name, policy, left === null]).toEqual([name, expected, name === 'none']);
      }
    }
  });

  test('without a token, also with a response that was sent to a token', async () => {
    const document = '/openapi.json';
    for (const [target, headers, method] of [
      ['/revisions/99', {}, 'GET'],
      [QUOTES, { 'if-match': '"x"' }, 'GET'],
      [document, {}, 'GET'],
    ] as const) {
      await requestRate(target, headers, method);
      for (const [other, without, by] of [
        ['/nowhere', {}, 'GET'],
        [document, { 'if-match': '"x"' }, 'GET'],
        [document, { 'if-none-match': '*' }, 'GET'],
        [document, {}, 'GET'],
        [QUOTES, {}, 'POST'],
        [QUOTES, {}, 'OPTIONS'],
        [QUOTES, {}, 'GET'],
        [QUOTES, { authorization: 'Bearer wrong' }, 'GET'],
      ] as const) {
        const { policy, left, status } = await requestRate(
          other,
          { authorization: '', ...without },
          by,
        );
        expect([other, by, status, policy, left]).toEqual([other, by, status, null, null]);
      }
    }
  });
});

describe('formatRateLimit', () => {
  test('has the remaining requests, and the seconds until all are available', () => {
    let nowMs = 0;
    const limit = createRateLimiter({ count: 4, windowMs: 10_000 }, () => nowMs);
    const allowance = limit(principal) as RateAllowance;
    expect(allowance.policy).toBe('"requests";q=4;w=10');
    expect(formatRateLimit(allowance)).toBe('"requests";r=4;t=0');
    allowance.bucket.tryTake();
    expect(formatRateLimit(allowance)).toBe('"requests";r=3;t=3');
    allowance.bucket.refund(0.75);
    expect(formatRateLimit(allowance)).toBe('"requests";r=3;t=1');
    nowMs = 625;
    expect(formatRateLimit(allowance)).toBe('"requests";r=4;t=0');
    allowance.bucket.refund(0.75);
    expect(formatRateLimit(allowance)).toBe('"requests";r=4;t=0');
  });

  test('rounds a window of less than a second up', () => {
    const limit = createRateLimiter({ count: 1, windowMs: 500 });
    expect(limit(principal)?.policy).toBe('"requests";q=1;w=1');
  });

  test('does not depend on the system time', () => {
    const limit = createRateLimiter({ count: 1, windowMs: HOUR });
    const { bucket } = limit(principal) as RateAllowance;
    expect(bucket.tryTake()).toBe(true);
    setSystemTime(new Date(Date.now() + 10 * HOUR));
    const exists = bucket.tryTake();
    setSystemTime();
    expect(exists).toBe(false);
  });
});

describe('createBucketTable', () => {
  const rate = { count: 2, windowMs: 1_000 };

  test('evicts full buckets first, then the oldest', () => {
    let nowMs = 0;
    const find = createBucketTable(10, () => nowMs);
    const used = ['a', 'b', 'c', 'd'].map((key) => find(key, rate));
    const full = ['e', 'f', 'g', 'h', 'i', 'j'].map((key) => find(key, rate));
    for (const bucket of used) bucket.tryTake();
    find('k', rate).tryTake();
    expect(['a', 'b', 'c', 'd'].map((key) => find(key, rate))).toEqual(used);
    expect(find('j', rate)).not.toBe(full[5] as (typeof full)[number]);
    nowMs = 10_000;
    const keys = Array.from({ length: 30 }, (_, index) => `x${index}`);
    const created = keys.map((key) => find(key, rate));
    for (const bucket of created) bucket.tryTake();
    expect(find('x29', rate)).toBe(created[29] as (typeof created)[number]);
    expect(find('x0', rate)).not.toBe(created[0] as (typeof created)[number]);
  });

  test('stays bounded if no bucket is full', () => {
    const find = createBucketTable(100, () => 0);
    const created = Array.from({ length: 1_000 }, (_, index) => {
      const bucket = find(`k${index}`, rate);
      bucket.tryTake();
      return bucket;
    });
    // A lookup creates evicted buckets again, so the youngest are looked up first.
    const last = created.findLastIndex((bucket, index) => find(`k${index}`, rate) !== bucket);
    expect(last).toBeWithin(1_000 - 1 - 100, 1_000 - 50);
  });

  test('creates a new bucket if the rate has changed', () => {
    const find = createBucketTable(10, () => 0);
    const bucket = find('a', rate);
    expect(find('a', { ...rate })).toBe(bucket);
    expect(find('a', { ...rate, windowMs: 2 * rate.windowMs })).not.toBe(bucket);
    expect(find('a', { ...rate, count: 3 })).not.toBe(bucket);
  });
});

describe('createRateLimiter', () => {
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

  test('counts each token separately, by its own rate if it has one', () => {
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
