import { expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { createTaskQueue } from '../../src/http/runtime/task-queue.ts';
import type { StoreReader } from '../../src/store/open-store.ts';
import { generateQuotes } from '../support/generate-quotes.ts';
import { createStore } from '../support/store.ts';
import { startTestServer } from '../support/test-server.ts';

test('a task queue runs a bounded number of operations, in their order', async () => {
  const enqueue = createTaskQueue(2);
  let running = 0;
  let max = 0;
  const finished: number[] = [];
  const operation = (number: number) => async () => {
    max = Math.max(max, ++running);
    await Bun.sleep(1);
    running--;
    finished.push(number);
    if (number % 3 === 0) throw new Error('failed');
    return number;
  };
  const all = Array.from({ length: 9 }, (_, number) => enqueue(operation(number)));
  const settled = await Promise.allSettled(all);
  expect(max).toBe(2);
  expect(finished).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(3);
  expect(await enqueue(async () => 'still open')).toBe('still open');
});

/** A server over quotes, whose store queries are replaced. */
async function startServerWith(
  override: (reader: StoreReader) => Partial<StoreReader>,
  days = ['2026-06-01'],
) {
  const store = await createStore();
  await store.publish(quotes, generateQuotes(days, 7));
  const reader = () => {
    const original = store.reader();
    return { ...original, ...override(original) };
  };
  return startTestServer({ ...store, reader });
}

test('concurrent requests for a format read and encode it once', async () => {
  let reads = 0;
  const service = await startServerWith(({ read }) => ({
    read(selection) {
      reads++;
      return read(selection);
    },
  }));
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => service.request('/2.0/bnb/quote', { accept: 'text/csv' })),
  );
  const bodies = new Set(await Promise.all(responses.map((response) => response.text())));
  await service.stop();
  expect(bodies.size).toBe(1);
  // As many as may run at a time can begin before the first is done.
  expect(reads).toBeLessThanOrEqual(4);
});

test('a total is counted once for all limits and pages of a revision', async () => {
  let counts = 0;
  const service = await startServerWith(
    ({ read }) => ({
      read(selection) {
        if (selection.includeTotal) counts++;
        return read(selection);
      },
    }),
    ['2026-06-01', '2026-06-02'],
  );
  const total = async (query: string) => {
    const { headers } = await service.request(`/2.0/bnb/quote?${query}`, { prefer: 'count=exact' });
    return headers.get('tenor-total-count');
  };
  for (const limit of [1, 2, 3, 100])
    expect(await total(`from=2026-01-01&limit=${limit}`)).toBe('14');
  expect(counts).toBe(1);
  expect(await total('from=2026-06-02')).toBe('7');
  expect(counts).toBe(2);
  await service.stop();
});

test('lists in formats other than JSON are encoded a few at a time', async () => {
  let [running, max] = [0, 0];
  const service = await startServerWith(({ securities }) => ({
    async securities(dataset, asOf) {
      max = Math.max(max, ++running);
      await Bun.sleep(5);
      running--;
      return securities(dataset, asOf);
    },
  }));
  const responses = await Promise.all(
    Array.from({ length: 12 }, () =>
      service.request('/2.0/bnb/securities', { accept: 'text/csv' }),
    ),
  );
  await service.stop();
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
  expect(max).toBe(4);
});
