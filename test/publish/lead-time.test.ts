import { describe, expect, test } from 'bun:test';
import { listDue, listOverdue } from '../../src/publish/desk/list-due.ts';
import { CorePace, sumLeads } from '../../src/publish/lead-time.ts';
import type { Candidate } from '../../src/store/open-store.ts';

const LEAD = { leadMs: 2_500, workMs: 1_000 };
const NOON = Date.parse('2026-06-30T12:00:00Z');

describe('a publication begins', () => {
  test('earlier by as much as busy cores slow it down, but no more than five minutes', () => {
    expect(sumLeads([], 20)).toBe(0);
    expect(sumLeads([LEAD], 1)).toBe(2_500);
    expect(sumLeads([LEAD], 20)).toBe(2_500 + 19 * 1_500);
    expect(sumLeads([LEAD, LEAD, LEAD], 20)).toBe(3 * (2_500 + 19 * 1_500));
    expect(sumLeads([{ leadMs: 60_000, workMs: 60_000 }], 20)).toBe(360_000);
  });

  test('as early as before if it was staged by an earlier release, which did not measure its work', () => {
    expect(sumLeads([{ leadMs: 2_500 }, LEAD], 3)).toBe(5_000 + 2 * 1_500);
  });

  test('by how busy the cores were of late, whatever a single probe says, and is not probed for before', () => {
    const probes = [30, 2, 3, 100, 2];
    let count = 0;
    const pace = new CorePace(() => probes[count++] ?? 2);
    const DAY_MS = 86_400_000;
    expect(pace.getLeadMs([LEAD], DAY_MS)).toBe(2_500);
    expect(count).toBe(0);
    const leads = probes.map(() => pace.getLeadMs([LEAD], 60_000));
    expect(leads.map((leadMs) => (leadMs - 2_500) / 1_500 + 1)).toEqual([30, 30, 3, 30, 3]);
    expect(count).toBe(probes.length);
  });

  test('at its lead before the instant on idle cores, and after it if it is overdue', () => {
    const pace = new CorePace(() => 1);
    expect(pace.getLeadMs([LEAD], 2_500)).toBe(2_500);
    expect(pace.getLeadMs([LEAD], -1)).toBe(2_500);
  });
});

let nextId = 0;
const candidate = (changes: Partial<Candidate>) =>
  ({ id: ++nextId, due: new Date(NOON).toISOString(), ...changes }) as Candidate;

describe('what is due', () => {
  const june = { bundle: 'june' };
  const later = new Date(NOON + 1_000).toISOString();
  const list = (candidates: readonly Candidate[], nowMs: number, leadMs = 0) =>
    listDue(candidates, nowMs, () => leadMs).map((groups) =>
      groups.map((group) => group.map(({ id }) => id)),
    );

  test('at one instant begins together, bundles apart from others, so that the second is not late', () => {
    nextId = 0;
    const candidates = [candidate(june), candidate({}), candidate(june), candidate(june)];
    candidates.push(candidate({ due: later }), candidate({}));
    expect(list(candidates, NOON - 1)).toEqual([]);
    expect(list(candidates, NOON)).toEqual([[[1, 3, 4], [2], [6]]]);
    expect(list(candidates, NOON - 500, 500)).toEqual([[[1, 3, 4], [2], [6]]]);
    expect(list(candidates, NOON + 1_000)).toEqual([[[1, 3, 4], [2], [6]], [[5]]]);
  });

  test('has the last instant of its bundle, and none as long as one of it has none or a problem', () => {
    nextId = 0;
    expect(list([candidate(june), candidate({ ...june, due: later })], NOON)).toEqual([]);
    expect(list([candidate(june), candidate({ ...june, due: later })], NOON + 1_000)).toEqual([
      [[3, 4]],
    ]);
    const waiting = candidate({ ...june, due: undefined });
    expect(list([candidate(june), waiting], NOON + 1_000)).toEqual([]);
    expect(list([candidate(june), candidate({ ...june, problem: 'x' })], NOON)).toEqual([]);
  });

  test('and left alone is named with what it waits for, in bundles of two and of three', () => {
    nextId = 0;
    const overdue = (...candidates: Candidate[]) => listOverdue(candidates, NOON);
    expect(overdue(candidate({}))).toEqual([]);
    expect(overdue(candidate(june), candidate({ ...june, due: later }))).toEqual([]);
    expect(overdue(candidate({ problem: 'x' }))).toEqual([{ id: 4, reason: 'x' }]);
    expect(overdue(candidate({ problem: 'x', due: later }))).toEqual([]);
    expect(overdue(candidate({ problem: 'x', due: undefined }))).toEqual([]);
    expect(overdue(candidate({ staleSince: 7 }))).toEqual([
      { id: 7, reason: 'stale: revision 7 changed records that it touches' },
    ]);
    expect(overdue(candidate(june), candidate({ ...june, due: undefined }))).toEqual([
      { id: 8, reason: 'waits for candidate 9 of its bundle, which has no instant' },
    ]);
    const held = [candidate(june), candidate({ ...june, problem: 'x' }), candidate(june)];
    expect(overdue(...held)).toEqual([
      { id: 10, reason: 'waits for candidate 11 of its bundle' },
      { id: 11, reason: 'x' },
      { id: 12, reason: 'waits for candidate 11 of its bundle' },
    ]);
  });
});
