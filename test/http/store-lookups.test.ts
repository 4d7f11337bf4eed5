import { describe, expect, test } from 'bun:test';
import { createStoreLookups } from '../../src/http/pipeline/database.ts';
import type { Revision, StoreReader } from '../../src/store/open-store.ts';

const revision = { revision: 3, publishedAt: '2020-01-01T00:00:00.000Z' } as Revision;
const longAgo = new Date('2021-01-01T00:00:00Z');

function createCountedLookup(result: Revision | undefined, isFinal = true) {
  let queries = 0;
  const revisionAt = async () => {
    queries++;
    return { revision: result, isFinal };
  };
  const { findRevisionAt } = createStoreLookups({ revisionAt } as unknown as StoreReader);
  return { findRevisionAt, getQueries: () => queries };
}

test('a revision that a replica has not got yet is read again from the primary', async () => {
  const answers = [[], [revision]];
  const reader = { revisions: async () => answers.shift() ?? [], revision: async () => 3 };
  const { findRevision } = createStoreLookups(reader as unknown as StoreReader);
  expect(await findRevision(3)).toBe(revision);
  expect(findRevision(3)).toBe(revision);
  expect(await findRevision(4)).toBeUndefined();
});

describe('findRevisionAt', () => {
  test('queries the store once for an instant whose revision is final', async () => {
    const { findRevisionAt, getQueries } = createCountedLookup(revision);
    expect(await findRevisionAt('a', longAgo)).toBe(revision);
    expect(findRevisionAt('a', longAgo)).toBe(revision);
    expect(getQueries()).toBe(1);
  });

  test.each([
    ['while the revision of that instant is not final', revision, false],
    ['before the first revision', undefined, true],
  ])('queries the store each time %s', async (_, result, isFinal) => {
    const { findRevisionAt, getQueries } = createCountedLookup(result, isFinal);
    await findRevisionAt('a', longAgo);
    expect(await findRevisionAt('a', longAgo)).toBe(result as Revision);
    expect(getQueries()).toBe(2);
  });

  test('caches a bounded number of results', async () => {
    const { findRevisionAt, getQueries } = createCountedLookup(revision);
    for (let header = 0; header < 1_001; header++) await findRevisionAt(String(header), longAgo);
    await findRevisionAt('0', longAgo);
    expect(getQueries()).toBe(1_002);
  });
});
