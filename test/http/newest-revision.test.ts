import { expect, test } from 'bun:test';
import { NewestRevision } from '../../src/http/freshness/newest-revision.ts';
import { ResponseCache } from '../../src/http/responses/response-cache.ts';

test('a response of a replaced database does not raise the revision that processes share', () => {
  const raised: number[] = [];
  const sharedRevision = { get: () => 3, raise: (n: number) => raised.push(n), restart() {} };
  const reader = { revision: async () => 25, lostRevision: () => 0, observeRevision() {} };
  const cache = new ResponseCache(1_000);
  const newest = new NewestRevision(reader, cache, () => {}, sharedRevision);
  newest.shareWithOtherProcesses(25);
  newest.retire();
  newest.shareWithOtherProcesses(26);
  newest.followOtherProcesses();
  expect([raised, cache.revision]).toEqual([[25], -1]);
});
