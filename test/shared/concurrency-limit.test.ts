import { expect, test } from 'bun:test';
import { createConcurrencyLimit } from '../../src/shared/concurrency-limit.ts';

/** Runs callbacks that end when they are told; counts how many run. */
function createRuns(max: number) {
  const limit = createConcurrencyLimit(max);
  const started: string[] = [];
  let running = 0;
  let most = 0;
  const start = (name: string, fails = false) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const result = limit(async () => {
      started.push(name);
      most = Math.max(most, ++running);
      await promise.finally(() => running--);
    }).catch(() => {});
    const end = () => (fails ? reject(new Error(name)) : resolve());
    return { end, result };
  };
  return { start, started, getMost: () => most };
}

test('callbacks start in the order of their calls, no more than the maximum at a time', async () => {
  const { start, started, getMost } = createRuns(2);
  const runs = ['a', 'b', 'c', 'd'].map((name) => start(name, name === 'b'));
  expect(started).toEqual(['a', 'b']);
  for (const { end, result } of runs) {
    end();
    await result;
  }
  expect([started, getMost()]).toEqual([['a', 'b', 'c', 'd'], 2]);
});

test('a callback that arrives when a waiting one has just been let in waits for it', async () => {
  const { start, started, getMost } = createRuns(1);
  for (const round of ['1', '2', '3']) {
    const [first, second] = [start(`first ${round}`), start(`second ${round}`)];
    first.end();
    await first.result;
    const third = start(`third ${round}`);
    await Bun.sleep(0);
    expect(started.at(-1)).toBe(`second ${round}`);
    second.end();
    await second.result;
    third.end();
    await third.result;
  }
  expect(getMost()).toBe(1);
});
