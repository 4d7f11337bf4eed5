import { describe, expect, test } from 'bun:test';
import { Catalogues, NONE_DECLARED } from '../../src/catalogue/catalogues.ts';
import { NewestRevision } from '../../src/http/freshness/newest-revision.ts';
import { ResponseCache } from '../../src/http/responses/response-cache.ts';

/** A process that shares a number, and whose database has the given revision. */
function createNewest(shared: number, newestInDatabase: number, lost = 0) {
  const raised: number[] = [];
  const takenBack: number[][] = [];
  const observed: number[] = [];
  const reads: number[] = [];
  const sharedRevision = {
    get: () => shared,
    isOfOther: () => false,
    raise: (revision: number) => void raised.push(revision),
    takeBack: (...revisions: number[]) => void takenBack.push(revisions),
  };
  const reader = {
    async revision() {
      reads.push(newestInDatabase);
      return newestInDatabase;
    },
    confirmRevision: () => newestInDatabase,
    lostRevision: () => lost,
    observeRevision: (revision: number) => void observed.push(revision),
  };
  const cache = new ResponseCache(1_000);
  const catalogues = new Catalogues([], { declarations: () => NONE_DECLARED });
  const newest = new NewestRevision(reader, cache, catalogues, () => {}, sharedRevision);
  return { newest, cache, raised, takenBack, observed, reads };
}

describe('the newest revision of a process', () => {
  test('is not shared from a replaced database, and does not follow another one', async () => {
    const { newest, cache, raised } = createNewest(3, 25);
    newest.shareWithOtherProcesses(25);
    newest.retire();
    newest.shareWithOtherProcesses(26);
    await newest.catchUp(null);
    expect([raised, cache.revision]).toEqual([[25], -1]);
  });

  test('is made known to the reader, which then reads from no server that is behind it', async () => {
    const { newest, observed } = createNewest(9, 10);
    for (const revision of [5, 4, 5, 6]) await newest.advanceTo(revision);
    expect(observed).toEqual([5, 6]);
    await newest.catchUp(null);
    expect(observed).toEqual([5, 6, 10]);
  });

  test('follows another process to what the database has, and takes back what it has not', async () => {
    const ahead = createNewest(9, 10);
    await ahead.newest.catchUp(null);
    expect([ahead.cache.revision, ahead.takenBack]).toEqual([10, []]);
    const restored = createNewest(9, 7);
    await restored.newest.catchUp(null);
    expect([restored.cache.revision, restored.takenBack]).toEqual([7, [[9, 7]]]);
  });

  test('is not waited for long if it was lost, and then another one serves', async () => {
    const { newest, reads } = createNewest(0, 7, 9);
    expect(await newest.catchUp('9')).toBeUndefined();
    // Every 25 ms for a tenth of a second, rather than for a second.
    expect(reads.length).toBeLessThan(10);
    expect(newest.isBehind('7')).toBe(false);
  });
});
