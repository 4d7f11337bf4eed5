import { expect, test } from 'bun:test';
import { type CommitState, findSettledRevision } from '../../src/store/sql/settled-revision.ts';

const INSTANT = '2026-05-01T00:00:00.000Z';
const INSTANT_MS = Date.parse(INSTANT);

/** How often the revision at the instant is looked for, by what the store says each time. */
async function countReads(states: readonly CommitState[], finalFrom = Infinity) {
  let reads = 0;
  const found = await findSettledRevision(
    INSTANT,
    async () => ({ revision: undefined, isFinal: ++reads > finalFrom }),
    () => states[reads] as CommitState,
  );
  return [reads, found.isFinal];
}

const at = (ms: number, isCommitting = false) => ({ nowMs: INSTANT_MS + ms, isCommitting });

test.each([
  ['at once after it', [at(1)], [1, true]],
  ['when its millisecond is over, in which one may be published', [at(0), at(1)], [2, true]],
  ['when the second that it may mean is over', [at(-2), at(1)], [2, true]],
  ['when no revision is being committed', [at(9, true), at(10, true), at(11)], [3, true]],
  ['never while it is further in the future', [at(-1_001)], [1, false]],
] as const)('the revision at an instant is final %s', async (_, states, expected) => {
  expect(await countReads(states)).toEqual([...expected]);
});

test('the revision at an instant is final as soon as there is a later one', async () => {
  expect(await countReads([at(0, true), at(0, true)], 1)).toEqual([2, true]);
});
