import { describe, expect, test } from 'bun:test';
import type { Jobs } from '../../src/http/background/jobs.ts';
import { createJobScheduler } from '../../src/http/background/schedule-job.ts';
import { AbandonedError } from '../../src/shared/abandoned-error.ts';
import { createPrincipal } from '../../src/tokens/token-registry.ts';

const [INLINE, BACKGROUND] = [{}, {}] as [Jobs, Jobs];
const COST = 20;

/** A client with what was charged to it. */
function createClient(id: string, abort = new AbortController()) {
  const charges: number[] = [];
  const charge = (requests: number) => void charges.push(requests);
  return { principal: createPrincipal(id), signal: abort.signal, charge, charges, abort };
}

describe('work in the background', () => {
  test('is that which costs more than three requests, where there is a background', async () => {
    const schedule = createJobScheduler(INLINE, BACKGROUND);
    const client = createClient('ann');
    const jobs = [1, 3, 4].map((cost) => schedule(client, cost, (given) => given));
    expect(jobs.slice(0, 2)).toEqual([INLINE, INLINE]);
    expect((await jobs[2]) === BACKGROUND).toBe(true);
    expect((await createJobScheduler(INLINE)(client, 99, (given) => given)) === INLINE).toBe(true);
    expect(client.charges).toEqual([]);
  });

  test('is charged to a client that has gone only where it was started', async () => {
    const schedule = createJobScheduler(INLINE, BACKGROUND);
    const client = createClient('ann');
    const { signal } = client;
    const untilGone = () =>
      new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(new AbandonedError()));
      });
    // Three run, and the others of the same token wait for their turn.
    const work = Array.from({ length: 5 }, () => schedule(client, COST, untilGone));
    const results = Promise.allSettled(work);
    await Bun.sleep(0);
    client.abort.abort();
    for (const { status } of await results) expect(status).toBe('rejected');
    expect(client.charges).toEqual([COST - 1, COST - 1, COST - 1]);
    await expect(schedule(client, COST, untilGone)).rejects.toBeInstanceOf(AbandonedError);
    expect(client.charges).toHaveLength(3);
  });

  test('is not charged by its bound where it succeeds or fails', async () => {
    const schedule = createJobScheduler(INLINE, BACKGROUND);
    const client = createClient('ann');
    expect(await schedule(client, COST, () => 'done')).toBe('done');
    const failing = schedule(client, COST, () => Promise.reject(new Error('a wheel came off')));
    await expect(failing).rejects.toThrow('a wheel came off');
    expect(client.charges).toEqual([]);
  });
});
