import { describe, expect, spyOn, test } from 'bun:test';
import { createJobQueue } from '../../src/http/background/job-scheduler.ts';
import { AbandonedError } from '../../src/shared/abandoned-error.ts';
import { OverloadedError } from '../../src/shared/overloaded-error.ts';

const OPTIONS = { maxRunning: 2, maxWaiting: 6, maxWaitingPerOwner: 4, maxWaitMs: 60_000 };

/** A queue whose jobs run until they are finished by name. */
function createTestQueue(options = OPTIONS) {
  const queue = createJobQueue(options);
  const started: string[] = [];
  const jobs = new Map<string, PromiseWithResolvers<string>>();
  return {
    started,
    add(owner: string, name: string, cost = 1, signal = new AbortController().signal) {
      const job = Promise.withResolvers<string>();
      jobs.set(name, job);
      const run = () => {
        started.push(name);
        return job.promise;
      };
      const result = queue({ owner, cost, signal, run });
      result.catch(() => {});
      return result;
    },
    /** Lets what follows from it happen. */
    async finish(name: string) {
      jobs.get(name)?.resolve(name);
      await Bun.sleep(0);
    },
    fail: (name: string) => jobs.get(name)?.reject(new Error(name)),
  };
}

describe('a job queue', () => {
  test('resolves with the result of a job, and rejects with its error', async () => {
    const queue = createTestQueue();
    const result = queue.add('ann', 'a1');
    const failure = queue.add('bob', 'b1');
    await queue.finish('a1');
    queue.fail('b1');
    expect(await result).toBe('a1');
    await expect(failure).rejects.toThrow('b1');
  });

  test('keeps one place free of the owner that has the others', async () => {
    const queue = createTestQueue();
    for (const name of ['a1', 'a2', 'a3']) queue.add('ann', name);
    await Bun.sleep(0);
    expect(queue.started).toEqual(['a1']);
    queue.add('bob', 'b1');
    await Bun.sleep(0);
    expect(queue.started).toEqual(['a1', 'b1']);
  });

  test('runs the jobs of owners in turn, and cheaper ones of an owner first', async () => {
    const queue = createTestQueue({ ...OPTIONS, maxRunning: 1 });
    queue.add('ann', 'a1');
    queue.add('ann', 'a2', 9);
    queue.add('ann', 'a3', 5);
    queue.add('ann', 'a4', 5);
    queue.add('bob', 'b1', 9);
    queue.add('eve', 'e1', 9);
    for (const name of ['a1', 'b1', 'e1', 'a3', 'a4', 'a2']) await queue.finish(name);
    expect(queue.started).toEqual(['a1', 'b1', 'e1', 'a3', 'a4', 'a2']);
  });

  test('does not let owners that come and go keep one waiting that has several jobs', async () => {
    const queue = createTestQueue({ ...OPTIONS, maxRunning: 1 });
    queue.add('ann', 'a1');
    queue.add('ann', 'a2');
    queue.add('bob', 'b1');
    await queue.finish('a1');
    queue.add('eve', 'e1');
    await queue.finish('b1');
    expect(queue.started).toEqual(['a1', 'b1', 'a2']);
  });

  test('runs a job of the owner with the fewest running ones first', async () => {
    const queue = createTestQueue({ ...OPTIONS, maxRunning: 4 });
    for (const name of ['a1', 'a2', 'a3', 'a4']) queue.add('ann', name);
    for (const name of ['b1', 'b2']) queue.add('bob', name);
    await Bun.sleep(0);
    // Bob was served last, and has one running beside two of Ann's.
    await queue.finish('a1');
    expect(queue.started).toEqual(['a1', 'a2', 'a3', 'b1', 'b2']);
    await queue.finish('b1');
    expect(queue.started.at(-1)).toBe('a4');
  });

  test('forgets an owner whose jobs have all ended or left, who comes back as a new one', async () => {
    const queue = createTestQueue({ ...OPTIONS, maxRunning: 1 });
    queue.add('ann', 'a1');
    const abort = new AbortController();
    queue.add('eve', 'e1', 1, abort.signal);
    abort.abort();
    for (const name of ['b1', 'b2', 'b3']) queue.add('bob', name);
    for (const name of ['a1', 'b1', 'b2']) await queue.finish(name);
    // Those who were here long ago do not come before one who is here for the first time.
    queue.add('zoe', 'z1');
    queue.add('ann', 'a2');
    queue.add('eve', 'e2');
    for (const name of ['b3', 'z1', 'a2', 'e2']) await queue.finish(name);
    expect(queue.started.slice(3)).toEqual(['b3', 'z1', 'a2', 'e2']);
  });

  test('drops a waiting job whose client has gone, without running it', async () => {
    const queue = createTestQueue({ ...OPTIONS, maxRunning: 1 });
    queue.add('ann', 'a1');
    const abort = new AbortController();
    const abandoned = queue.add('ann', 'a2', 1, abort.signal);
    queue.add('ann', 'a3');
    abort.abort();
    await expect(abandoned).rejects.toBeInstanceOf(AbandonedError);
    await queue.finish('a1');
    expect(queue.started).toEqual(['a1', 'a3']);
    await expect(queue.add('ann', 'a4', 1, abort.signal)).rejects.toBeInstanceOf(AbandonedError);
  });

  test('no longer listens to a signal after its jobs, so that one may serve for ever', async () => {
    const queue = createTestQueue();
    const { signal } = new AbortController();
    const [added, removed] = [
      spyOn(signal, 'addEventListener'),
      spyOn(signal, 'removeEventListener'),
    ];
    const jobs = ['a1', 'a2', 'a3'].map((name) => queue.add('ann', name, 1, signal));
    for (const name of ['a1', 'a2', 'a3']) await queue.finish(name);
    await Promise.all(jobs);
    expect(added).toHaveBeenCalledTimes(3);
    expect(removed.mock.calls.map(([, listener]) => listener)).toEqual(
      added.mock.calls.map(([, listener]) => listener),
    );
  });

  test('rejects a job that has waited for too long, and runs the next one', async () => {
    const queue = createTestQueue({ ...OPTIONS, maxRunning: 1, maxWaitMs: 20 });
    const running = queue.add('ann', 'a1');
    await expect(queue.add('bob', 'b1')).rejects.toBeInstanceOf(OverloadedError);
    queue.add('bob', 'b2');
    await queue.finish('a1');
    expect(await running).toBe('a1');
    expect(queue.started).toEqual(['a1', 'b2']);
  });

  test('rejects more waiting jobs than an owner, or all together, may have', async () => {
    const queue = createTestQueue({ ...OPTIONS, maxRunning: 1 });
    const add = (owner: string, count: number) =>
      Array.from({ length: count }, (_, index) => queue.add(owner, `${owner}${index}`));
    const [anns, bobs] = [add('ann', 6), add('bob', 3)];
    await expect(anns[5]).rejects.toBeInstanceOf(OverloadedError);
    await expect(bobs[2]).rejects.toBeInstanceOf(OverloadedError);
    for (const name of ['ann0', 'bob0', 'ann1', 'bob1', 'ann2', 'ann3', 'ann4'])
      await queue.finish(name);
    expect(await Promise.all([...anns.slice(0, 5), ...bobs.slice(0, 2)])).toHaveLength(7);
    const again = queue.add('ann', 'later');
    await queue.finish('later');
    expect(await again).toBe('later');
  });
});
