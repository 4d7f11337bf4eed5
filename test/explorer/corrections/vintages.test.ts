import { expect, test } from 'bun:test';
import { getSeriesFigure, listFigureStates } from '../../../src/explorer/corrections/vintages.ts';

const instant = (revision: number) => `2026-01-0${revision}T00:00:00.000Z`;
const vintage = (a: number | null, since: number, until: number | null) => ({
  period: 'Q1 2026',
  a,
  since,
  published: instant(since),
  until,
  withdrawn: until === null ? null : instant(until),
});

test('a figure has a state for each vintage, and none from a withdrawal until it comes again', () => {
  const vintages = [
    vintage(1, 1, 2),
    vintage(null, 2, 3),
    vintage(3, 3, 5),
    vintage(1, 7, 8),
  ] as const;
  const states = listFigureStates(vintages, ({ a }) => a);
  expect(states.map(({ label, value }) => [label, value])).toEqual([
    ['First release in revision 1', 1],
    ['Corrected in revision 2', undefined],
    ['Corrected in revision 3', 3],
    ['Withdrawn in revision 5', undefined],
    ['Published again in revision 7', 1],
    ['Withdrawn in revision 8', undefined],
  ]);
  expect(states[3]?.publishedAt).toBe(instant(5));
});

test('a figure of a series is a field, or the value of a key in a list', () => {
  const record = { total: 3, provinces: [{ key: 'north.east', value: 2 }] };
  const keys = ['total', 'provinces.north.east', 'provinces.south', 'none'];
  expect(keys.map((key) => getSeriesFigure(record, key))).toEqual([3, 2, undefined, undefined]);
});
