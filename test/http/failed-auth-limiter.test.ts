import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  FailedAuthLimiter,
  MAX_TRACKED_ADDRESSES,
} from '../../src/http/rate-limiting/failed-auth-limiter.ts';
import { createSharedLimits } from '../../src/http/rate-limiting/shared-limits.ts';
import { generateTokenSecret } from '../../src/tokens/token-secret.ts';
import { retryUntil } from '../support/eventually.ts';
import { fetchRaw } from '../support/fetch-raw.ts';
import { sendRaw } from '../support/raw-http.ts';
import { createStore } from '../support/store.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { issueSecret } from '../support/use-test-server.ts';

const PATH = '/2.0/bnb/quotes';

const never = new AbortController().signal;

/** Limits whose buckets are refilled only while time is let pass. */
function createStoppedLimits() {
  let passedMs = 0;
  let startedMs: number | undefined;
  const nowMs = () => passedMs + (startedMs === undefined ? 0 : performance.now() - startedMs);
  const limits = createSharedLimits(nowMs);
  return {
    limits,
    async whileTimePasses<T>(run: () => Promise<T>): Promise<T> {
      startedMs = performance.now();
      try {
        return await run();
      } finally {
        passedMs = nowMs();
        startedMs = undefined;
      }
    },
  };
}

describe('an address with 1,000 failed authentications in a minute', () => {
  let service: TestServer;
  const { limits, whileTimePasses } = createStoppedLimits();
  const secrets = { issued: '', other: '', inUse: '' };
  beforeAll(async () => {
    const store = await createStore();
    secrets.issued = await issueSecret(store, ['quotes']);
    secrets.other = await issueSecret(store, ['quotes']);
    secrets.inUse = await issueSecret(store, ['quotes']);
    service = await startTestServer(store, { sharedLimits: limits });
    expect((await ask(secrets.inUse)).status).toBe(200);
    const wrong = ['Bearer wrong', 'Basic dXNlcjpwYXNz', 'Bearer test-token2', 'nonsense'];
    expect(await sendPipelined(service, wrong, 1_000)).toEqual({ 401: 1_000 });
  });
  afterAll(() => service.stop());
  const ask = (secret: string, signal = never) =>
    fetch(service.address + PATH, { headers: { authorization: `Bearer ${secret}` }, signal });

  test('lets guesses and tokens that are new to it wait for their turn', async () => {
    const asked = ['one', 'two', 'three', secrets.issued].map((secret) => ask(secret));
    const responses = await whileTimePasses(() => Promise.all(asked));
    expect(responses.map(({ status }) => status)).toEqual([401, 401, 401, 200]);
  });

  test('tells no more about a right token than about a wrong one while too many wait', async () => {
    const abort = new AbortController();
    expect((await ask(secrets.issued)).status).toBe(200);
    // Each takes its turn only after those before it.
    let refusedGuesses = 0;
    const guesses = Array.from({ length: 120 }, async (_, index) => {
      const response = await ask(`guess${index}`, abort.signal).catch(() => undefined);
      if (response?.status === 429) refusedGuesses++;
      return response?.status ?? 'aborted';
    });
    const refused = async (secret: string) => {
      const response = await ask(secret);
      const names = [...response.headers.keys()].toSorted();
      return [response.status, response.headers.get('retry-after'), names, await response.text()];
    };
    await retryUntil(30_000, async () => expect(refusedGuesses).toBeGreaterThan(0));
    expect(await refused(secrets.other)).toEqual(await refused('wrong'));
    expect((await refused(secrets.other)).slice(0, 2)).toEqual([429, '1']);
    // Those that were accepted from there, before or since, go on at once.
    for (let round = 0; round < 20; round++) {
      expect((await ask(secrets.issued)).status).toBe(200);
      expect((await ask(secrets.inUse)).status).toBe(200);
    }
    abort.abort();
    const statuses = new Set(await Promise.all(guesses));
    expect(statuses).toContain('aborted');
    // The clients that are gone wait no longer, so that there is room again.
    await whileTimePasses(() =>
      retryUntil(30_000, async () => expect((await ask(secrets.other)).status).toBe(200)),
    );
  });
});

test('responds 429 after 1,000 requests a minute without a token, and still to tokens', async () => {
  await using service = await startTestServer(await createStore(), {
    sharedLimits: createStoppedLimits().limits,
  });
  const counts = await sendPipelined(service, [undefined], 1_100);
  expect(counts).toEqual({ 401: 1_000, 429: 100 });
  const reply = await fetchRaw(service, PATH, { authorization: '' });
  expect(reply.status).toBe(429);
  expect(JSON.parse(reply.text)).toEqual({ status: 'error', message: 'too_many_requests' });
  expect(reply.headers.get('retry-after')).toBe('1');
  expect(reply.headers.has('ratelimit')).toBe(false);
  // They guess nothing, so they slow no token down.
  expect((await fetchRaw(service, PATH)).status).toBe(200);
  expect((await fetchRaw(service, PATH, { authorization: 'Bearer wrong' })).status).toBe(401);
  // Pages and the description of the API are for everybody.
  expect((await fetchRaw(service, '/openapi.json', { authorization: '' })).status).toBe(200);
});

test('looks tokens up in the store 20 times a second at most, however many are guessed', async () => {
  const store = await createStore();
  const { tokens: openTokens } = store;
  let queries = 0;
  store.tokens = () => {
    const tokens = openTokens();
    const findByDigest: typeof tokens.findByDigest = (digests) => {
      queries++;
      return tokens.findByDigest(digests);
    };
    return { ...tokens, findByDigest };
  };
  await using service = await startTestServer(store, {
    sharedLimits: createStoppedLimits().limits,
  });
  const abort = new AbortController();
  const statuses: number[] = [];
  const guess = async () => {
    const authorization = `Bearer ${generateTokenSecret()}`;
    const request = fetch(service.address + PATH, {
      headers: { authorization },
      signal: abort.signal,
    });
    statuses.push((await request.catch(() => undefined))?.status ?? 0);
  };
  const startedMs = performance.now();
  const guesses = Promise.all(Array.from({ length: 5_000 }, guess));
  // 100 wait for a turn that never comes.
  await retryUntil(30_000, async () => expect(statuses.length).toBe(4_900));
  const lookupsLimit = 2 + (performance.now() - startedMs) / 50;
  abort.abort();
  await guesses;
  expect(queries).toBeLessThanOrEqual(lookupsLimit);
  expect(queries).toBeGreaterThan(0);
  expect(statuses.filter((status) => status === 401)).toHaveLength(1_000);
});

/** How many responses had each status. */
async function sendPipelined(
  { address }: TestServer,
  credentials: readonly (string | undefined)[],
  count: number,
): Promise<Record<string, number>> {
  const requests = Array.from({ length: count }, (_, index) => {
    const credential = credentials[index % credentials.length];
    const lines = credential === undefined ? [] : [`Authorization: ${credential}`];
    if (index === count - 1) lines.push('Connection: close');
    return `${[`GET ${PATH} HTTP/1.1`, 'Host: x', ...lines].join('\r\n')}\r\n\r\n`;
  });
  const { status, body } = await sendRaw(address, requests.join(''));
  const statuses = [status, ...[...body.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, text]) => text)];
  const counts: Record<string, number> = {};
  for (const each of statuses) counts[String(each)] = (counts[String(each)] ?? 0) + 1;
  return counts;
}

describe('the admission queue of an address', () => {
  const createClock = () => {
    let nowMs = 0;
    const limiter = new FailedAuthLimiter(() => nowMs);
    for (let round = 0; round < 1_000; round++)
      expect(limiter.admit('192.0.2.1', undefined, never)).toBe(true);
    return { limiter, advance: (ms: number) => (nowMs += ms) };
  };

  test('is not needed for valid tokens until a failed authentication is over the limit', () => {
    const { limiter } = createClock();
    expect(limiter.isThrottling).toBe(false);
    expect(limiter.admit('192.0.2.1', 'token', never)).toBe(true);
    expect(limiter.admit('192.0.2.1', undefined, never)).toBeInstanceOf(Promise);
    expect(limiter.isThrottling).toBe(true);
    expect(limiter.admit('192.0.2.1', 'token', never)).toBe(true);
    expect(limiter.admit('192.0.2.1', 'new token', never)).toBeInstanceOf(Promise);
    expect(limiter.admit('192.0.2.2', 'token', never)).toBe(true);
    expect(limiter.admit('192.0.2.2', undefined, never)).toBe(true);
  });

  test('admits as many as the bucket is refilled for, in order, whatever they bring', async () => {
    const { limiter, advance } = createClock();
    const admitted: number[] = [];
    const waiting = Array.from({ length: 100 }, async (_, index) => {
      if (await limiter.admit('192.0.2.1', undefined, never)) admitted.push(index);
    });
    expect(limiter.admit('192.0.2.1', undefined, never)).toBe(false);
    expect(limiter.admit('192.0.2.1', 'token', never)).toBe(false);
    advance(600);
    // None that comes later goes first.
    expect(limiter.admit('192.0.2.1', 'token', never)).toBe(false);
    await retryUntil(30_000, async () => expect(admitted).toHaveLength(10));
    expect(admitted).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(limiter.admit('192.0.2.1', 'token', never)).toBeInstanceOf(Promise);
    // The refill of ten seconds is enough for all others.
    advance(9_000);
    await Promise.all(waiting);
    expect(admitted).toHaveLength(100);
  });

  test('counts no valid token, whether it is known at once or looked up', async () => {
    const { limiter, advance } = createClock();
    const gone = new AbortController();
    const waiting = limiter.admit('192.0.2.1', undefined, gone.signal);
    gone.abort();
    expect(await waiting).toBe(false);
    advance(60);
    // There is room for one failure, which tokens new to the address leave to it.
    for (let index = 0; index < 10; index++)
      expect(limiter.admit('192.0.2.1', `token ${index}`, never)).toBe(true);
    expect(limiter.admit('192.0.2.1', undefined, never)).toBe(true);
    expect(limiter.admit('192.0.2.1', 'one more', never)).toBeInstanceOf(Promise);
    for (let index = 0; index < 1_100; index++) {
      expect(limiter.admit('192.0.2.2', undefined, never)).toBe(true);
      limiter.correctAdmission('192.0.2.2', 'looked up');
    }
    expect(limiter.findBucket('192.0.2.2').getRemaining()).toBe(1_000);
  });

  test('waits a second more if other processes have used up the limit', async () => {
    const { limiter, advance } = createClock();
    limiter.findBucket('192.0.2.1').charge(1_000);
    const waiting = [undefined, 'token'].map((id) => limiter.admit('192.0.2.1', id, never));
    advance(1_100);
    expect(await Promise.all(waiting)).toEqual([true, true]);
  });

  test('gives up after ten seconds if other processes use up the limit all the time', async () => {
    const { limiter, advance } = createClock();
    const waiting = [undefined, 'token'].map((id) => limiter.admit('192.0.2.1', id, never));
    advance(10_000);
    limiter.findBucket('192.0.2.1').charge(1_000);
    expect(await Promise.all(waiting)).toEqual([false, false]);
  });
});

test('counts failed authentications of each address separately', () => {
  const limiter = new FailedAuthLimiter(() => 0);
  const find = (address: string) => limiter.findBucket(address);
  const one = find('192.0.2.1');
  for (let round = 0; round < 1_000; round++) expect(one.tryTake()).toBe(true);
  expect([one.tryTake(), one.secondsUntilNext()]).toEqual([false, 1]);
  expect(find('192.0.2.1')).toBe(one);
  expect(find('192.0.2.2').tryTake()).toBe(true);
  expect(find('::ffff:192.0.2.2')).not.toBe(find('::ffff:192.0.2.3'));
  expect(find('').tryTake()).toBe(true);
});

test.each([
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', true],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::', true],
  ['2001:db8::1', '2001:db8::2:0:0:1', true],
  ['2001:db8:0:0:1::', '2001:db8::1', true],
  ['2001:db8:0:1::1', '2001:db8:0:1:1::', true],
  ['::1', '::2', true],
  ['fe80::1%eth0', 'fe80::2%eth0', true],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
  ['2001:db8::1', '2001:db8:0:1::1', false],
  ['2001:db8::', '2001:db9::', false],
  ['1::', '::1', false],
])('counts %s and %s as one address: %p', (one, other, isSame) => {
  const limiter = new FailedAuthLimiter(() => 0);
  const find = (address: string) => limiter.findBucket(address);
  expect(find(one) === find(other)).toBe(isSame);
});

test('tracks a bounded number of addresses, evicting idle ones first', () => {
  let nowMs = 0;
  const limiter = new FailedAuthLimiter(() => nowMs);
  const find = (address: string) => limiter.findBucket(address);
  const first = find('192.0.2.1');
  first.tryTake();
  for (let index = 0; index < 5_000; index++) find(`a${index}`).tryTake();
  nowMs = 1_000;
  for (let round = 0; round < 100; round++) first.tryTake();
  for (let index = 0; index < 7_000; index++) find(`b${index}`).tryTake();
  expect(find('192.0.2.1')).toBe(first);
  for (let index = 0; index < 15_000; index++) find(`c${index}`).tryTake();
  expect(find('192.0.2.1')).not.toBe(first);
});

test('of too many addresses, the one that was used longest ago is forgotten', () => {
  const limiter = new FailedAuthLimiter(() => 0);
  const addresses = ['first', 'second'];
  for (const address of addresses) {
    limiter.recordAccepted(address, 'token');
    for (let guess = 0; guess < 1_001; guess++) limiter.admit(address, undefined, never);
  }
  // A token that is not known at an address waits for its turn there.
  const findKnown = () =>
    addresses.map((address) => limiter.admit(address, 'token', never) === true);
  for (let index = 3; index < MAX_TRACKED_ADDRESSES; index++)
    limiter.recordAccepted(`address ${index}`, 'token');
  limiter.recordAccepted('second', 'token');
  limiter.recordAccepted('another', 'token');
  // None has to make room for one that is known already.
  limiter.recordAccepted('second', 'token');
  expect(findKnown()).toEqual([true, true]);
  limiter.recordAccepted('one more', 'token');
  expect(findKnown()).toEqual([false, true]);
});
