import { expect, test } from 'bun:test';
import { createFailedAuthLimiter } from '../../src/http/rate-limiting/failed-auth-limiter.ts';
import { fetchRaw } from '../support/fetch-raw.ts';
import { createStore } from '../support/store.ts';
import { startTestServer } from '../support/test-server.ts';

const PATH = '/2.0/bnb/quotes';

test('responds 429 after 1,000 failed authentications a minute, but not to a valid token', async () => {
  const service = await startTestServer(await createStore());
  const wrong = ['Bearer wrong', 'Basic dXNlcjpwYXNz', 'Bearer test-token2', 'nonsense'];
  const ask = (authorization: string) => fetchRaw(service, PATH, { authorization });
  let replies = 0;
  let reply = await ask('Bearer wrong');
  while (reply.status === 401 && replies < 3_000) {
    replies++;
    // Those without a credential guess nothing: they are never counted.
    if (replies % 10 === 0) expect((await ask('')).status).toBe(401);
    reply = await ask(wrong[replies % wrong.length] ?? '');
  }
  expect(reply.status).toBe(429);
  expect(JSON.parse(reply.text)).toEqual({ status: 'error', message: 'too_many_requests' });
  expect(reply.headers.get('retry-after')).toBe('1');
  expect(reply.headers.has('ratelimit')).toBe(false);
  // Meanwhile the bucket refills, by seventeen a second.
  expect(replies).toBeWithin(1_000, 1_500);
  expect((await ask('')).status).toBe(401);
  for (let round = 0; round < 20; round++) {
    expect((await fetchRaw(service, PATH)).status).toBe(200);
  }
  const statuses = new Set<number>();
  for (let round = 0; round < 20; round++) statuses.add((await ask('Bearer wrong')).status);
  expect(statuses.has(429)).toBe(true);
  await service.stop();
});

test('counts failed authentications of each address separately', () => {
  const find = createFailedAuthLimiter(() => 0);
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
  const find = createFailedAuthLimiter(() => 0);
  expect(find(one) === find(other)).toBe(isSame);
});

test('tracks a bounded number of addresses, evicting idle ones first', () => {
  let nowMs = 0;
  const find = createFailedAuthLimiter(() => nowMs);
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
