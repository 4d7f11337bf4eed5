import { describe, expect, test } from 'bun:test';
import {
  findPeriodChanges,
  getFirstComparedDay,
} from '../../../src/explorer/security/period-changes.ts';

const find = (values: Readonly<Record<string, number>>) =>
  findPeriodChanges(Object.entries(values).map(([date, value]) => ({ date, value })));

describe('findPeriodChanges', () => {
  test('compares with the last figure up to a day, a week, a month and a year before', () => {
    const changes = find({
      '2026-06-29': 9,
      '2026-06-26': 8,
      '2026-06-22': 7,
      '2026-06-01': 6,
      '2026-05-29': 5,
      '2025-06-30': 4,
      '2025-06-27': 3,
    });
    expect(changes?.newest).toEqual({ date: '2026-06-29', value: 9 });
    expect(changes?.earlier).toEqual({
      day: { date: '2026-06-26', value: 8 },
      week: { date: '2026-06-22', value: 7 },
      month: { date: '2026-05-29', value: 5 },
      year: { date: '2025-06-27', value: 3 },
    });
  });

  test('compares with no figure that is more than two weeks before its day', () => {
    const { earlier } = find({ '2026-06-29': 9, '2026-06-08': 8 }) ?? {};
    expect(earlier).toEqual({
      day: undefined,
      week: { date: '2026-06-08', value: 8 },
      month: undefined,
      year: undefined,
    });
  });

  test('takes the least and the greatest figure of 52 weeks', () => {
    const changes = find({
      '2026-06-29': 5,
      '2026-03-02': 2,
      '2025-07-01': 7,
      '2025-06-30': 99,
    });
    expect(changes?.range).toEqual([2, 7]);
  });

  test('is undefined without figures', () => {
    expect(find({})).toBeUndefined();
  });
});

test('the first day that is compared with is two weeks before the day a year earlier', () => {
  expect(getFirstComparedDay('2026-06-30')).toBe('2025-06-16');
});
