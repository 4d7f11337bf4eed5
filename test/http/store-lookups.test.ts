import { describe, expect, test } from 'bun:test';
import { createStoreLookups } from '../../src/http/responses/store-lookups.ts';
import type { Revision, StoreReader } from '../../src/store/open-store.ts';

const revision = { revision: 3, publishedAt: '2020-01-01T00:00:00.000Z' } as Revision;
const longAgo = new Date('2021-01-01T00:00:00Z');

function createCountedLookup(result: Revision | undefined) {
  let queries = 0;
  const revisionAt = async () => {
    queries++;
    return result;
  };
  const { findRevisionAt } = createStoreLookups({ revisionAt } as unknown as StoreReader);
  return { findRevisionAt, getQueries: () => queries };
}

describe('findRevisionAt', () => {
  test('queries the store once for an instant well in the past', async () => {
    const { findRevisionAt, getQueries } = createCountedLookup(revision);
    expect(await findRevisionAt('a', longAgo)).toBe(revision);
    expect(findRevisionAt('a', longAgo)).toBe(revision);
    expect(getQueries()).toBe(1);
  });

  test.each([
    ['while a revision of that instant may still appear', revision, new Date()],
    ['before the first revision', undefined, longAgo],
  ])('queries the store each time %s', async (_, result, instant) => {
    const { findRevisionAt, getQueries } = createCountedLookup(result);
    await findRevisionAt('a', instant);
    expect(await findRevisionAt('a', instant)).toBe(result as Revision);
    expect(getQueries()).toBe(2);
  });

  test('caches a bounded number of results', async () => {
    const { findRevisionAt, getQueries } = createCountedLookup(revision);
    for (let header = 0; header < 1_001; header++) await findRevisionAt(String(header), longAgo);
    await findRevisionAt('0', longAgo);
    expect(getQueries()).toBe(1_002);
  });
});
