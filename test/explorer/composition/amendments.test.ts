import { expect, test } from 'bun:test';
import {
  type Amendment,
  byRevision,
  formerOf,
  lastRevisionOf,
  marksOf,
  storiesOf,
} from '../../../src/explorer/composition/amendments.ts';

const measure = { kind: 'numbers', unit: 'percent' };
const figure = (at: string, key: string, old: number, now: number) => {
  return { period: at, at, key, title: key, measure, old, new: now };
};
const of = (revision: number, ...figures: Amendment['figures']): Amendment => {
  return { revision, publishedAt: '2026-07-01T00:00:00Z', figures, added: [], removed: [] };
};
const amendments = [
  of(9, figure('Jun', 'Cash', 9, 10)),
  of(7, figure('Jun', 'Cash', 8, 9), figure('May', 'Bonds', 50, 51)),
];

test('tells what a figure was last, and which revision changed it', () => {
  expect(formerOf(amendments, 'Jun', 'Cash')?.old).toBe(9);
  expect(formerOf(amendments, 'Jun', 'Bonds')).toBeUndefined();
  expect(lastRevisionOf(amendments, 'Jun')).toBe(9);
  expect(lastRevisionOf(amendments, 'May')).toBe(7);
  expect(lastRevisionOf(amendments, 'May', 'Cash')).toBeUndefined();
});

test('tells the whole story of a period, and nothing of one that is not drawn', () => {
  expect(storiesOf(amendments, ['Apr', 'Jun'])).toEqual(
    new Map([
      [
        1,
        'Corrected by revision 9: Cash 9.0 % → 10.0 %. Corrected by revision 7: Cash 8.0 % → 9.0 %',
      ],
    ]),
  );
});

test('marks the figures that were corrected, of each part its own', () => {
  expect([...marksOf(amendments, ['May', 'Jun'], 'Cash')]).toEqual([1]);
  expect([...marksOf(amendments, ['May', 'Jun'], 'Bonds')]).toEqual([0]);
  expect([...marksOf(amendments, ['Jun'], 'Bonds')]).toEqual([]);
});

test('tells in one what a revision did to several records', () => {
  const [one, ...more] = byRevision([
    { ...of(5, figure('Q2', 'atm', 1, 2)), removed: ['Q1'] },
    of(5, figure('Q3', 'atm', 1, 2)),
  ]);
  expect(more).toEqual([]);
  expect(one).toMatchObject({ revision: 5, removed: ['Q1'] });
  expect(one?.figures.map(({ at }) => at)).toEqual(['Q2', 'Q3']);
});
