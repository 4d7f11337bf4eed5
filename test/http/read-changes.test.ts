import { expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { readChanges } from '../../src/operations/changes/changes-route.ts';
import type { StoreReader } from '../../src/store/open-store.ts';

test('a page of few changes among many records that are as they were takes few queries', async () => {
  const touchedRecords = 100_000;
  const limits: number[] = [];
  const reader: Pick<StoreReader, 'netChanges'> = {
    async netChanges(_, { limit, after }) {
      limits.push(limit);
      const last = Number(after?.[0] ?? 0) + limit;
      if (last < touchedRecords) return { revision: 3, changes: [], last: [last] };
      const key = [touchedRecords];
      return { revision: 3, changes: [{ key, old: null, new: '{}' }] };
    },
  };
  const page = await readChanges(reader, quotes, { since: 1, until: 3, limit: 100 });
  expect(page).toEqual({ revision: 3, texts: ['{"change":"added","record":{}}'] });
  expect(limits.length).toBeLessThan(30);
  expect(Math.max(...limits)).toBe(5_000);
});
