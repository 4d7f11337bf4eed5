import { describe, expect, test } from 'bun:test';
import {
  buildCorrectionNotes,
  findCorrectedIndexes,
  type RevisionCorrections,
} from '../../../src/explorer/corrections/revision-corrections.ts';

const unitInfo = { kind: 'numbers', unit: 'percent' };
const createValue = (period: string, key: string, old: number | undefined, current: number) => {
  return { period, periodKey: period, key, title: key, unitInfo, old, new: current };
};
const createRevision = (revision: number, ...values: RevisionCorrections['values']) => {
  return { revision, publishedAt: '2026-07-01T00:00:00Z', values, added: [], removed: [] };
};
const corrections = [
  createRevision(9, createValue('Jun', 'Cash', 9, 10)),
  createRevision(
    7,
    createValue('Jun', 'Gold', undefined, 1),
    createValue('Jun', 'Cash', 8, 9),
    createValue('May', 'Gold', 5, 6),
  ),
];

describe('the correction notes of a chart', () => {
  test('list the previous values of each period on display, newest revision first', () => {
    expect([...buildCorrectionNotes(corrections, ['Apr', 'Jun'])]).toEqual([
      [
        1,
        'Before revision 9 (1 Jul 2026): Cash 9.0 %. Before revision 7 (1 Jul 2026): Gold none, Cash 8.0 %.',
      ],
    ]);
  });

  test('leave out the values of other charts', () => {
    const isIncluded = (key: string) => key === 'Gold';
    const notes = buildCorrectionNotes(corrections, ['May', 'Jun'], isIncluded);
    expect([...notes.values()]).toEqual([
      'Before revision 7 (1 Jul 2026): Gold none.',
      'Before revision 7 (1 Jul 2026): Gold 5.0 %.',
    ]);
  });
});

test('findCorrectedIndexes finds the periods in which a component was corrected', () => {
  expect([...findCorrectedIndexes(corrections, ['May', 'Jun'], 'Cash')]).toEqual([1]);
  expect([...findCorrectedIndexes(corrections, ['May', 'Jun'], 'Gold')].toSorted()).toEqual([0, 1]);
  expect([...findCorrectedIndexes(corrections, ['Apr'], 'Gold')]).toEqual([]);
});
