import { describe, expect, test } from 'bun:test';
import type { BackgroundWork } from '../../src/http/background/background-work.ts';
import { JobScheduler } from '../../src/http/background/job-scheduler.ts';
import { AbandonedError } from '../../src/shared/abandoned-error.ts';
import { createPrincipal } from '../../src/tokens/principal.ts';

const BACKGROUND = {} as BackgroundWork;
const COST = 20;

/** A client with what was charged to it. */
function createClient(id: string, abort = new AbortController()) {
  const charges: number[] = [];
  const charge = (requests: number) => void charges.push(requests);
  return { principal: createPrincipal(id), signal: abort.signal, charge, charges, abort };
}

describe('work in the background', () => {
  test('is that which costs more than three requests, if there is a background', async () => {
    const scheduler = new JobScheduler(BACKGROUND);
    const client = createClient('ann');
    const jobs = [1, 3, 4].map((cost) => scheduler.run(client, cost, (given) => given));
    const [, , dear] = await Promise.all(jobs);
    expect(await Promise.all(jobs.slice(0, 2))).toEqual([undefined, undefined]);
    expect(dear === BACKGROUND).toBe(true);
    expect(await new JobScheduler().run(client, 99, (given) => given)).toBeUndefined();
    expect(client.charges).toEqual([]);
  });

  test('is charged to a client that has gone only if it was started', async () => {
    const scheduler = new JobScheduler(BACKGROUND);
    const client = createClient('ann');
    const { signal } = client;
    const untilGone = () =>
      new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(new AbandonedError()));
      });
    // Three run, and the others of the same token wait for their turn.
    const work = Array.from({ length: 5 }, () => scheduler.run(client, COST, untilGone));
    const results = Promise.allSettled(work);
    await Bun.sleep(0);
    client.abort.abort();
    for (const { status } of await results) expect(status).toBe('rejected');
    expect(client.charges).toEqual([COST - 1, COST - 1, COST - 1]);
    await expect(scheduler.run(client, COST, untilGone)).rejects.toBeInstanceOf(AbandonedError);
    expect(client.charges).toHaveLength(3);
  });

  test('is not charged by its bound if it succeeds or fails', async () => {
    const scheduler = new JobScheduler(BACKGROUND);
    const client = createClient('ann');
    expect(await scheduler.run(client, COST, () => 'done')).toBe('done');
    const failing = scheduler.run(client, COST, () =>
      Promise.reject(new Error('a wheel came off')),
    );
    await expect(failing).rejects.toThrow('a wheel came off');
    expect(client.charges).toEqual([]);
  });
});
