import { afterEach, expect, test } from 'bun:test';
import { replaceSystem, system } from '../../src/shared/system.ts';
import { withResponseTimeout } from '../../src/store/postgres/response-timeout.ts';

const original = { ...system };
afterEach(() => replaceSystem(original));

/** How long a response is waited for that never comes, by a thread that gets its turn late. */
async function measureWait(timeoutMs: number, latenessMs: number): Promise<number> {
  let nowMs = 1_000;
  const late = (delayMs: number) => {
    nowMs += delayMs;
  };
  replaceSystem({
    ...original,
    monotonicNow: () => nowMs,
    setTimeout(callback, delayMs) {
      late(delayMs + latenessMs);
      return original.setTimeout(callback, 0);
    },
    sleep: async (delayMs) => late(delayMs),
  });
  const response = withResponseTimeout(new Promise(() => {}), timeoutMs);
  await expect(response).rejects.toThrow('it does not answer');
  return nowMs - 1_000;
}

test.each([
  [0, 0],
  [1, 10],
  [39, 390],
  [40, 400],
  [41, 400],
  [5_000, 400],
])(
  'a server may be late by ten times as much as this thread, which is %d ms late, up to 0.4 seconds',
  async (latenessMs, addedMs) => {
    for (const timeoutMs of [400, 500])
      expect(await measureWait(timeoutMs, latenessMs)).toBe(timeoutMs + 50 + latenessMs + addedMs);
  },
);

test('a response that comes in time is that of the server, its errors included', async () => {
  expect(await withResponseTimeout(Promise.resolve(0), 400)).toBe(0);
  const failed = Promise.reject(new Error('refused'));
  await expect(withResponseTimeout(failed, 400)).rejects.toThrow('refused');
});
