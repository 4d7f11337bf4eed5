import { expect, test } from 'bun:test';
import {
  buildCorrectionNotes,
  findCorrectedIndexes,
} from '../../../src/explorer/corrections/correction-notes.ts';
import type { RevisionCorrections } from '../../../src/explorer/corrections/revision-corrections.ts';

const unitInfo = { kind: 'numbers', unit: 'percent' };
const value = (at: string, key: string, old: number | undefined, now: number) => {
  return { period: at, periodKey: at, key, title: key, unitInfo, old, new: now };
};
const of = (revision: number, ...values: RevisionCorrections['values']): RevisionCorrections => {
  return { revision, publishedAt: '2026-07-01T00:00:00Z', values, added: [], removed: [] };
};
const amendments = [
  of(9, value('Jun', 'Cash', 9, 10)),
  of(7, value('Jun', 'Gold', undefined, 1), value('Jun', 'Cash', 8, 9), value('May', 'Gold', 5, 6)),
];

test('tells what a period was, newest revision first, and nothing of one that is not drawn', () => {
  expect([...buildCorrectionNotes(amendments, ['Apr', 'Jun'])]).toEqual([
    [
      1,
      'Before revision 9 (1 Jul 2026): Cash 9.0 %. Before revision 7 (1 Jul 2026): Gold none, Cash 8.0 %.',
    ],
  ]);
});

test('tells what the chart shows first, without its name, and leaves out what others tell', () => {
  const own = { chartKey: 'Cash' };
  expect(buildCorrectionNotes(amendments.slice(1), ['Jun'], own).get(0)).toBe(
    'Before revision 7 (1 Jul 2026): 8.0 %, Gold none.',
  );
  const isReported = (key: string) => key === 'Gold';
  expect([
    ...buildCorrectionNotes(amendments, ['May', 'Jun'], {
      ...own,
      isIncluded: isReported,
    }).values(),
  ]).toEqual([
    'Before revision 7 (1 Jul 2026): Gold none.',
    'Before revision 7 (1 Jul 2026): Gold 5.0 %.',
  ]);
});

test('tells what was with as many decimals as tell it from what is', () => {
  const near = [of(3, value('Jun', 'Cash', 100.04, 100.02))];
  expect(buildCorrectionNotes(near, ['Jun']).get(0)).toBe(
    'Before revision 3 (1 Jul 2026): Cash 100.04 %.',
  );
});

test('marks the values that were corrected, of each part its own', () => {
  expect([...findCorrectedIndexes(amendments, ['May', 'Jun'], 'Cash')]).toEqual([1]);
  expect([...findCorrectedIndexes(amendments, ['May', 'Jun'], 'Gold')].toSorted()).toEqual([0, 1]);
  expect([...findCorrectedIndexes(amendments, ['Apr'], 'Gold')]).toEqual([]);
});
