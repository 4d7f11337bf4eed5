import { describe, expect, test } from 'bun:test';
import { createRevisionAtLookup } from '../../src/http/responses/revision-at.ts';
import type { Revision } from '../../src/store/open-store.ts';

const revision = { revision: 3, publishedAt: '2020-01-01T00:00:00.000Z' } as Revision;

/** A finder over a ledger that counts how often it is asked. */
function finding(revision: Revision | undefined) {
  let asked = 0;
  const find = createRevisionAtLookup({
    revisionAt: async () => {
      asked++;
      return revision;
    },
  });
  return { find, asked: () => asked };
}

describe('which revision stood at an instant', () => {
  const longAgo = new Date('2021-01-01T00:00:00Z');

  test('is looked up once where the instant is well past', async () => {
    const { find, asked } = finding(revision);
    expect(await find('a', longAgo)).toBe(revision);
    expect(find('a', longAgo)).toBe(revision);
    expect(asked()).toBe(1);
  });

  test('is looked up each time where a revision of that instant may still appear', async () => {
    const { find, asked } = finding(revision);
    const now = new Date();
    await find('a', now);
    await find('a', now);
    expect(asked()).toBe(2);
  });

  test('is looked up each time where there was none yet', async () => {
    const { find, asked } = finding(undefined);
    await find('a', longAgo);
    expect(await find('a', longAgo)).toBeUndefined();
    expect(asked()).toBe(2);
  });

  test('is not remembered without bound', async () => {
    const { find, asked } = finding(revision);
    for (let header = 0; header < 1_001; header++) await find(String(header), longAgo);
    await find('0', longAgo);
    expect(asked()).toBe(1_002);
  });
});
