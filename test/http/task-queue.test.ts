import { expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { createTaskQueue } from '../../src/http/runtime/task-queue.ts';
import { generateQuotes } from '../support/generate-quotes.ts';
import { createStore } from '../support/store.ts';
import { startTestServer } from '../support/test-server.ts';

test('a task queue runs a bounded number of operations, in their order', async () => {
  const turn = createTaskQueue(2);
  let running = 0;
  let max = 0;
  const done: number[] = [];
  const callback = (number: number) => async () => {
    max = Math.max(max, ++running);
    await Bun.sleep(1);
    running--;
    done.push(number);
    if (number % 3 === 0) throw new Error('failed');
    return number;
  };
  const all = Array.from({ length: 9 }, (_, number) => turn(callback(number)));
  const settled = await Promise.allSettled(all);
  expect(max).toBe(2);
  expect(done).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(3);
  expect(await turn(async () => 'still open')).toBe('still open');
});

test('concurrent requests for a format read and encode it once', async () => {
  const store = await createStore();
  await store.publish(quotes, generateQuotes(['2026-06-01'], 7));
  let reads = 0;
  const reader = () => {
    const own = store.reader();
    return {
      ...own,
      read: (selection: Parameters<typeof own.read>[0]) => {
        reads++;
        return own.read(selection);
      },
    };
  };
  const service = await startTestServer({ ...store, reader });
  const requests = Array.from({ length: 20 }, () =>
    service.request('/2.0/bnb/quote', { accept: 'text/csv' }),
  );
  const bodies = new Set(
    await Promise.all((await Promise.all(requests)).map((response) => response.text())),
  );
  await service.stop();
  expect(bodies.size).toBe(1);
  // As many as may run at one time can begin before the first is done.
  expect(reads).toBeLessThanOrEqual(4);
});

test('a total is counted once for all limits and pages of a revision', async () => {
  const store = await createStore();
  await store.publish(quotes, generateQuotes(['2026-06-01', '2026-06-02'], 7));
  let counts = 0;
  const reader = () => {
    const own = store.reader();
    return {
      ...own,
      read: (selection: Parameters<typeof own.read>[0]) => {
        if (selection.includeTotal) counts++;
        return own.read(selection);
      },
    };
  };
  const service = await startTestServer({ ...store, reader });
  const total = async (query: string) => {
    const { headers } = await service.request(`/2.0/bnb/quote?${query}`, { prefer: 'count=exact' });
    return headers.get('tenor-total-count');
  };
  const totals = [];
  for (const limit of [1, 2, 3, 100]) totals.push(await total(`from=2026-01-01&limit=${limit}`));
  expect(totals).toEqual(['14', '14', '14', '14']);
  expect(counts).toBe(1);
  expect(await total('from=2026-06-02')).toBe('7');
  expect(counts).toBe(2);
  await service.stop();
});

test('lists in formats other than JSON are encoded a few at a time', async () => {
  const store = await createStore();
  await store.publish(quotes, generateQuotes(['2026-06-01'], 7));
  let [running, max] = [0, 0];
  const reader = () => {
    const own = store.reader();
    return {
      ...own,
      async securities(...requests: Parameters<typeof own.securities>) {
        max = Math.max(max, ++running);
        await Bun.sleep(5);
        running--;
        return own.securities(...requests);
      },
    };
  };
  const service = await startTestServer({ ...store, reader });
  const requests = Array.from({ length: 12 }, () =>
    service.request('/2.0/bnb/securities', { accept: 'text/csv' }),
  );
  const statuses = (await Promise.all(requests)).map(({ status }) => status);
  await service.stop();
  expect(statuses).toEqual(statuses.map(() => 200));
  expect(max).toBe(4);
});
